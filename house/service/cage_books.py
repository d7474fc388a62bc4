"""Slips, shifts, limits, exclusions and credit lines as the records tell of them, held against their rows."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection

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
