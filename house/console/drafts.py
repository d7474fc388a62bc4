"""Drafts of schedules: the text of a schedule file as the values of form fields, and such fields as a text."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from house.console.session import Posted
from house.domain.refusals import Refusal, Refused
from payouts.hooligan.rules import HooliganKeep, Natural

ROWS = 12
"""Bands that the form of a Hooligan schedule has room for, at most."""
BLANK = 2
"""Empty rows after those that are filled."""
RULES: Mapping[str, tuple[str, ...]] = {
    "natural": tuple(each.value for each in Natural),
    "hooligan_keep": tuple(each.value for each in HooliganKeep),
    "point_must_show": ("false", "true"),
    "may_stop_early": ("false", "true"),
    "throws_per_frame": ("1", "2", "3", "4", "5"),
}
"""Readings of Hooligan's rules and their values, the usual reading first but for the throws."""
LIMITS = ("min", "max", "increment")

Table = dict[str, Any]


def read(text: str) -> Table:
    """Read a draft as a table; {} where it is no TOML.

    >>> read('name = "x"')
    {'name': 'x'}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def write(table: Mapping[str, Any]) -> str:
    """Write a table as the text of a schedule file.

    >>> print(write({"game": "x", "rules": {"n": 3}, "pays": [{"score": [84, 89], "pays": "1.00"}]}), end="")
    game = "x"
    <BLANKLINE>
    [rules]
    n = 3
    <BLANKLINE>
    [[pays]]
    score = [84, 89]
    pays = "1.00"
    """
    plain = {key: value for key, value in table.items() if not _is_part(value)}
    return "\n".join(["".join(_lines(plain)), *_parts(table, "")])


def _is_part(value: object) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and any(isinstance(each, Mapping) for each in value))


def _parts(table: Mapping[str, Any], path: str) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, list) and _is_part(value):
            yield from (f"[[{path}{key}]]\n{''.join(_lines(each))}" for each in value)
        elif isinstance(value, Mapping) and value and all(isinstance(each, Mapping) for each in value.values()):
            yield from _parts(value, f"{path}{key}.")
        elif isinstance(value, Mapping) and (value or path):
            yield f"[{path}{key}]\n{''.join(_lines(value))}"


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    return (f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    bare = key.replace("-", "").replace("_", "")
    return key if bare.isascii() and bare.isalnum() else _text(key)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case Mapping():
            return "{" + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + "}"
    return str(value)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(each if each >= " " and each != "\x7f" else f"\\u{ord(each):04x}" for each in escaped) + '"'


def hooligan_fields(table: Mapping[str, Any]) -> Mapping[str, str]:
    """Values of the fields of a Hooligan schedule."""
    rules = table.get("rules", {}) if isinstance(table.get("rules", {}), Mapping) else {}
    fields = {name: str(table.get(name, "")) for name in ("name", "version", "stake", "notes")}
    fields["trade_cost"] = str(table.get("trade_cost", "1"))
    fields |= {name: _value(rules[name]).strip('"') if name in rules else usual(name) for name in RULES}
    for row, band in enumerate(bands(table)):
        fields |= {f"low.{row}": band[0], f"high.{row}": band[1], f"pays.{row}": band[2]}
    return fields


def usual(name: str) -> str:
    """Give the usual reading of a rule.

    >>> usual("throws_per_frame"), usual("natural")
    ('3', 'automatic')
    """
    return "3" if name == "throws_per_frame" else RULES[name][0]


def bands(table: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Bands of a draft: first score, last score, what they pay."""
    found = []
    pays = table.get("pays", [])
    for band in pays if isinstance(pays, list) else []:
        score = band.get("score", ["", ""]) if isinstance(band, Mapping) else ["", ""]
        low, high = score if isinstance(score, list) and len(score) == 2 else ("", "")
        found.append((str(low), str(high), str(band.get("pays", "")) if isinstance(band, Mapping) else ""))
    return found[:ROWS]


