"""Players' own limits and self-exclusion; they hold in the write of every bet and buy-in (`store/limits.py`)."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

from sqlalchemy import Connection

from house.domain.limits import Limit, Measure, Span, ask, confirm, moment_text
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.cage import check_amount, known_player
from house.service.desk import Command, House, Work
from house.store import limits as store
from house.store import records

LONGEST_DAYS = 36_500


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitView:
    """A limit and how much of it is used: over the gaming day, the seven days up to it, its calendar month.

    Parameters
    ----------
    amount_minor
        In force; None for no limit.
    raise_pending, raised_to_minor, raised_from
        Whether a raise was asked for, to what (None: to no limit), and from when, in UTC, it may be confirmed.
    """

    measure: Measure
    span: Span
    amount_minor: int | None
    used_minor: int
    raise_pending: bool
    raised_to_minor: int | None
    raised_from: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLimits:
    """A player's limits, and whether he is excluded; `excluded_until` is None for ever."""

    player: str
    limits: tuple[LimitView, ...]
    excluded: bool
    excluded_until: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLimit(Command[PlayerLimits]):
    """Set a player's limit: the first and a lower one at once, a higher one or none after 24 hours, confirmed.

    Refused: BAD_VALUE, NOT_FOUND.
    """

    scope: ClassVar[Scope] = Scope.LIMITS_WRITE
    player: str
    measure: Measure
    span: Span
    amount_minor: int | None

    def run(self, work: Work) -> PlayerLimits:
        """Note what was asked for and keep what holds."""
        player = known_player(work.connection, self.player)
        if self.amount_minor is not None:
            check_amount(self.amount_minor, "amount_minor", least=0)
        before = store.get(work.connection, player, self.measure, self.span)
        _change(work, player, "limit_asked", before, ask(before, self.amount_minor, work.unit.at_us))
        return _limits(work.connection, player, work.unit.gaming_day)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmLimit(Command[PlayerLimits]):
    """Confirm a raise that has cooled off. Refused: NOT_FOUND (player, or no raise), COOLING_OFF."""

    scope: ClassVar[Scope] = Scope.LIMITS_WRITE
    player: str
    measure: Measure
    span: Span

    def run(self, work: Work) -> PlayerLimits:
        """Put the raise in force."""
        player = known_player(work.connection, self.player)
        before = store.get(work.connection, player, self.measure, self.span)
        _change(work, player, "limit_confirmed", before, confirm(before, work.unit.at_us))
        return _limits(work.connection, player, work.unit.gaming_day)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludePlayer(Command[PlayerLimits]):
    """Keep a player from bets and buy-ins for some days, or for ever; what rides is played out and paid.

    An exclusion is never shortened. Refused: BAD_VALUE, NOT_FOUND.
    """

    scope: ClassVar[Scope] = Scope.LIMITS_WRITE
    player: str
    days: int | None

    def run(self, work: Work) -> PlayerLimits:
        """Note it and keep the later end."""
        player = known_player(work.connection, self.player)
        if self.days is not None and not 1 <= self.days <= LONGEST_DAYS:
            limit = f"a whole number from 1 to {LONGEST_DAYS}"
            raise Refused(Refusal.BAD_VALUE, f"days must be {limit}", "days", str(self.days)[:40], limit)
        already, until = store.excluded(work.connection, player)
        new = None if self.days is None else work.unit.at_us + timedelta(days=self.days) // timedelta(microseconds=1)
        if already:
            new = None if None in (until, new) else max(until or 0, new or 0)
        records.append(work.unit, "limit_change", None, {"event": "excluded", "player": player, "until_us": new})
        store.exclude(work.unit, player, new)
        return _limits(work.connection, player, work.unit.gaming_day)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadmitPlayer(Command[PlayerLimits]):
    """Let a player play again after his exclusion; two people. Refused: NOT_FOUND, COOLING_OFF (it is not over)."""

    scope: ClassVar[Scope] = Scope.LIMITS_WRITE
    approval: ClassVar[Scope | None] = Scope.LIMITS_WRITE
    player: str

    def run(self, work: Work) -> PlayerLimits:
        """Note it and end the exclusion."""
        player = known_player(work.connection, self.player)
        already, until = store.excluded(work.connection, player)
        if not already:
            raise Refused(Refusal.NOT_FOUND, "the player is not excluded", "player", player)
        if until is None or work.unit.at_us < until:
            when = "never" if until is None else f"from {moment_text(until)}"
            raise Refused(Refusal.COOLING_OFF, f"the player may be readmitted {when}", "player", player, when)
        records.append(work.unit, "limit_change", None, {"event": "readmitted", "player": player})
        store.readmit(work.unit, player)
        return _limits(work.connection, player, work.unit.gaming_day)


def _change(work: Work, player: str, event: str, before: Limit, after: Limit) -> None:
    """Note a change of a limit and keep it."""
    noted = {
        "event": event,
        "player": player,
        "measure": after.measure.value,
        "span": after.span.value,
        "before": before.amount_minor,
        "amount": after.amount_minor,
        "raised_to": after.raised_to_minor,
        "raised_from_us": after.raised_from_us,
    }
    records.append(work.unit, "limit_change", None, noted)
    store.keep(work.unit, player, after)


def limits(house: House, player: str) -> PlayerLimits:
    """Return a player's limits as of the gaming day that it is. Refused: NOT_FOUND."""
    with house.read() as connection:
        return _limits(connection, known_player(connection, player), house.gaming_day())


def _limits(connection: Connection, player: str, gaming_day: str) -> PlayerLimits:
    did = store.spans(connection, player, date.fromisoformat(gaming_day))
    excluded, until = store.excluded(connection, player)
    return PlayerLimits(
        player=player,
        limits=tuple(
            LimitView(
                measure=one.measure,
                span=one.span,
                amount_minor=one.amount_minor,
                used_minor=did[one.span].of(one.measure),
                raise_pending=one.raised_from_us is not None,
                raised_to_minor=one.raised_to_minor,
                raised_from=None if one.raised_from_us is None else moment_text(one.raised_from_us),
            )
            for one in store.limits(connection, player)
        ),
        excluded=excluded,
        excluded_until=None if until is None else moment_text(until),
    )
