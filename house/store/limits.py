"""What players did on each gaming day, counted as their entries are made, and the limits that hold for it."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from sqlalchemy import BigInteger, Connection, String, delete, insert, select, text

from house.domain.ledger import Entry, EntryKind
from house.domain.limits import Did, Limit, Measure, Span, check, first_day
from house.domain.refusals import Refusal, Refused
from house.store import rows
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit

_DAY = rows.table(rows.PlayerDayRow)
_LIMIT = rows.table(rows.PlayerLimitRow)
_EXCLUSION = rows.table(rows.ExclusionRow)

DEPOSITS = frozenset({EntryKind.BUY_IN, EntryKind.DROP, EntryKind.MARKER})
STAKES = frozenset({EntryKind.BET_PLACED, EntryKind.ROUND_BET})
BACK = frozenset(
    {
        EntryKind.BET_SETTLE_WIN,
        EntryKind.BET_SETTLE_LOSS,
        EntryKind.BET_SETTLE_TIE,
        EntryKind.BET_RETURNED,
        EntryKind.ROUND_WIN,
        EntryKind.ROUND_ROLLBACK,
        EntryKind.CORRECTION,
        EntryKind.ADJUSTMENT,
    }
)
"""Kinds of entries that count, by what their line on a wallet is; `checks` derives the same sums again."""

_ADD = Prepared(
    text("""
    INSERT INTO player_day (player, gaming_day, deposited, staked, back)
    VALUES (:player, :gaming_day, :deposited, :staked, :back)
    ON CONFLICT (player, gaming_day) DO UPDATE SET
        deposited = player_day.deposited + excluded.deposited,
        staked = player_day.staked + excluded.staked,
        back = player_day.back + excluded.back
""")
)
_HELD = Prepared(
    text("""
    SELECT measure, span, amount, raised_to, raised_from_us
    FROM player_limit
    WHERE player = :player AND amount IS NOT NULL
    UNION ALL
    SELECT '', '', NULL, NULL, until_us
    FROM exclusion
    WHERE player = :player
""").columns(measure=String, span=String, amount=BigInteger, raised_to=BigInteger, raised_from_us=BigInteger)
)


def count(unit: Unit, entries: Iterable[Entry], field: str) -> None:
    """Count what entries do to wallets, and hold it against the players' limits.

    Refused: PLAYER_EXCLUDED, PLAYER_LIMIT; never what a game pays back.
    """
    added = _added(entries)
    if not added:
        return
    asked = {player: did for player, did in added.items() if did.deposited > 0 or did.staked > 0}
    if asked:
        _check(unit, asked, field)
    values = [
        {"player": player, "gaming_day": unit.gaming_day, "deposited": did.deposited, "staked": did.staked,
         "back": did.back}
        for player, did in sorted(added.items())
    ]  # fmt: skip
    _ADD.write(unit.connection, *values)


def _added(entries: Iterable[Entry]) -> dict[str, Did]:
    added: dict[str, Did] = {}
    for entry in entries:
        deposit, stake, back = entry.kind in DEPOSITS, entry.kind in STAKES, entry.kind in BACK
        if not (deposit or stake or back):
            continue
        for line in entry.postings:
            if line.account.endswith(":wallet"):
                player, paid = line.account[len("player:") : -len(":wallet")], -line.amount
                did = added.get(player, Did())
                added[player] = Did(did.deposited + deposit * paid, did.staked - stake * paid, did.back + back * paid)
    return added


def _check(unit: Unit, asked: dict[str, Did], field: str) -> None:
    for player, adds in asked.items():
        held = _HELD.rows(unit.connection, {"player": player})
        if not all(row.measure for row in held):
            raise Refused(Refusal.PLAYER_EXCLUDED, "the player is excluded from play", field, player)
        if not held:
            continue
        did = spans(unit.connection, player, date.fromisoformat(unit.gaming_day))
        try:
            check([_limit(row) for row in held], did, adds)
        except Refused as no:
            raise Refused(no.refusal, no.message, field, no.value, no.limit) from None


def spans(connection: Connection, player: str, day: date) -> dict[Span, Did]:
    """What a player did over each span that ends with a gaming day."""
    first = {span: first_day(span, day).isoformat() for span in Span}
    query = select(_DAY).where(_DAY.c.player == player, _DAY.c.gaming_day >= min(first.values()))
    days = connection.execute(query.where(_DAY.c.gaming_day <= day.isoformat())).all()
    sums = {span: [one for one in days if one.gaming_day >= first[span]] for span in Span}
    return {
        span: Did(sum(d.deposited for d in of), sum(d.staked for d in of), sum(d.back for d in of))
        for span, of in sums.items()
    }


def limits(connection: Connection, player: str) -> tuple[Limit, ...]:
    """Limits of a player, in force or asked for."""
    query = select(_LIMIT).where(_LIMIT.c.player == player).order_by(_LIMIT.c.measure, _LIMIT.c.span)
    return tuple(_limit(row) for row in connection.execute(query))


def _limit(row: Any) -> Limit:
    return Limit(
        measure=Measure(row.measure),
        span=Span(row.span),
        amount_minor=row.amount,
        raised_to_minor=row.raised_to,
        raised_from_us=row.raised_from_us,
    )


def get(connection: Connection, player: str, measure: Measure, span: Span) -> Limit:
    """One limit of a player; without an amount where none was set."""
    found: Sequence[Limit] = [one for one in limits(connection, player) if (one.measure, one.span) == (measure, span)]
    return found[0] if found else Limit(measure=measure, span=span)


def every(connection: Connection) -> dict[tuple[str, str, str], tuple[int | None, int | None, int | None]]:
    """All limits by player, measure and span: in force, raised to, and raised from (microseconds since 1970)."""
    return {
        (row.player, row.measure, row.span): (row.amount, row.raised_to, row.raised_from_us)
        for row in connection.execute(select(_LIMIT))
    }


def exclusions(connection: Connection) -> dict[str, int | None]:
    """Until when each excluded player is so, microseconds since 1970; None for ever."""
    return {row.player: row.until_us for row in connection.execute(select(_EXCLUSION))}


def keep(unit: Unit, player: str, limit: Limit) -> None:
    """Keep a limit in place of the one that was."""
    place = (_LIMIT.c.player == player, _LIMIT.c.measure == limit.measure.value, _LIMIT.c.span == limit.span.value)
    unit.connection.execute(delete(_LIMIT).where(*place))
    values = {
        "player": player,
        "measure": limit.measure.value,
        "span": limit.span.value,
        "amount": limit.amount_minor,
        "raised_to": limit.raised_to_minor,
        "raised_from_us": limit.raised_from_us,
    }
    unit.connection.execute(insert(_LIMIT), values)


def excluded(connection: Connection, player: str) -> tuple[bool, int | None]:
    """Whether a player is excluded, and until when in microseconds since 1970; None for ever."""
    row = connection.execute(select(_EXCLUSION).where(_EXCLUSION.c.player == player)).one_or_none()
    return (False, None) if row is None else (True, row.until_us)


def exclude(unit: Unit, player: str, until_us: int | None) -> None:
    """Exclude a player until a moment, or for ever."""
    readmit(unit, player)
    unit.connection.execute(insert(_EXCLUSION), {"player": player, "until_us": until_us})


def readmit(unit: Unit, player: str) -> None:
    """Let a player play again."""
    unit.connection.execute(delete(_EXCLUSION).where(_EXCLUSION.c.player == player))
