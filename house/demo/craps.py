"""An evening at the craps table, from the first come-out to the last seven-out."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from house.demo.dice import LOADED_SIX, Die, Hand
from house.demo.habits import HABITS, Bet, View
from house.demo.script import Answer, Script, post

TABLE = "craps-1"
SCHEDULE = "strip-345x"
SETS = tuple((f"C-{2 * pair + 1:02d}", f"C-{2 * pair + 2:02d}") for pair in range(4))
"""Serials of the table's honest dice, by set."""
LOADED = Die("C-13", LOADED_SIX)
HANDS_A_SET = 30
BUY_IN = 5_000_00
LOW_WALLET = 1_000_00
VOID_EVERY = 150
"""One throw in so many leaves the table or ends cocked."""


@dataclass(frozen=True, slots=True)
class Evening:
    """How long the evening is, and when the cheat begins; counted in shooters."""

    shooters: int = 210
    cheat_from: int = 50

    def dice(self, hand: int) -> tuple[Die, Die]:
        """The set of a hand, from 0; the loaded die takes the first place of every set once it is rung in."""
        first, second = SETS[hand // HANDS_A_SET % len(SETS)]
        return (LOADED if hand >= self.cheat_from else Die(first)), Die(second)


def evening(plan: Evening, *, rng: Random, progress: Callable[[int], None]) -> Script[int]:
    """Play the evening, telling `progress` the shooters so far; return what players bought in for meanwhile."""
    hand, dice = Hand(rng), plan.dice(0)
    wallets = dict.fromkeys(HABITS, BUY_IN)
    state: Answer = {}
    for player in HABITS:
        state = (yield post(f"/tables/{TABLE}/rail", player=player))["state"]
    shooters = bought = 0
    while shooters < plan.shooters:
        bought += yield from _betting_window(state, wallets)
        thrown = tuple(rng.sample(dice, 2))
        settled = yield post(f"/tables/{TABLE}/throws", dice=read(rng, thrown, hand.throw(thrown)))
        _book(wallets, settled)
        state = settled["state"]
        if state["hand"] - 1 > shooters:
            shooters += 1
            progress(shooters)
            if plan.dice(shooters) != dice and shooters < plan.shooters:
                dice = plan.dice(shooters)
                yield post(f"/tables/{TABLE}/dice-changes", dice=[die.serial for die in dice])
    return bought


def _betting_window(state: Answer, wallets: dict[str, int]) -> Script[int]:
    """Everyone bets by habit, in one request; those who run low go to the cage first. Return what they brought."""
    bets: list[Bet] = []
    bought = 0
    for player, (_, habit) in HABITS.items():
        if wallets[player] < LOW_WALLET:
            yield post(f"/players/{player}/buy-ins", amount_minor=BUY_IN)
            wallets[player] += BUY_IN
            bought += BUY_IN
        riding = tuple(wager for wager in state["wagers"] if wager["player"] == player)
        view = View(state["point"], state["throws_in_hand"], riding)
        bets += [{"player": player, **bet} for bet in habit(view)]
    if bets:
        _book(wallets, (yield post(f"/tables/{TABLE}/bets", bets=bets)))
    return bought


def _book(wallets: dict[str, int], answer: Answer) -> None:
    """Keep every player's own count of the wallet."""
    for move in answer["movements"]:
        into = move["returned"] + move["winnings"] + move["commission_back"]
        wallets[move["player"]] += into - move["staked"] - move["commission"]


def read(rng: Random, dice: tuple[Die, ...], faces: tuple[int, ...]) -> list[Answer]:
    """What the dealer reports: now and then one die ends cocked or off the table, and the throw is void."""
    report: list[Answer] = [{"die": die.serial, "face": face} for die, face in zip(dice, faces, strict=True)]
    if rng.randrange(VOID_EVERY) == 0:
        report[rng.randrange(len(report))] |= {"face": None, "state": rng.choice(("cocked", "off"))}
    return report
