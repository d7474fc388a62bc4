"""What payout schedules of every game have in common: the head of the file, the canonical form, the fingerprint."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from payouts.currency import DECIMALS, money_text
from payouts.reading import Percentage, Section

Canonical = str | int | bool | list["Canonical"] | dict[str, "Canonical"] | None
"""A value of the canonical form: text, whole numbers, truth values and what is built of them."""


class Game(StrEnum):
    """Games that have schedules."""

    CRAPS = "craps"
    HOOLIGAN = "hooligan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The head of a schedule file.

    Parameters
    ----------
    version
        From 1; a bet is settled by the version under which it was made.
    effective_from
        Gaming day from which the version holds, None for at once.
    decimals
        Decimals of the currency's minor unit.
    declared
        Percentages that the file claims, by dotted name ("pass", "place.6", "optimal").
    player_edge_accepted
        Whether the guard only warns, for the whole file.
    """

    game: Game
    name: str
    version: int
    currency: str
    decimals: int
    effective_from: date | None = None
    notes: str = ""
    player_edge_accepted: bool = False
    declared: Mapping[str, Percentage]

    def money(self, minor: int) -> str:
        """Write an amount for people, "15.00 USD"."""
        return f"{money_text(minor, self.decimals)} {self.currency}"

    def canonical(self) -> dict[str, Canonical]:
        """Everything of the head that matters to a player: notes and claims do not."""
        return {
            "game": self.game.value,
            "name": self.name,
            "version": self.version,
            "currency": self.currency,
            "effective_from": self.effective_from.isoformat() if self.effective_from else None,
        }


def read_header(root: Section) -> Header:
    """Read the common keys of a schedule file; faults are noted in `root`."""
    currency = root.text("currency")
    if currency not in DECIMALS:
        root.fault("currency", 'a currency of ISO 4217 like "USD"')
    return Header(
        game=root.choice("game", Game),
        name=root.text("name", pattern="[a-z0-9][a-z0-9-]{0,63}", bound="lower-case letters, digits and hyphens"),
        version=root.integer("version", 1, 10**9),
        currency=currency,
        decimals=DECIMALS.get(currency, 2),
        effective_from=root.day("effective_from") if root.has("effective_from") else None,
        notes=root.text("notes", default="", pattern=".{0,4000}", bound="text of at most 4000 characters"),
        player_edge_accepted=root.boolean("player_edge_accepted", default=False),
        declared=_declared(root.section("declared")),
    )


def _declared(section: Section, prefix: str = "") -> dict[str, Percentage]:
    claims: dict[str, Percentage] = {}
    for key in section.keys:
        if isinstance(section.raw(key), dict):
            claims.update(_declared(section.section(key), f"{prefix}{key}."))
        elif (claim := section.percentage(key)) is not None:
            claims[prefix + key] = claim
    return claims


def canonical_bytes(value: Canonical) -> bytes:
    """Write a canonical value as JSON: sorted keys, no spaces, ASCII, no floats.

    >>> canonical_bytes({"b": 1, "a": ["x"]})
    b'{"a":["x"],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")


def fingerprint(value: Canonical) -> str:
    """SHA-256 of the canonical bytes, 64 hexadecimal digits."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()
