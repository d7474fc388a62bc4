"""The Merkle tree of RFC 9162 (as RFC 6962): SHA-256, leaves and nodes told apart by their first byte.

A tree of any size is known by its complete subtrees: node (level, index) covers the leaves from index x 2^level on. A
store keeps the nodes that `append` completes, after which every root and proof takes a logarithmic number of look-ups.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from integrity.errors import ProofError

EMPTY_ROOT: Final = sha256(b"").digest()

Node = tuple[int, int]
"""(level, index) of a complete subtree."""
Lookup = Callable[[int, int], bytes]
"""Hash of the complete subtree (level, index)."""


def leaf_hash(record: bytes) -> bytes:
    """Return SHA-256 of 0x00 and the record's bytes."""
    return sha256(b"\x00" + record).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return SHA-256 of 0x01 and both children."""
    return sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Frontier:
    """The right edge of a tree, all that growing it takes.

    Attributes
    ----------
    size
        Number of leaves.
    peaks
        Hashes of the complete subtrees that `size` is made of in binary, the largest first.
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 0 or len(self.peaks) != self.size.bit_count():
            raise ProofError(f"peaks must be {self.size.bit_count()} for {self.size} leaves, got {len(self.peaks)}")

    @property
    def root(self) -> bytes:
        """Give the root of the tree."""
        if not self.peaks:
            return EMPTY_ROOT
        value = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            value = node_hash(peak, value)
        return value


def append(frontier: Frontier, leaf: bytes) -> tuple[Frontier, tuple[tuple[Node, bytes], ...]]:
    """Grow a tree by one leaf hash.

    Returns
    -------
    tuple
        The new frontier, and the nodes that this leaf completes (itself first), for a store to keep.
    """
    index, level, value = frontier.size, 0, leaf
    peaks, completed = list(frontier.peaks), [((0, index), leaf)]
    while index >> level & 1:
        value = node_hash(peaks.pop(), value)
        level += 1
        completed.append(((level, index >> level), value))
    return Frontier(frontier.size + 1, (*peaks, value)), tuple(completed)


def grow(frontier: Frontier, leaves: Sequence[bytes]) -> Frontier:
    """Grow a tree by many leaf hashes."""
    for leaf in leaves:
        frontier, _ = append(frontier, leaf)
    return frontier


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes."""
    return grow(Frontier(), leaves).root


def nodes_of(leaves: Sequence[bytes]) -> Lookup:
    """Return the look-up of all complete subtrees over leaf hashes held in memory."""
    frontier, nodes = Frontier(), dict[Node, bytes]()
    for leaf in leaves:
        frontier, completed = append(frontier, leaf)
        nodes.update(completed)
    return lambda level, index: nodes[level, index]


def range_hash(start: int, end: int, lookup: Lookup) -> bytes:
    """Return the hash of the tree over leaves start..end - 1, a stretch that RFC 9162 comes to by splitting."""
    size = end - start
    if size & (size - 1) == 0 and start % size == 0:
        level = size.bit_length() - 1
        return lookup(level, start >> level)
    split = _split(size)
    return node_hash(range_hash(start, start + split, lookup), range_hash(start + split, end, lookup))


def _split(size: int) -> int:
    """Return the largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def root_at(size: int, lookup: Lookup) -> bytes:
    """Return the root of the first `size` leaves."""
    return range_hash(0, size, lookup) if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, lookup: Lookup) -> tuple[bytes, ...]:
    """Return the audit path of leaf `index` in the tree of `size` leaves, from the leaf up (RFC 9162, 2.1.3.1)."""
    if not 0 <= index < size:
        raise ProofError(f"index must be from 0 to {size - 1}, got {index}")
    path, start, end = list[bytes](), 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(range_hash(middle, end, lookup))
            end = middle
        else:
            path.append(range_hash(start, middle, lookup))
            start = middle
    return tuple(reversed(path))


def consistency_proof(old: int, new: int, lookup: Lookup) -> tuple[bytes, ...]:
    """Return the proof that the tree of `old` leaves is a beginning of the tree of `new` (RFC 9162, 2.1.4.1)."""
    if not 0 < old <= new:
        raise ProofError(f"old must be from 1 to {new}, got {old}")
    path, start, end, whole = list[bytes](), 0, new, True
    while old < end:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(range_hash(middle, end, lookup))
            end = middle
        else:
            path.append(range_hash(start, middle, lookup))
            start, whole = middle, False
    if not whole:
        path.append(range_hash(start, end, lookup))
    return tuple(reversed(path))


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Tell whether the proof shows the leaf hash at `index` of the tree with this root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size or not _are_hashes(leaf, root, *proof):
        return False
    fn, sn, value = index, size - 1, leaf
    for sibling in proof:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            value = node_hash(sibling, value)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            value = node_hash(value, sibling)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and value == root


def verify_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Tell whether the proof shows that the new tree begins with the old one (RFC 9162, 2.1.4.2)."""
    if not 0 < old <= new or not _are_hashes(old_root, new_root, *proof):
        return False
    if old == new:
        return not proof and old_root == new_root
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    fn, sn = old - 1, new - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    first = second = path[0]
    for sibling in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            first, second = node_hash(sibling, first), node_hash(sibling, second)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            second = node_hash(second, sibling)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and first == old_root and second == new_root


def _are_hashes(*values: bytes) -> bool:
    return all(len(value) == 32 for value in values)
