"""Replay the demo's evening under 100 seeds, without HTTP: how often both cheats are named, how often anyone else is.

Wanted: both named at least 95 times, anyone else accused at most once.

Usage: python tests/bench/demo_seeds.py [SEEDS] [FIRST]
"""

import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from house.demo import craps, hooligan
from house.demo.script import Answer, Ask, play
from house.demo.story import CHEATS, Plan, accused, schedules, scripts
from house.domain import stake_class
from house.domain.throws import read_throw
from house.domain.wagers import Placement
from house.engines import craps as craps_table
from house.engines import hooligan as counter
from house.settings import load_monitors
from integrity.audit import audit
from integrity.observations import Observations, concatenate, observations
from payouts.hooligan.rules import Choice

CRAPS, HOOLIGAN = schedules()
WANTED_NAMED, WANTED_INNOCENT = 95, 1


@dataclass
class Log:
    """The throw log of one table, one row a die, and the stakes seen at it."""

    table: str
    game: str
    method: str
    box: str | None = None
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    throws: int = 0
    seen: dict[int, int] = field(default_factory=dict)

    def record(self, dice: list[Answer], riding: int, shooter: str | None) -> None:
        """Write a throw down as the service does."""
        quarter = stake_class.quartile(self.seen, riding)
        self.seen = stake_class.count(self.seen, riding)
        for slot, die in enumerate(dice):
            face, state = die["face"] or 0, die.get("state", "ok")
            self.rows.append(
                (self.throws, face, state, slot, -1 if quarter is None else quarter, self.box, shooter, die["die"])
            )
        self.throws += 1

    def observations(self) -> Observations:
        """The log as the laboratory reads it."""
        throw, face, state, slot, quarter, box, shooter, die = (list(column) for column in zip(*self.rows, strict=True))
        return observations(
            face,
            throw=throw,
            state=state,
            slot=slot,
            stake_class=quarter,
            box=box,
            shooter=shooter,
            die=die,
            table=self.table,
            game=self.game,
            method=self.method,
            source="dealer",
        )


class CrapsTable:
    """A craps table without service, database or network: the same engine, the same answers as scripts read them."""

    def __init__(self) -> None:
        self.log = Log(craps.TABLE, "craps", "hand")
        self.state = craps_table.CrapsState()
        self.schedules = craps_table.Schedules(CRAPS)
        self.wagers = 0

    def __call__(self, ask: Ask) -> Answer:
        """Answer a request."""
        noun = ask.path.rpartition("/")[2]
        if noun not in ("rail", "bets", "throws"):
            return {}
        riding = sum(wager.stake for wager in self.state.wagers)
        played = {"rail": self._join, "bets": self._place, "throws": self._throw}[noun](ask.body)
        if noun == "throws":
            self.log.record(ask.body["dice"], riding, self.state.rail[0])
        self.state = played.state
        return {"state": self.state.to_json(), "movements": [_plain(move) for move in played.movements]}

    def _join(self, body: Answer) -> Any:
        return craps_table.join(self.state, body["player"])

    def _place(self, body: Answer) -> Any:
        placements = []
        for bet in body["bets"]:
            self.wagers += 1
            rest = {key: value for key, value in bet.items() if key != "stake_minor"}
            placements.append(Placement(wager=f"w{self.wagers}", stake=bet["stake_minor"], **rest))
        return craps_table.place(self.state, self.schedules, tuple(placements))

    def _throw(self, body: Answer) -> Any:
        return craps_table.throw(self.state, self.schedules, _read(body))


class HooliganCounter:
    """A Hooligan counter likewise."""

    def __init__(self) -> None:
        self.log = Log(hooligan.COUNTER, "hooligan", "box", hooligan.HONEST[0].serial)
        self.state = counter.HooliganState()
        self.games = 0

    def __call__(self, ask: Ask) -> Answer:
        """Answer a request."""
        noun, body = ask.path.rpartition("/")[2], ask.body
        if noun == "dice-changes":
            self.log.box = body["box"]
        elif noun == "games":
            self.games += 1
            self.state = counter.start_game(
                self.state, HOOLIGAN, f"g{self.games}", f"w{self.games}", body["player"]
            ).state
        elif noun == "choices":
            self.state = counter.choose(self.state, HOOLIGAN, Choice.parse(body["choice"])).state
        elif noun == "throws":
            return self._throw(body)
        return {}

    def _throw(self, body: Answer) -> Answer:
        choice = Choice.parse(body["choice"]) if "choice" in body else None
        shooter, thrown = counter.shooter(self.state), _read(body)
        self.state = counter.throw(self.state, HOOLIGAN, thrown, choice).state
        self.log.record(body["dice"], HOOLIGAN.stake_minor, shooter)
        return {"void": not thrown.counts}


def _read(body: Answer) -> Any:
    faces = tuple(die["face"] for die in body["dice"])
    return read_throw(faces, tuple(die.get("state", "ok") for die in body["dice"]), len(faces))


def _plain(move: Any) -> Answer:
    names = ("player", "staked", "returned", "winnings", "commission", "commission_back")
    return {name: getattr(move, name) for name in names}


def evening(seed: int) -> Observations:
    """The log of the demo's evening under a seed."""
    played, table, hooligans = scripts(Plan(seed=seed), HOOLIGAN), CrapsTable(), HooliganCounter()
    play(played["craps"], table)
    play(played["hooligan"], hooligans)
    return concatenate([table.log.observations(), hooligans.log.observations()])


def named_in(seed: int) -> set[tuple[str, str]]:
    """Everyone accused in the evening of a seed."""
    return accused(audit(evening(seed), float(load_monitors().alpha), name=f"seed {seed}"))


def main(seeds: int, first: int) -> int:
    """Replay and print; 0 if what is wanted holds."""
    named, innocent, began = 0, 0, time.perf_counter()
    wrong: Counter[tuple[str, str]] = Counter()
    with ProcessPoolExecutor() as pool:
        for number, found in enumerate(pool.map(named_in, range(first, first + seeds)), 1):
            named += found >= CHEATS
            innocent += bool(found - CHEATS)
            wrong.update(found - CHEATS)
            if number % 10 == 0 or number == seeds:
                seconds = time.perf_counter() - began
                counts = f"both cheats named {named}, anyone else accused {innocent}"
                print(f"{number} seeds: {counts}, {seconds:.0f} s", flush=True)
    print("also accused:", ", ".join(f"{kind} {who} ({times})" for (kind, who), times in wrong.items()) or "nobody")
    return int(named < WANTED_NAMED * seeds / 100 or innocent > max(WANTED_INNOCENT * seeds / 100, 1))


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*(arguments + [100, 1][len(arguments) :])))
