"""Limits that a player sets himself: a lower one holds at once, a higher one after cooling off and a second word.

Sums are over gaming days, as the house keeps them: the day, the seven days that end with it, its calendar month. Of
limits that overlap the lowest holds. After the UK Gambling Commission's RTS 12: decreases at once, increases after 24
hours at least.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from house.domain.refusals import Refusal, Refused

COOLING_OFF = timedelta(hours=24)
"""Least time between asking for a raise and its confirmation: elapsed time, whatever clocks do."""


class Measure(StrEnum):
    """What a limit bounds."""

    DEPOSIT = "deposit"  # money taken in for play: buy-ins, drop, markers
    STAKE = "stake"  # gross stakes with their commission, those taken down again too
    LOSS = "loss"  # stakes less what came back; what rides counts as lost


class Span(StrEnum):
    """Gaming days over which a limit holds."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit as it stands.

    Parameters
    ----------
    amount_minor
        In force; None for no limit.
    raised_to_minor, raised_from_us
        A raise that was asked for (None: to no limit), and the time from which it may be confirmed; no time, no raise.
    """

    measure: Measure
    span: Span
    amount_minor: int | None = None
    raised_to_minor: int | None = None
    raised_from_us: int | None = None


@dataclass(frozen=True, slots=True)
class Did:
    """What a player did over some days, minor units; `back` is what games paid into the wallet."""

    deposited: int = 0
    staked: int = 0
    back: int = 0

    def of(self, measure: Measure) -> int:
        """How much of a measure is used up."""
        return {
            Measure.DEPOSIT: self.deposited,
            Measure.STAKE: self.staked,
            Measure.LOSS: max(0, self.staked - self.back),
        }[measure]


def first_day(span: Span, day: date) -> date:
    """First gaming day of the span that ends with a day.

    >>> first_day(Span.WEEK, date(2026, 3, 3)), first_day(Span.MONTH, date(2026, 3, 3))
    (datetime.date(2026, 2, 25), datetime.date(2026, 3, 1))
    """
    return {Span.DAY: day, Span.WEEK: day - timedelta(days=6), Span.MONTH: day.replace(day=1)}[span]


def ask(limit: Limit, wanted: int | None, at_us: int) -> Limit:
    """Set a limit: in force at once where it is the first or no higher, else asked for and cooling off.

    Examples
    --------
    >>> now = ask(Limit(measure=Measure.STAKE, span=Span.DAY, amount_minor=100), 200, at_us=0)
    >>> now.amount_minor, now.raised_to_minor, now.raised_from_us
    (100, 200, 86400000000)
    >>> ask(now, 50, at_us=1).amount_minor
    50
    """
    held = limit.amount_minor
    if held is None or (wanted is not None and wanted <= held):
        return replace(limit, amount_minor=wanted, raised_to_minor=None, raised_from_us=None)
    return replace(limit, raised_to_minor=wanted, raised_from_us=at_us + COOLING_OFF // timedelta(microseconds=1))


def confirm(limit: Limit, at_us: int) -> Limit:
    """Put a raise that was asked for in force. Refused: NOT_FOUND (none was), COOLING_OFF."""
    if limit.raised_from_us is None:
        raise Refused(Refusal.NOT_FOUND, "no raise of this limit was asked for", "measure", limit.measure.value)
    if at_us < limit.raised_from_us:
        when = moment_text(limit.raised_from_us)
        raise Refused(Refusal.COOLING_OFF, f"the raise may be confirmed from {when}", "measure", limit=f"from {when}")
    return replace(limit, amount_minor=limit.raised_to_minor, raised_to_minor=None, raised_from_us=None)


def check(limits: Sequence[Limit], did: Mapping[Span, Did], adds: Did) -> None:
    """Check that what a player is about to do keeps every limit. Refused: PLAYER_LIMIT, by the tightest.

    Parameters
    ----------
    did
        What the player did over each span before.
    adds
        What is added now; measures to which it adds nothing are not checked.
    """
    passed = [
        (one.amount_minor - did[one.span].of(one.measure), one)
        for one in limits
        if one.amount_minor is not None
        and _adds(one.measure, adds)
        and _with(did[one.span], adds).of(one.measure) > one.amount_minor
    ]
    if not passed:
        return
    left, one = min(passed, key=lambda pair: pair[0])
    raised = "" if one.raised_from_us is None else f"; a raise may be confirmed from {moment_text(one.raised_from_us)}"
    message = f"the player's {one.measure} limit of the {one.span} is {one.amount_minor}{raised}"
    value = str(adds.deposited if one.measure is Measure.DEPOSIT else adds.staked)
    raise Refused(Refusal.PLAYER_LIMIT, message, "", value, str(max(0, left)))


def _adds(measure: Measure, adds: Did) -> bool:
    return (adds.deposited if measure is Measure.DEPOSIT else adds.staked) > 0


def _with(did: Did, adds: Did) -> Did:
    return Did(did.deposited + adds.deposited, did.staked + adds.staked, did.back + adds.back)


def moment_text(at_us: int) -> str:
    """A time in UTC to the second, rounded up, so that it is never too early.

    >>> moment_text(86_400_000_001)
    '1970-01-02T00:00:01Z'
    """
    seconds = -(-at_us // 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
