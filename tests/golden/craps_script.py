"""Play craps from text: commands at the left margin, what must happen indented below each.

    schedule table            tests/golden/craps/table.toml, or a shipped schedule
    rail ann bob              players join the rail
    bet a1 ann pass 10.00     one bet; several of one window are parted by " + "
    bet a2 ann odds 6 30.00 behind a1
    toke t1 ann yo 1.00       a bet for the dealers
    press a1 6.00, reduce a1 6.00, down a1
    call a1 on | off | rule
    leave ann
    throw 3 4                 also: throw 3 cocked 4
    net ann                   what ann's wallet gained since the start
    up ann                    what ann has riding

A movement prints as "a2 won winnings 36.00 returned 30.00 at 6 to 5"; a refusal as its code, field and limit, "refused
above_maximum bets[0].stake_minor 600".
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from house.domain.ids import PlayerId, WagerId
from house.domain.refusals import Refused
from house.domain.throws import read_throw
from house.domain.wagers import Placement
from house.engines import craps
from house.engines.craps import CrapsState, Schedules
from house.engines.protocol import Movement, Played, Result
from payouts.craps.terms import CrapsSchedule
from payouts.currency import money_minor, money_text
from payouts.schedule import load, parse, shipped

GOLDEN = Path(__file__).parent / "craps"
STATES = ("cocked", "off", "foul", "void")
AMOUNTS = ("winnings", "returned", "lost", "commission", "commission_back", "breakage", "held")


@lru_cache
def craps_schedule(name_or_text: str) -> CrapsSchedule:
    """A schedule of tests/golden/craps by its name, a shipped one, or the text of one."""
    own = GOLDEN / f"{name_or_text}.toml" if "\n" not in name_or_text else None
    if own is None:
        schedule = parse(name_or_text, "test.toml")
    else:
        schedule = load(own if own.exists() else shipped("craps", name_or_text))
    assert isinstance(schedule, CrapsSchedule)
    return schedule


@dataclass
class Desk:
    """A table that is played by lines of text."""

    schedules: Schedules
    state: CrapsState = field(default_factory=CrapsState)
    history: list[Movement] = field(default_factory=list)

    def do(self, line: str) -> list[str]:
        """Carry out one line; what it did, as lines of text."""
        verb, _, rest = line.partition(" ")
        try:
            return VERBS[verb](self, rest)
        except Refused as no:
            return [" ".join(part for part in ("refused", no.refusal.value, no.field, no.limit) if part)]

    def play(self, *lines: str) -> list[str]:
        """Carry out lines; what the last one did."""
        said: list[str] = []
        for line in lines:
            said = self.do(line)
        return said

    def net(self, player: str) -> str:
        """What the player's wallet gained, tokes included."""
        moved = [one for one in self.history if one.player == player]
        gained = sum(one.returned + one.winnings + one.commission_back - one.staked - one.commission for one in moved)
        return self.text(gained)

    def text(self, minor: int) -> str:
        """Minor units as text."""
        return money_text(minor, self.schedules.current.header.decimals)

    def minor(self, text: str) -> int:
        """Text as minor units."""
        minor = money_minor(text, self.schedules.current.header.decimals)
        assert minor is not None, text
        return minor

    def take(self, played: Played[CrapsState]) -> list[str]:
        """Go on from what was played."""
        self.state = played.state
        assert CrapsState.from_json(played.state.to_json()) == played.state
        self.history.extend(played.movements)
        return [*played.calls, *(self.line(one) for one in played.movements if not plain(one))]

    def line(self, movement: Movement) -> str:
        """One movement as text."""
        amounts = [f"{name} {self.text(getattr(movement, name))}" for name in AMOUNTS if getattr(movement, name)]
        odds = [f"at {movement.odds}"] if movement.odds else []
        return " ".join([movement.wager, movement.result.value, *amounts, *odds])

    def placement(self, text: str, toke: bool) -> Placement:
        """Read "a2 ann odds 6 30.00 behind a1"."""
        words = text.split()
        parent = WagerId(words[-1]) if "behind" in words else None
        wager, player, bet, *spot, stake = words[:-2] if parent else words
        return Placement(
            wager=WagerId(wager),
            player=PlayerId(player),
            bet=bet,
            spot="".join(spot),
            stake=self.minor(stake),
            parent=parent,
            toke=toke,
        )

    def bet(self, rest: str, toke: bool = False) -> list[str]:
        """Place the bets of a window."""
        placements = tuple(self.placement(text, toke) for text in rest.split(" + "))
        return self.take(craps.place(self.state, self.schedules, placements))

    def throw(self, rest: str) -> list[str]:
        """Throw two dice."""
        faces: list[int] = []
        states: list[str] = []
        for word in rest.split():
            if word in STATES:
                states[-1] = word
            else:
                faces.append(int(word))
                states.append("ok")
        return self.take(craps.throw(self.state, self.schedules, read_throw(tuple(faces), tuple(states), dice=2)))

    def stake(self, change: Callable[..., Played[CrapsState]], rest: str) -> list[str]:
        """Press or reduce a wager."""
        wager, amount = rest.split()
        return self.take(change(self.state, self.schedules, WagerId(wager), self.minor(amount)))

    def call(self, rest: str) -> list[str]:
        """Call a wager working or off."""
        wager, word = rest.split()
        return self.take(craps.call(self.state, WagerId(wager), {"on": True, "off": False, "rule": None}[word]))

    def rail(self, change: Callable[..., Played[CrapsState]], rest: str) -> list[str]:
        """Join or leave the rail."""
        return [said for player in rest.split() for said in self.take(change(self.state, PlayerId(player)))]

    def up(self, player: str) -> str:
        """What a player has riding."""
        return self.text(sum(wager.stake for wager in craps.riding(self.state, PlayerId(player))))


def plain(movement: Movement) -> bool:
    """Whether a movement says no more than the bet that caused it."""
    return movement.result is Result.STAKED and not movement.commission


VERBS: dict[str, Callable[[Desk, str], list[str]]] = {
    "rail": lambda desk, rest: desk.rail(craps.join, rest),
    "leave": lambda desk, rest: desk.rail(craps.leave, rest),
    "bet": lambda desk, rest: desk.bet(rest),
    "toke": lambda desk, rest: desk.bet(rest, toke=True),
    "throw": lambda desk, rest: desk.throw(rest),
    "press": lambda desk, rest: desk.stake(craps.press, rest),
    "reduce": lambda desk, rest: desk.stake(craps.reduce, rest),
    "down": lambda desk, rest: desk.take(craps.take_down(desk.state, desk.schedules, WagerId(rest))),
    "call": lambda desk, rest: desk.call(rest),
    "net": lambda desk, rest: [desk.net(rest)],
    "up": lambda desk, rest: [desk.up(rest)],
}


def new_desk(schedule: str) -> Desk:
    """An empty table with one shooter, sam."""
    desk = Desk(Schedules(craps_schedule(schedule)))
    desk.do("rail sam")
    return desk


def replay(path: Path) -> tuple[list[str], list[str]]:
    """Play a golden file: the lines as written, and the lines as they came out."""
    written = [line.rstrip() for line in path.read_text().splitlines()]
    first = next(line for line in written if line.startswith("schedule "))
    desk = Desk(Schedules(craps_schedule(first.removeprefix("schedule "))))
    played: list[str] = []
    for line in written:
        if not line or line.startswith("#") or line == first:
            played.append(line)
        elif not line.startswith(" "):
            played.extend([line, *(f"    {said}" for said in desk.do(line))])
    return written, played
