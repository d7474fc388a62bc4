"""A second craps table, written from the rules alone: it replays bets and throws and recomputes every payment.

It imports nothing of ours and shares no idea with the engine: no machines, no legs. Each bet is asked,
by its name, what a throw does to it. Prices come from the plain dictionary of a schedule's TOML file.

Money is in minor units. Sources: rules/craps.md (bets and options), and the layout's printed prices in the schedule.
"""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

ONE_NUMBER = {
    "any_seven": {7},
    "any_craps": {2, 3, 12},
    "aces": {2},
    "ace_deuce": {3},
    "yo": {11},
    "boxcars": {12},
}
SPLIT = {
    "hi_lo": ("2", "12"),
    "c_and_e": ("craps", "11"),
    "horn": ("2", "3", "11", "12"),
    "horn_high": ("2", "3", "11", "12"),
    "whirl": ("2", "3", "7", "11", "12"),
    "three_way": ("2", "3", "12"),
    "hop_sevens": ("1-6", "2-5", "3-4"),
}
"""Bets on one throw whose stake is divided over parts, each at its own price, unless the layout prints one price."""
GATHERED = {"small": {2, 3, 4, 5, 6}, "tall": {8, 9, 10, 11, 12}, "all": {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}}
COME_OUT_WORDS = {
    "place": "place",
    "buy": "buy",
    "hardway": "hardway",
    "odds": "come_odds",
    "lay": "lay",
    "place_to_lose": "place_to_lose",
}
ON_UNLESS_SAID = {"lay", "place_to_lose"}
STAYERS = {"place", "buy", "lay", "hardway", "place_to_lose"}


@dataclass
class Paid:
    """What a throw did to one bet; minor units."""

    returned: int = 0
    lost: int = 0
    winnings: int = 0
    commission: int = 0
    commission_back: int = 0
    breakage: int = 0


@dataclass
class Riding:
    """A bet on the layout.

    `number` is where a line or come bet stands, 0 before it has a point; `seen` is what a bet over a hand has gathered.
    """

    name: str
    spot: str
    stake: int
    parent: str | None = None
    number: int = 0
    called: bool | None = None
    commission: int = 0
    seen: set[int] = field(default_factory=set)


