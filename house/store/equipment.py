"""Dice and boxes in the database: registered by serial, in play at one table or none."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Table, bindparam, insert, select, update

from house.domain.dice_sets import InPlay
from house.domain.ids import BoxSerial, DieSerial
from house.store import rows
from house.store.unit_of_work import Unit

_DIE = rows.table(rows.DieRow)
_BOX = rows.table(rows.BoxRow)
KINDS = {"dice": _DIE, "boxes": _BOX}
_IN_PLAY = {
    table: select(table.c.serial).where(table.c.table_id == bindparam("table")).order_by(table.c.serial)
    for table in KINDS.values()
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A die or a box, and where it is in play."""

    serial: str
    table: str | None


def add(unit: Unit, kind: str, serials: Sequence[str]) -> None:
    """Register dice or boxes (`KINDS`)."""
    if serials:
        values = [{"serial": serial, "registered_us": unit.at_us} for serial in serials]
        unit.connection.execute(insert(KINDS[kind]), values)


def pieces(connection: Connection, kind: str, serials: Collection[str]) -> dict[str, Piece]:
    """Those of some serials that are registered."""
    table = KINDS[kind]
    found = connection.execute(select(table.c.serial, table.c.table_id).where(table.c.serial.in_(serials)))
    return {row.serial: Piece(row.serial, row.table_id) for row in found}


def after(connection: Connection, kind: str, serial: str, limit: int) -> tuple[Piece, ...]:
    """Dice or boxes by serial, beyond one."""
    table = KINDS[kind]
    query = select(table.c.serial, table.c.table_id).where(table.c.serial > serial).order_by(table.c.serial)
    return tuple(Piece(row.serial, row.table_id) for row in connection.execute(query.limit(limit)))


def in_play(connection: Connection, table_id: str) -> InPlay:
    """Dice, by serial, and box in play at a table."""
    return InPlay(
        tuple(DieSerial(serial) for serial in _serials(connection, _DIE, table_id)),
        next((BoxSerial(serial) for serial in _serials(connection, _BOX, table_id)), None),
    )


def _serials(connection: Connection, table: Table, table_id: str) -> Sequence[str]:
    return connection.execute(_IN_PLAY[table], {"table": table_id}).scalars().all()


def put_in_play(unit: Unit, table_id: str, new: InPlay | None) -> None:
    """Take everything at a table out of play, and put other dice and another box into play there."""
    chosen: dict[Table, tuple[str, ...]] = {_DIE: (), _BOX: ()}
    if new is not None:
        chosen = {_DIE: new.dice, _BOX: () if new.box is None else (new.box,)}
    for table, serials in chosen.items():
        unit.connection.execute(update(table).where(table.c.table_id == table_id).values(table_id=None))
        unit.connection.execute(update(table).where(table.c.serial.in_(serials)).values(table_id=table_id))
