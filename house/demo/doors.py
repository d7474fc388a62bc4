"""The house opens and closes: what happens at its doors before and after the evening's play."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from house.demo import craps, hooligan
from house.demo.script import Answer, Script, by_two, get, post

CAPITAL = 1_000_000_00
OPENERS = {craps.TABLE: 200_000_00, hooligan.COUNTER: 20_000_00}


@dataclass(frozen=True, slots=True)
class Books:
    """The books after closing, as the API gave them; minor units.

    Parameters
    ----------
    tables
        Closed tables.
    bought, cashed
        What players brought to the cage and took from it.
    vault, trial, check, realised
        Answers of the API.
    """

    tables: tuple[Answer, ...]
    bought: int
    cashed: int
    vault: Answer
    trial: Answer
    check: Answer
    realised: tuple[Answer, ...]

    @property
    def win(self) -> int:
        """What the tables won."""
        return sum(table["win_minor"] for table in self.tables)

    @property
    def differences(self) -> Mapping[str, int]:
        """Sums that are 0 in a house that balances, by what they compare; minor units."""
        return {
            "all accounts together": self.trial["difference_minor"],
            "vault less capital and win": self.vault["vault_minor"] - self.vault["capital_minor"] - self.win,
            "money brought less money taken and win": self.bought - self.cashed - self.win,
            "settlements less win": sum(line["house_minor"] for line in self.realised) - self.win,
        }

    @property
    def sound(self) -> bool:
        """Whether everything balances to the cent and every settlement replays."""
        return not any(self.differences.values()) and not self.check["discrepancies"]


def pieces() -> tuple[list[str], list[str]]:
    """Serials of the evening's dice and boxes."""
    dice = [*(serial for pair in craps.SETS for serial in pair), craps.LOADED.serial]
    dice += [die.serial for crew in hooligan.SETS for die in crew]
    return dice, [box.serial for box in (*hooligan.HONEST, hooligan.CROOKED)]


def opening(people: Mapping[str, str], buy_ins: Mapping[str, int]) -> Script[tuple[Answer, ...]]:
    """Fund the house, receive dice, register people, take their money, open both tables; return the tables."""
    yield post("/funds", amount_minor=CAPITAL)
    dice, boxes = pieces()
    yield by_two("ReceiveEquipment", "/equipment/receptions", dice=dice, boxes=boxes, maker="Paulson", lot="7")
    for player, name in people.items():
        yield post("/players", player=player, name=name)
        yield post(f"/players/{player}/buy-ins", amount_minor=buy_ins[player])
    table = yield post(
        "/tables",
        table=craps.TABLE,
        game="craps",
        schedule=craps.SCHEDULE,
        opener_minor=OPENERS[craps.TABLE],
        dice=list(craps.SETS[0]),
        method="hand",
    )
    counter = yield post(
        "/tables",
        table=hooligan.COUNTER,
        game="hooligan",
        schedule=hooligan.SCHEDULE,
        opener_minor=OPENERS[hooligan.COUNTER],
        dice=[die.serial for die in hooligan.SETS[0]],
        box=hooligan.HONEST[0].serial,
        method="box",
    )
    return table, counter


def closing(people: Iterable[str], bought: int) -> Script[Books]:
    """Close both tables, pay everyone out, and take the books."""
    tables = []
    for table in OPENERS:
        tables.append((yield post(f"/tables/{table}/closings")))
    cashed = 0
    for player in people:
        wallet = (yield get(f"/players/{player}"))["wallet_minor"]
        if wallet:
            yield post(f"/players/{player}/cash-outs", amount_minor=wallet)
        cashed += wallet
    return Books(
        tables=tuple(tables),
        bought=bought,
        cashed=cashed,
        vault=(yield get("/funds")),
        trial=(yield get("/reports/trial-balance")),
        check=(yield get("/reports/check")),
        realised=tuple((yield get("/reports/realised"))["items"]),
    )