@dataclass
class Oracle:
    """A table under one schedule, given as the dictionary of its TOML file; `decimals` of its currency."""

    schedule: dict[str, Any]
    decimals: int = 2
    point: int = 0
    riding: dict[str, Riding] = field(default_factory=dict)

    def bet(self, key: str, name: str, spot: str, stake: int, parent: str | None = None) -> int:
        """Put a bet on the layout: the commission laid down with it. Whether it may be made is not asked here."""
        number = int(spot) if name == "put" else 0
        bet = Riding(name, spot, stake, parent, number)
        self.riding[key] = bet
        return self.restake(key, stake)

    def restake(self, key: str, stake: int) -> int:
        """Change what rides on a bet: what must be laid down as commission more than before, less than 0 if less."""
        bet = self.riding[key]
        before, bet.stake = bet.commission, stake
        if self.terms(bet, "up_front"):
            won = int(stake * self.price(bet, bet.spot) / self.chip()) * self.chip()
            bet.commission = self.commission(bet, won)
        return bet.commission - before

    def take_down(self, key: str) -> dict[str, Paid]:
        """Take a bet down, and the odds behind it."""
        gone = [key, *(other for other, bet in self.riding.items() if bet.parent == key)]
        down = {one: self.riding.pop(one) for one in gone}
        return {one: Paid(returned=bet.stake, commission_back=bet.commission) for one, bet in down.items()}

    def call(self, key: str, working: bool | None) -> None:
        """Call a bet working or off until the puck moves."""
        self.riding[key].called = working

    def throw(self, first: int, second: int) -> dict[str, Paid]:
        """Throw two dice; what happened to every bet that was decided."""
        paid: dict[str, Paid] = {}
        for key, bet in list(self.riding.items()):
            if self.works(bet):
                what = self.decide(bet, first, second)
                if what is not None:
                    paid[key] = what
                    if what.returned or what.lost:
                        del self.riding[key]
        for key, bet in list(self.riding.items()):
            if bet.parent is not None and bet.parent not in self.riding:
                paid[key] = Paid(returned=bet.stake)
                del self.riding[key]
        self.move_puck(first + second)
        return paid

    def move_puck(self, total: int) -> None:
        """Set the puck on a new point, or take it off; calls are forgotten when it moves."""
        before = self.point
        if before == 0 and total in self.schedule["table"]["points"]:
            self.point = total
        elif before and total in (before, 7):
            self.point = 0
        if self.point != before:
            for bet in self.riding.values():
                bet.called = None

    def works(self, bet: Riding) -> bool:
        """Whether a bet takes part in the next throw."""
        if bet.called is not None:
            return bet.called
        if self.point or bet.name not in COME_OUT_WORDS:
            return True
        unless_said = "on" if bet.name in ON_UNLESS_SAID else "off"
        said = self.schedule["table"].get("come_out", {}).get(COME_OUT_WORDS[bet.name], unless_said)
        return bool(said == "on")

    def decide(self, bet: Riding, first: int, second: int) -> Paid | None:
        """What a throw does to a working bet; None: it rides on."""
        total = first + second
        if bet.name in ("pass", "come", "put"):
            return self.right(bet, total)
        if bet.name in ("dont_pass", "dont_come"):
            return self.wrong(bet, first, second)
        if bet.name in ("odds", "place", "buy", "big"):
            return self.race(bet, total == int(bet.spot), total == 7)
        if bet.name in ("lay_odds", "lay", "place_to_lose"):
            return self.race(bet, total == 7, total == int(bet.spot))
        if bet.name == "hardway":
            hit = total == int(bet.spot)
            return self.race(bet, hit and first == second, total == 7 or (hit and first != second))
        if bet.name in GATHERED:
            return self.gather(bet, total)
        if bet.name == "fire":
            return self.fire(bet, total)
        return self.one_throw(bet, first, second)

    def right(self, bet: Riding, total: int) -> Paid | None:
        """Betting right: pass, come, put."""
        if bet.number:
            return self.race(bet, total == bet.number, total == 7)
        points = self.schedule["table"]["points"]
        if total in points:
            bet.number = total
            return None
        return self.win(bet, self.price(bet, "")) if total in (7, 11) else Paid(lost=bet.stake)

    def wrong(self, bet: Riding, first: int, second: int) -> Paid | None:
        """Betting wrong: don't pass and don't come, with the barred throw."""
        total = first + second
        if bet.number:
            return self.race(bet, total == 7, total == bet.number)
        if total in (7, 11):
            return Paid(lost=bet.stake)
        if total in (2, 3, 12):
            barred = {"12": total == 12, "2": total == 2, "1-2": total == 3}[self.schedule["table"]["dont_bar"]]
            return Paid(returned=bet.stake) if barred else self.win(bet, self.price(bet, ""))
        bet.number = total
        return None

    def race(self, bet: Riding, won: bool, lost: bool) -> Paid | None:
        """A bet between two kinds of throw."""
        if lost:
            return Paid(lost=bet.stake)
        return self.win(bet, self.price(bet, bet.spot)) if won else None

    def gather(self, bet: Riding, total: int) -> Paid | None:
        """All of some totals before a 7: small, tall, all."""
        if total == 7:
            return Paid(lost=bet.stake)
        bet.seen.add(total)
        return self.win(bet, self.price(bet, "")) if GATHERED[bet.name] <= bet.seen else None

    def fire(self, bet: Riding, total: int) -> Paid | None:
        """Different points made before the seven-out; all of them are paid at once."""
        pays = {int(count): to_one(odds) for count, odds in self.schedule["bets"]["fire"]["pays"].items()}
        if self.point and total == self.point:
            bet.seen.add(total)
        if (self.point and total == 7) or len(bet.seen) == max(pays):
            reached = [count for count in pays if count <= len(bet.seen)]
            return self.win(bet, pays[max(reached)]) if reached else Paid(lost=bet.stake)
        return None

    def one_throw(self, bet: Riding, first: int, second: int) -> Paid:
        """Bets that one throw decides."""
        total = first + second
        if bet.name in SPLIT and isinstance(self.schedule["bets"][bet.name]["pays"], dict):
            return self.split(bet, first, second)
        if bet.name == "field":
            won = total in (2, 3, 4, 9, 10, 11, 12)
        elif bet.name == "hop":
            won = bet.spot == hop_of(first, second)
        elif bet.name in SPLIT:
            won = any(shows(part, first, second) for part in SPLIT[bet.name])
        else:
            won = total in ONE_NUMBER[bet.name]
        key = {"field": str(total), "hop": "hard" if first == second else "easy"}.get(bet.name, "")
        return self.win(bet, self.price(bet, key)) if won else Paid(lost=bet.stake)

    def split(self, bet: Riding, first: int, second: int) -> Paid:
        """A bet in parts: the part that is shown wins, the others lose; a horn high has two units on its number."""
        parts = SPLIT[bet.name]
        units = [2 if bet.name == "horn_high" and part == bet.spot else 1 for part in parts]
        for part, unit in zip(parts, units, strict=True):
            if shows(part, first, second):
                share = Fraction(unit, sum(units))
                return self.win(bet, self.price(bet, part), share, lost=bet.stake - int(bet.stake * share))
        return Paid(lost=bet.stake)

    def price(self, bet: Riding, key: str) -> Fraction:
        """Winnings for one unit of stake: true odds for odds, the schedule's price for the rest."""
        if bet.name in ("odds", "lay_odds"):
            true = Fraction(6, 6 - abs(int(bet.spot) - 7))
            return true if bet.name == "odds" else 1 / true
        pays = self.schedule["bets"][bet.name]["pays"]
        return to_one(pays if isinstance(pays, str) else pays[key])

    def win(self, bet: Riding, price: Fraction, share: Fraction = Fraction(1), lost: int = 0) -> Paid:
        """Pay a share of a bet's stake, breakage down to the chip; a bet that stays up keeps its stake riding."""
        due = bet.stake * share * price
        winnings = int(due / self.chip()) * self.chip()
        stays = bet.name in STAYERS and self.schedule["table"].get("after_win", "stay") == "stay"
        taken = min(winnings, self.commission(bet, winnings)) if self.terms(bet, "win") else 0
        charged = taken + (bet.commission if stays else 0)
        return Paid(
            returned=0 if stays else int(bet.stake * share),
            lost=lost,
            winnings=winnings,
            commission=charged,
            breakage=int(due) - winnings,
        )

    def chip(self) -> int:
        """The smallest chip that is paid."""
        return minor(self.schedule["table"].get("rounding", {}).get("unit", "0.01"), self.decimals)

    def terms(self, bet: Riding, when: str) -> dict[str, str] | None:
        """The commission of a bet, if it is taken then."""
        terms: dict[str, str] | None = self.schedule["bets"].get(bet.name, {}).get("commission")
        return terms if terms is not None and terms["when"] == when else None

    def commission(self, bet: Riding, winnings: int) -> int:
        """Commission on a bet that wins so much."""
        terms = self.schedule["bets"][bet.name]["commission"]
        due = Fraction(terms["rate"]) * (bet.stake if terms["base"] == "bet" else winnings)
        unit = 1 if terms["rounding"] == "none" else minor(terms.get("unit", "0.01"), self.decimals)
        whole, rest = divmod(due, unit)
        more = {"down": False, "up": rest > 0, "none": rest > 0, "nearest": 2 * rest >= unit}[terms["rounding"]]
        return max(int(whole + more) * unit, minor(terms.get("minimum", "0"), self.decimals))


def hop_of(first: int, second: int) -> str:
    """The hop that two dice are: "2-5" for either order."""
    return f"{min(first, second)}-{max(first, second)}"


def shows(part: str, first: int, second: int) -> bool:
    """Whether a part of a split bet is what two dice show: a total, a pair, or "craps"."""
    if part == "craps":
        return first + second in (2, 3, 12)
    return hop_of(first, second) == part if "-" in part else first + second == int(part)


def minor(text: str, decimals: int) -> int:
    """Money text in minor units."""
    return int(Decimal(text).scaleb(decimals))


def to_one(text: str) -> Fraction:
    """Winnings for one unit of stake from "9 to 5" or "8 for 1".

    >>> to_one("8 for 1")
    Fraction(7, 1)
    """
    match = re.fullmatch(r"(\d+) (to|for) (\d+)", text)
    assert match is not None, text
    ratio = Fraction(int(match[1]), int(match[3]))
    return ratio if match[2] == "to" else ratio - 1
