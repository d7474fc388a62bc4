"""Rounds of other systems in the database: what was sent, once each, and which rounds are over."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, exists, func, insert, select

from house.domain.ids import PlayerId
from house.domain.rounds import Kind, Known, Transfer, recovery
from house.store import rows
from house.store.unit_of_work import Unit

_TRANSFER = rows.table(rows.TransferRow)
_END = rows.table(rows.RoundEndRow)
_OTHER = _TRANSFER.alias("other")
_GET = select(_TRANSFER).where(_TRANSFER.c.id == bindparam("id"))
_REVERSAL = select(_TRANSFER).where(_TRANSFER.c.reversal_of == bindparam("id"))
_WON = select(exists().where(_TRANSFER.c.reference == bindparam("id")))
_ENDED = select(exists().where(_END.c.round == bindparam("round")))
_OPEN = and_(
    _TRANSFER.c.kind == Kind.BET.value,
    ~exists().where(_OTHER.c.reversal_of == _TRANSFER.c.id),
    ~exists().where(_OTHER.c.reference == _TRANSFER.c.id),
    ~exists().where(_END.c.round == _TRANSFER.c.round),
)
"""Condition of a bet whose stake is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTransfer:
    """A transfer as it was first carried out.

    Parameters
    ----------
    lease_us
        Of a bet: microseconds since 1970 until which its round is live.
    wallet_after
        The player's wallet after it, minor units.
    """

    transfer: Transfer
    lease_us: int | None
    wallet_after: int
    record: int


def add(unit: Unit, stored: StoredTransfer) -> None:
    """Keep a transfer."""
    unit.connection.execute(insert(_TRANSFER), _values(stored))


def _values(stored: StoredTransfer) -> dict[str, Any]:
    one = stored.transfer
    return {
        "id": one.id,
        "kind": one.kind.value,
        "round": one.round,
        "player": one.player,
        "amount": one.amount,
        "reference": one.bet if one.kind is Kind.WIN else None,
        "reversal_of": one.bet if one.kind is Kind.ROLLBACK else None,
        "lease_us": stored.lease_us,
        "wallet_after": stored.wallet_after,
        "record": stored.record,
    }


def end(unit: Unit, round_: str, record: int) -> None:
    """Keep the end of a round."""
    unit.connection.execute(insert(_END), {"round": round_, "record": record})


def get(connection: Connection, transfer: str) -> StoredTransfer | None:
    """A transfer by its id."""
    row = connection.execute(_GET, {"id": transfer}).one_or_none()
    return None if row is None else _stored(row)


def known(connection: Connection, bet: str, round_: str) -> Known:
    """What is known of a bet; of one that never came, whether its round ended."""
    found = get(connection, bet)
    taken = found.transfer if found is not None and found.transfer.kind is Kind.BET else None
    reversal = connection.execute(_REVERSAL, {"id": bet}).one_or_none()
    return Known(
        bet=taken,
        rollback=None if reversal is None else _stored(reversal).transfer,
        won=bool(connection.execute(_WON, {"id": bet}).scalar_one()),
        ended=ended(connection, round_ if taken is None else taken.round),
    )


def reversal(connection: Connection, bet: str) -> StoredTransfer | None:
    """The rollback of a bet."""
    row = connection.execute(_REVERSAL, {"id": bet}).one_or_none()
    return None if row is None else _stored(row)


def ended(connection: Connection, round_: str) -> bool:
    """Whether a round is over."""
    return bool(connection.execute(_ENDED, {"round": round_}).scalar_one())


def end_record(connection: Connection, round_: str) -> int | None:
    """The record of the end of a round."""
    return connection.execute(select(_END.c.record).where(_END.c.round == round_)).scalar_one_or_none()


def of_round(connection: Connection, round_: str) -> tuple[StoredTransfer, ...]:
    """Transfers of a round, in the order in which they were carried out."""
    query = select(_TRANSFER).where(_TRANSFER.c.round == round_).order_by(_TRANSFER.c.record, _TRANSFER.c.id)
    return tuple(_stored(row) for row in connection.execute(query))


def open_bets(connection: Connection, round_: str) -> tuple[Transfer, ...]:
    """Bets of a round whose stakes are held, in the order in which they were taken."""
    query = select(_TRANSFER).where(_TRANSFER.c.round == round_, _OPEN).order_by(_TRANSFER.c.record, _TRANSFER.c.id)
    return tuple(_stored(row).transfer for row in connection.execute(query))


def expired(connection: Connection, now_us: int, limit: int) -> tuple[str, ...]:
    """Rounds with open bets, the lease of every one of which ran out, by id."""
    query = (
        select(_TRANSFER.c.round)
        .where(_OPEN)
        .group_by(_TRANSFER.c.round)
        .having(func.max(_TRANSFER.c.lease_us) <= now_us)
        .order_by(_TRANSFER.c.round)
        .limit(limit)
    )
    return tuple(connection.execute(query).scalars())


def held(connection: Connection) -> dict[str, int]:
    """Stakes of open bets by player, minor units."""
    query = select(_TRANSFER.c.player, func.sum(_TRANSFER.c.amount)).where(_OPEN).group_by(_TRANSFER.c.player)
    return {player: int(amount) for player, amount in connection.execute(query)}


def of_records(connection: Connection) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Transfers as they stand, by id, and the round that is over, by the record that made them, in order."""
    found: dict[int, list[dict[str, Any]]] = {}
    for row in connection.execute(select(_TRANSFER)):
        found.setdefault(row.record, []).append(dict(row._mapping))
    for row in connection.execute(select(_END)):
        found.setdefault(row.record, []).append({"round": row.round})
    yield from ((record, _ordered(found[record])) for record in sorted(found))


def said(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the record of a round makes: as `of_records` gives it."""
    event, record = body["event"], body["record"]
    if event in set(Kind):
        sent = Transfer(
            id=body["transaction"],
            kind=Kind(event),
            round=body["round"],
            player=PlayerId(body["player"]),
            amount=body["amount"],
            bet=body["reference"],
        )
        lease = body["lease_us"]
        return [_values(StoredTransfer(transfer=sent, lease_us=lease, wallet_after=body["wallet"], record=record))]
    made = [_values(one) for one in returned(body)] if event == "recovered" else []
    return _ordered([*made, *([{"round": body["round"]}] if event in ("end", "recovered") else ())])


def returned(body: Mapping[str, Any]) -> list[StoredTransfer]:
    """The house's own rollbacks that the record of a recovery makes."""
    return [_returned(one, body["round"], body["record"]) for one in body["bets"]]


def _returned(one: Mapping[str, Any], round_: str, record: int) -> StoredTransfer:
    bet = Transfer(
        id=one["bet"], kind=Kind.BET, round=round_, player=PlayerId(one["player"]), amount=one["amount"], bet=one["bet"]
    )
    return StoredTransfer(transfer=recovery(bet), lease_us=None, wallet_after=one["wallet"], record=record)


def _ordered(made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(made, key=lambda one: ("id" not in one, str(one.get("id"))))


def _stored(row: Row[Any]) -> StoredTransfer:
    transfer = Transfer(
        id=row.id,
        kind=Kind(row.kind),
        round=row.round,
        player=PlayerId(row.player),
        amount=row.amount,
        bet=row.reference or row.reversal_of or row.id,
    )
    return StoredTransfer(transfer=transfer, lease_us=row.lease_us, wallet_after=row.wallet_after, record=row.record)
