"""One step of a game, whatever the game: play it, write it into the history, book what it moved, keep the state."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from house.domain.ids import TableId
from house.domain.ledger import FLOWS, TRADE_FLOWS, Entry, EntryKind, places, postings
from house.domain.refusals import Refusal, Refused
from house.engines.protocol import Movement, Played, Result
from house.service import schedules
from house.service.course import made_under
from house.service.desk import House, Work
from house.service.games import GAMES, Load, Operation
from house.service.solvency import check_exposure
from house.store import ledger, records, settlements
from house.store import tables as store
from house.store.ledger import Booking
from house.store.records import canonical
from house.store.settlements import AMOUNTS, FIELDS, Settlement
from house.store.tables import StoredTable

ENTRY_KINDS = {
    Result.STAKED: EntryKind.BET_PLACED,
    Result.WON: EntryKind.BET_SETTLE_WIN,
    Result.LOST: EntryKind.BET_SETTLE_LOSS,
    Result.TIED: EntryKind.BET_SETTLE_TIE,
    Result.RETURNED: EntryKind.BET_RETURNED,
}


@dataclass(frozen=True, slots=True)
class Step:
    """What an operation did: its record, the engine's answer and the table as it is now kept."""

    record: int
    played: Played[Any]
    table: StoredTable
    state: Mapping[str, Any]


def known_table(connection: Connection, table_id: str) -> StoredTable:
    """Find a table. Refused: NOT_FOUND."""
    table = store.get(connection, table_id)
    if table is None:
        raise Refused(Refusal.NOT_FOUND, "no table with this id is known", "table", table_id[:64])
    return table


def open_table(connection: Connection, table_id: str, game: str | None = None) -> StoredTable:
    """Find an open table, of one game if that is asked. Refused: NOT_FOUND, TABLE_CLOSED, WRONG_GAME."""
    table = known_table(connection, table_id)
    if not table.open:
        raise Refused(Refusal.TABLE_CLOSED, "the table is closed", "table", table_id)
    if game not in (None, table.game):
        raise Refused(Refusal.WRONG_GAME, f"the table plays {table.game}", "table", table_id, table.game)
    return table


def loader(house: House, connection: Connection) -> Load:
    """Let engines ask for schedules by fingerprint."""
    return lambda fingerprint: schedules.of(house, connection, fingerprint)


def state_of(table: StoredTable) -> Any:
    """The engine's state of a table."""
    return GAMES[table.game].read(json.loads(table.state))


def in_round(table: StoredTable) -> StoredTable:
    """The table with a round begun, if none is in progress."""
    if table.round:
        return table
    return replace(table, round=f"{table.id}-r{table.rounds}", rounds=table.rounds + 1)


def play(
    work: Work,
    table: StoredTable,
    kind: str,
    operation: Operation,
    noted: Mapping[str, Any] | None = None,
    *,
    field: str = "",
) -> Step:
    """Play an operation at a table and keep everything that it does.

    Parameters
    ----------
    table
        As the command changed it: the state before the operation, rounds, counts and numbers as they shall be kept.
    kind
        Kind of the record, which holds the operation and what is `noted` besides.
    field
        Field of the command that a refusal for want of money names.

    Raises
    ------
    Refused
        By the engine, EXPOSURE_LIMIT (a stake that the house's own money does not cover), or INSUFFICIENT_FUNDS.
    """
    game = GAMES[table.game]
    before = state_of(table)
    load = loader(work.house, work.connection)
    played = game.play(before, table.fingerprint, load, operation)
    exposure = game.exposure(played.state, table.fingerprint, load)
    if any(movement.result is Result.STAKED for movement in played.movements):
        check_exposure(work.connection, table.id, table.exposure, exposure, field)
    under = dict.fromkeys((one.wager for one in played.movements), table.fingerprint) | made_under(game, before)
    moves = moves_of(played.movements, under, TableId(table.id), goods(work))
    record = record_moves(work, table, kind, {**operation, **(noted or {})}, moves, field=field)
    state = played.state.to_json()
    kept = replace(
        table,
        state=canonical(state),
        riding=sum(wager.stake_minor for wager in game.riding(played.state)),
        exposure=exposure,
        round="" if game.round_over(operation, played.state) else table.round,
    )
    store.save(work.unit, kept)
    return Step(record, played, kept, state)


@dataclass(frozen=True, slots=True)
class Move:
    """A movement, the schedule under which its wager was made, and its entry; None where no money moves."""

    fingerprint: str
    movement: Movement
    entry: Entry | None


def moves_of(
    movements: Sequence[Movement], under: Mapping[str, str], table: TableId, goods: Callable[[str], bool]
) -> tuple[Move, ...]:
    """Say how movements at a table are booked.

    Parameters
    ----------
    under
        Fingerprint of the schedule under which each wager was made.
    goods
        Whether the schedule with a fingerprint pays in trade.
    """
    return tuple(
        Move(under[movement.wager], movement, entry_of(movement, table, goods(under[movement.wager])))
        for movement in movements
    )


def record_moves(
    work: Work,
    table: StoredTable,
    kind: str,
    body: Mapping[str, Any],
    moves: Sequence[Move],
    *,
    before: Sequence[Booking] = (),
    after: Sequence[Booking] = (),
    field: str = "",
) -> int:
    """Write a record with its movements and their entries, one each where money moves, and make them.

    Parameters
    ----------
    before, after
        Entries that the record makes before and after those of its movements.
    """
    bookings = [
        Booking(move.entry, table.id, table.round, move.movement.wager) for move in moves if move.entry is not None
    ]
    numbered = ledger.numbered(work.unit, [*before, *bookings, *after])
    seqs = (one.seq for one in numbered[len(before) :])
    kept = [
        Settlement(move.fingerprint, None if move.entry is None else next(seqs), fields_of(move.movement))
        for move in moves
    ]
    done = {**ledger.noted(numbered), **settlements.noted(kept)}
    record = records.append(work.unit, kind, table.id, {**body, **done})
    ledger.post(work.unit, record, numbered, field)
    settlements.add(work.unit, table.id, record, kept)
    return record


def goods(work: Work) -> Callable[[str], bool]:
    """Tell of a schedule by its fingerprint whether it pays in trade."""
    return lambda fingerprint: pays_in_trade(work.house, work.connection, fingerprint)


def pays_in_trade(house: House, connection: Connection, fingerprint: str) -> bool:
    """Tell whether a schedule pays in goods."""
    return schedules.pays_goods(schedules.of(house, connection, fingerprint))


def entry_of(movement: Movement, table: TableId, in_trade: bool) -> Entry | None:
    """The ledger entry of a movement; None where no money moves."""
    staking = movement.result is Result.STAKED
    accounts = places(movement.player, table, toke=movement.toke, in_trade=in_trade, staking=staking)
    amounts = {name: getattr(movement, name) for name in AMOUNTS}
    lines = postings(amounts, accounts, TRADE_FLOWS if in_trade else FLOWS)
    return Entry(ENTRY_KINDS[movement.result], lines) if lines else None


def fields_of(movement: Movement) -> dict[str, Any]:
    """A movement as it is kept."""
    return {name: getattr(movement, name) for name in FIELDS} | {"result": movement.result.value}
