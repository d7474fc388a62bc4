"""Stored answers by idempotency key: written in the transaction that they answer for."""

from dataclasses import dataclass

from sqlalchemy import bindparam, insert, select

from house.store import rows
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit

_ANSWER = rows.table(rows.AnswerRow)
_FIND = Prepared(
    select(_ANSWER.c.fingerprint, _ANSWER.c.refused, _ANSWER.c.body).where(_ANSWER.c.key == bindparam("key"))
)
_KEEP = Prepared(insert(_ANSWER))


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What a command was answered; `fingerprint` tells which command it was."""

    fingerprint: str
    refused: bool
    body: str


def find(unit: Unit, key: str) -> StoredAnswer | None:
    """The answer under a key."""
    row = _FIND.first(unit.connection, {"key": key})
    return None if row is None else StoredAnswer(row.fingerprint, row.refused, row.body)


def keep(unit: Unit, key: str, answer: StoredAnswer) -> None:
    """Keep the answer under a key."""
    values = {"key": key, "fingerprint": answer.fingerprint, "refused": answer.refused, "body": answer.body}
    _KEEP.write(unit.connection, {**values, "at_us": unit.at_us})
