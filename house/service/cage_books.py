"""Slips, shifts, limits, exclusions and credit lines as the records tell of them, held against their rows."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from house.service.pieces import Pairs
from house.store import limits, records, sheets, slips
from house.store.checks import Discrepancy

Body = dict[str, Any]

AS_RECORDED = "limits, exclusions and credit lines are as they were recorded"


def _slips(body: Body) -> list[Any]:
    if body["kind"] != "slip":
        return []
    who = {name: body[name] for name in ("by", "second", "at_us")}
    if body["event"] == "slip_void":
        return [{"kind": body["slip_kind"], "number": body["slip"], "reason": body["reason"], **who}]
    slip = {"kind": body["event"], "number": body["slip"], "table_id": body["table"], "amount": body["amount"]}
    chips = records.canonical(body["denominations"])
    return [{**slip, "denominations": chips, "gaming_day": body["gaming_day"], **who}]


def _shifts(body: Body) -> list[Any]:
    if body["kind"] != "shift":
        return []
    names = ("name", "end_entry", "gaming_day", "at_us")
    return [{"number": body["shift"], "counts": sorted(body["counts"]), **{name: body[name] for name in names}}]


BOOKS: Mapping[str, tuple[Callable[[Connection], Iterator[tuple[int, list[Any]]]], Callable[[Body], list[Any]]]] = {
    "slips": (slips.of_records, _slips),
    "shifts": (sheets.of_records, _shifts),
}
"""Books of the cage: how their lines are read by record, and what a record says that they hold."""


@dataclass(slots=True)
class Numbered:
    """Slips and shifts, as the records so far number them: slips of each kind from 1, over all tables, and shifts."""

    slips: dict[tuple[str, int], Body] = field(default_factory=dict)
    """Records of the slips that stand."""
    last: Counter[str] = field(default_factory=Counter)
    """The number given last, by kind of slip, and of shifts."""

    def follow(self, body: Body) -> Pairs:
        """Follow a record, and pair what it says with what those before it bear out."""
        what = _NUMBERED.get(body["kind"])
        return [] if what is None else what(self, body)

    def slip(self, body: Body) -> Pairs:
        """Number a slip, or take one that stands for void."""
        if body["event"] == "slip_void":
            names = ("table", "amount")
            stands = self.slips.pop((body["slip_kind"], body["slip"]), None)
            due = "none stands" if stands is None else {name: stands[name] for name in names}
            return [("what is voided is a slip that stands", {name: body[name] for name in names}, due)]
        self.slips[body["event"], body["slip"]] = body
        return [("slips of a kind are numbered without a gap", *self._next(body["event"], body["slip"]))]

    def shift(self, body: Body) -> Pairs:
        """Number a shift."""
        return [("shifts are numbered without a gap and follow one another", *self._next("shift", body["shift"]))]

    def _next(self, what: str, number: int) -> tuple[int, int]:
        """The number that a paper has, and the one that is its turn."""
        due, self.last[what] = self.last[what] + 1, number
        return number, due


_NUMBERED: Mapping[str, Callable[[Numbered, Body], Pairs]] = {"slip": Numbered.slip, "shift": Numbered.shift}


def breaches(connection: Connection) -> Iterator[Discrepancy]:
    """Find what players are bound to, and is not as the records say: their own limits, exclusions, credit lines."""
    due: dict[str, Any] = {}
    for body in records.of_kind(connection, "limit_change"):
        where, stands = _STANDS[body["event"]](body)
        due[where] = stands
    found: dict[str, Any] = {
        f"limit of {'/'.join(place)}": stands for place, stands in limits.every(connection).items()
    }
    found |= {f"exclusion of {player}": (until,) for player, until in limits.exclusions(connection).items()}
    found |= {f"credit line of {player}": amount for player, amount in slips.credit_lines(connection).items()}
    for where in sorted(due.keys() | found.keys()):
        if due.get(where) != found.get(where):
            yield Discrepancy(invariant=AS_RECORDED, where=where, found=str(found.get(where)), due=str(due.get(where)))


def _limit(body: Body) -> tuple[str, Any]:
    place = "/".join(body[name] for name in ("player", "measure", "span"))
    return f"limit of {place}", (body["amount"], body["raised_to"], body["raised_from_us"])


_STANDS: Mapping[str, Callable[[Body], tuple[str, Any]]] = {
    "limit_asked": _limit,
    "limit_confirmed": _limit,
    "excluded": lambda body: (f"exclusion of {body['player']}", (body["until_us"],)),
    "readmitted": lambda body: (f"exclusion of {body['player']}", None),
    "credit_line": lambda body: (f"credit line of {body['player']}", body["line"]),
}
"""What each record leaves standing, and where; None for nothing."""
