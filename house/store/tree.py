"""The tree of the history in the database: a leaf with every record, and the subtrees of every eighth level.

What lies between two such levels is computed again from at most 255 hashes below it, so that a record costs one write
and a proof a few reads of neighbouring rows, however long the history is.
"""

from collections.abc import Iterable

from sqlalchemy import BindParameter, Connection, bindparam, insert, select

from house.store import rows
from house.store.prepared import Prepared
from integrity.proof.tree import Frontier, Lookup, Node, grow, root

STRIDE = 8

_RECORD, _NODE = rows.table(rows.RecordRow), rows.table(rows.TreeNodeRow)
_ADD = Prepared(insert(_NODE))
_START: BindParameter[int] = bindparam("start")
_END: BindParameter[int] = bindparam("end")
_LEAVES = select(_RECORD.c.leaf).where(_RECORD.c.number >= _START, _RECORD.c.number < _END).order_by(_RECORD.c.number)
_NODES = (
    select(_NODE.c.hash)
    .where(_NODE.c.level == bindparam("of"), _NODE.c.place >= _START, _NODE.c.place < _END)
    .order_by(_NODE.c.place)
)


class TreeBroken(ValueError):
    """Hashes of the history are missing in the database."""


def keep(connection: Connection, completed: Iterable[tuple[Node, bytes]]) -> None:
    """Keep those of the completed subtrees that are kept."""
    values = [
        {"level": level, "place": place, "hash": value.hex()}
        for (level, place), value in completed
        if level and level % STRIDE == 0
    ]
    if values:
        _ADD.write(connection, *values)


def frontier(connection: Connection, size: int) -> Frontier:
    """Read the right edge of the tree of the first `size` records. Raises TreeBroken."""
    peaks: tuple[bytes, ...] = ()
    for level in range(size.bit_length() // STRIDE * STRIDE, -1, -STRIDE):
        edge = _hashes(connection, level, size >> level + STRIDE << STRIDE, size >> level)
        peaks += grow(Frontier(), edge).peaks
    return Frontier(size, peaks)


def kept(connection: Connection, level: int, place: int) -> bytes | None:
    """Read the hash of a subtree of a level that is kept, or None."""
    found = connection.execute(_NODES, {"of": level, "start": place, "end": place + 1}).scalar_one_or_none()
    return None if found is None else read(found)


def lookup(connection: Connection) -> Lookup:
    """Give the hash of any complete subtree, by level and place. Raises TreeBroken."""

    def look(level: int, place: int) -> bytes:
        above = level % STRIDE
        return root(_hashes(connection, level - above, place << above, place + 1 << above))

    return look


def _hashes(connection: Connection, level: int, start: int, end: int) -> list[bytes]:
    """Hashes of neighbouring subtrees of a level that is kept."""
    within = {"start": start, "end": end}
    found = connection.execute(_NODES, {"of": level, **within}) if level else connection.execute(_LEAVES, within)
    hashes = [read(value) for value in found.scalars()]
    whole = len(hashes) - hashes.count(None)
    if whole != end - start:
        raise TreeBroken(f"hashes {start} to {end - 1} of level {level} must stand in the history, {whole} do")
    return [value for value in hashes if value is not None]


def read(text: str) -> bytes | None:
    """Read a hash as it is kept, 64 hex digits; None if it is something else."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        return None
    return value if len(value) == 32 else None