def of_hooligan(base: Mapping[str, Any], form: Posted) -> Table:
    """Put the fields of a form into a schedule; what the file claims of itself is left out. Refused: BAD_VALUE."""
    table = _head(base, form)
    table["stake"] = form.optional("stake")
    table["trade_cost"] = form.optional("trade_cost") or "1"
    table["rules"] = {name: _reading(name, form.optional(name)) for name in RULES}
    rows = [tuple(form.optional(f"{part}.{row}") for part in ("low", "high", "pays")) for row in range(ROWS)]
    table["pays"] = [
        {"score": [_score(low, f"low.{row}"), _score(high, f"high.{row}")], "pays": pays}
        for row, (low, high, pays) in enumerate(rows)
        if low or high or pays
    ]
    return table


def _head(base: Mapping[str, Any], form: Posted) -> Table:
    """The head of a schedule with the form's version, notes and acceptance."""
    table = {key: value for key, value in base.items() if not _is_part(value)}
    table["name"] = form.optional("name") or table.get("name", "")
    table["version"] = form.whole("version")
    if form.optional("notes"):
        table["notes"] = form.optional("notes").replace("\r\n", " ").replace("\n", " ")
    else:
        table.pop("notes", None)
    if form.ticked("player_edge_accepted"):
        table["player_edge_accepted"] = True
    else:
        table.pop("player_edge_accepted", None)
    return table


def _reading(name: str, value: str) -> str | int | bool:
    if value not in RULES[name]:
        return value
    return int(value) if value.isdigit() else value == "true" if value in ("true", "false") else value


def _score(text: str, field: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise Refused(Refusal.BAD_VALUE, f"{field.partition('.')[0]} must be a score", field, text[:20], "0 to 335")
    return int(text)


@dataclass(frozen=True, slots=True)
class BetFields:
    """The fields of one bet: its prices by spot ("" where it has one price), and its limits."""

    bet: str
    prices: tuple[tuple[str, str], ...]
    limits: tuple[tuple[str, str], ...]


def craps_fields(table: Mapping[str, Any]) -> list[BetFields]:
    """Fields of every bet of a craps schedule, in the order of its file."""
    found = []
    for bet, terms in _tables(table.get("bets")):
        pays, limits = terms.get("pays", {}), terms.get("limits", {})
        prices = tuple((str(spot), str(price)) for spot, price in pays.items()) if isinstance(pays, Mapping) else None
        limits = limits if isinstance(limits, Mapping) else {}
        found.append(
            BetFields(
                bet,
                (("", str(pays)),) if prices is None else prices,
                tuple((name, str(limits.get(name, ""))) for name in LIMITS),
            )
        )
    return found


def odds_limits(table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How many times the flat bet the odds may be, by point."""
    limits = dict(_tables({"table": table.get("table")})).get("table", {}).get("odds_limit", {})
    return [(str(point), str(times)) for point, times in limits.items()] if isinstance(limits, Mapping) else []


def of_craps(base: Mapping[str, Any], form: Posted) -> Table:
    """Put the fields of a form into a schedule; what the file claims of itself is left out. Refused: BAD_VALUE."""
    table = _head(base, form)
    terms = dict(_tables({"table": base.get("table")})).get("table", {})
    limits = {
        point: form.whole(f"odds.{point}") if form.optional(f"odds.{point}") else 0 for point, _ in odds_limits(base)
    }
    table["table"] = terms | ({"odds_limit": limits} if limits else {})
    table["bets"] = {
        each.bet: _bet(dict(_tables(base.get("bets")))[each.bet], each, form)
        for each in craps_fields(base)
        if form.ticked(f"offer.{each.bet}")
    }
    return table


def _bet(terms: Table, fields: BetFields, form: Posted) -> Table:
    changed = dict(terms)
    prices = {spot: form.optional(f"pays.{fields.bet}.{spot}") for spot, _ in fields.prices}
    if "pays" in terms:
        changed["pays"] = prices if isinstance(terms["pays"], Mapping) else prices[""]
    limits = {name: form.optional(f"{name}.{fields.bet}") or before for name, before in fields.limits}
    changed["limits"] = dict(terms.get("limits", {})) | {name: value for name, value in limits.items() if value}
    return changed


def _tables(value: object) -> Iterator[tuple[str, Table]]:
    """The tables of a table by name, whatever else it may be."""
    if isinstance(value, Mapping):
        yield from ((str(name), dict(each)) for name, each in value.items() if isinstance(each, Mapping))
