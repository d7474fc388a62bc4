"""Proofs of the history for whoever asks: the last checkpoint, records, that one is in the tree, that a tree grew."""

from dataclasses import dataclass

from sqlalchemy import Connection

from house.domain.refusals import Refusal, Refused
from house.service.desk import House
from house.store import house as books
from house.store import records, tree
from integrity.proof.tree import consistency_proof, inclusion_proof, root_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """The last signed checkpoint.

    Parameters
    ----------
    note
        As it was signed, a C2SP checkpoint.
    key
        The public key, `name+hash+base64`.
    root
        In hex.
    """

    note: str
    key: str
    size: int
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A record: the text that is hashed, and its leaf hash in hex."""

    record: int
    kind: str
    text: str
    leaf: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Included:
    """That a record is the leaf of that number in the tree of `size` records with `root`; hashes in hex."""

    record: int
    size: int
    leaf: str
    root: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """That the tree of `new` records begins with the tree of `old`; hashes in hex."""

    old: int
    new: int
    old_root: str
    new_root: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The history at which a report was made, and its last signature: the same one, unless the house wrote meanwhile.

    Parameters
    ----------
    records, root
        Size of the history as the report saw it, and its root in hex.
    note
        The last signed checkpoint; None where the house signs none.
    signed_records, signed_root
        What the note signs.
    currency
        In whose minor units its amounts are.
    """

    currency: str
    records: int
    root: str
    note: str | None
    signed_records: int | None
    signed_root: str | None


def made_at(house: House, connection: Connection) -> Made:
    """Say at which history a report is made that reads by this connection."""
    size = records.next_number(connection)
    last = None if house.seal is None else house.seal.last
    return Made(
        currency=books.currency(connection),
        records=size,
        root=root_at(size, tree.lookup(connection)).hex() if size else "",
        note=None if last is None else last[0],
        signed_records=None if last is None else last[1].size,
        signed_root=None if last is None else last[1].root.hex(),
    )


def checkpoint(house: House) -> Signed:
    """Give the last checkpoint. Refused: NOT_FOUND where there is none."""
    last = None if house.seal is None else house.seal.last
    if house.seal is None or last is None:
        raise Refused(Refusal.NOT_FOUND, "this house has signed no checkpoint")
    note, signed = last
    return Signed(note=note, key=str(house.seal.public), size=signed.size, root=signed.root.hex())


def records_in(house: House) -> int:
    """How many records the history has."""
    with house.read() as connection:
        return records.next_number(connection)


def page(house: House, after: int, limit: int) -> tuple[Kept, ...]:
    """Give up to `limit` records beyond a number, in order."""
    with house.read() as connection:
        return tuple(
            Kept(record=one.number, kind=one.kind, text=one.text, leaf=one.leaf)
            for one in records.stored(connection, after + 1, after + 1 + limit)
        )


def inclusion(house: House, number: int, size: int | None = None) -> Included:
    """Prove that a record is in the tree of `size` records, or of the last checkpoint. Refused: NOT_FOUND."""
    with house.read() as connection:
        within = _size(house, "size", size, records.next_number(connection))
        if number >= within:
            raise Refused(Refusal.NOT_FOUND, "the tree has fewer records", "record", str(number), str(within))
        look = tree.lookup(connection)
        return Included(
            record=number,
            size=within,
            leaf=look(0, number).hex(),
            root=root_at(within, look).hex(),
            path=tuple(value.hex() for value in inclusion_proof(number, within, look)),
        )


def consistency(house: House, old: int, new: int | None = None) -> Grown:
    """Prove that the tree of `new` records, or of the last checkpoint, begins with that of `old`, at least 1.

    Refused: NOT_FOUND.
    """
    with house.read() as connection:
        within = _size(house, "new", new, records.next_number(connection))
        if old > within:
            raise Refused(Refusal.NOT_FOUND, "the tree has fewer records", "old", str(old), str(within))
        look = tree.lookup(connection)
        return Grown(
            old=old,
            new=within,
            old_root=root_at(old, look).hex(),
            new_root=root_at(within, look).hex(),
            path=tuple(value.hex() for value in consistency_proof(old, within, look)),
        )


def _size(house: House, field: str, wanted: int | None, most: int) -> int:
    """Size of the tree that is asked for."""
    size = checkpoint(house).size if wanted is None else wanted
    if size > most:
        raise Refused(Refusal.NOT_FOUND, "the history has fewer records", field, str(size), str(most))
    return size
