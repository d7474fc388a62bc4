"""The demo's story: the house opens, plays, closes, balances, and the laboratory names the cheats and nobody else."""

from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random

from rich.console import Console

from house.demo import craps, doors, hooligan, telling
from house.demo.client import Client
from house.demo.evening import Milestones, at_once
from house.demo.habits import HABITS
from house.demo.script import play
from house.demo.server import fresh, served
from house.service.desk import open_house
from house.service.surveillance import export
from house.settings import load_monitors
from integrity.audit import Audit, audit
from payouts.craps.edges import edges
from payouts.craps.terms import CrapsSchedule
from payouts.hooligan.percentages import figures
from payouts.hooligan.rules import HooliganRules
from payouts.hooligan.schedule import HooliganSchedule
from payouts.schedule import load, shipped

ROBOT_LOG = Path(__file__).resolve().parents[2] / "tests" / "data" / "robot_d6_throws.csv"
ROBOT_DICE = {"151114d6crystalcastetranslucentorange", "160110skewd6cw", "160111skewd6ccw"}
"""The dice of the robot's log that are far from fair: one crystal, two skew."""
CHEATS = {("die", craps.LOADED.serial), ("box", hooligan.CROOKED.serial)}
DATABASE, LOG = "house.db", "throws.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One evening: a seed and how long it is at each table."""

    seed: int
    at_craps: craps.Evening = field(default_factory=craps.Evening)
    at_hooligan: hooligan.Evening = field(default_factory=hooligan.Evening)


@dataclass(frozen=True, slots=True)
class Told:
    """How the story ended."""

    books: doors.Books
    audit: Audit
    robot: Audit

    @property
    def holds(self) -> bool:
        """Whether the bank balances, both cheats are named and nobody else is."""
        return (
            self.books.sound
            and accused(self.audit) == CHEATS
            and accused(self.robot) == {("die", die) for die in ROBOT_DICE}
        )


def accused(found: Audit) -> set[tuple[str, str]]:
    """Kind and id of everyone accused."""
    return {(finding.kind, str(finding.id)) for finding in found.accused}


def tell(plan: Plan, folder: Path, console: Console) -> Told:
    """Play the evening on a fresh database in `folder`, through a real server, and tell it on a console.

    The database and the throw log stay in the folder.
    """
    database = fresh(folder, DATABASE)
    console.print(f"[bold]An evening of craps and Hooligan[/bold], seed {plan.seed}\n")
    with served(database) as address, closing(Client(address, f"demo-house-{plan.seed}")) as house:
        books = _evening(plan, address, house, console)
    console.print(telling.percentages(books.realised, exact()), "")
    alpha = float(load_monitors().alpha)
    with open_house(f"sqlite:///{database}") as reopened:
        export(reopened, folder / LOG)
    log = audit(folder / LOG, alpha, name=LOG)
    console.print(telling.accusations(log), "")
    robot = audit(ROBOT_LOG, alpha)
    console.print(telling.accusations(robot), "")
    console.print(f"Database and log stay in {folder}: {DATABASE}, {LOG}")
    return Told(books, log, robot)


def _evening(plan: Plan, address: str, house: Client, console: Console) -> doors.Books:
    people = {player: name for player, (name, _) in HABITS.items()} | {
        player: name for player, (name, *_) in hooligan.PLAYERS.items()
    }
    buy_ins = dict.fromkeys(HABITS, craps.BUY_IN) | dict.fromkeys(hooligan.PLAYERS, hooligan.BUY_IN)
    console.print(telling.tables_opened(play(doors.opening(people, buy_ins), house)), "")
    milestones = Milestones(console, {"shooters": plan.at_craps.shooters, "games of Hooligan": plan.at_hooligan.games})
    scripts = {
        "craps": craps.evening(plan.at_craps, Random(f"craps {plan.seed}"), milestones.of("shooters")),
        "hooligan": hooligan.evening(
            plan.at_hooligan, HooliganRules(), Random(f"hooligan {plan.seed}"), milestones.of("games of Hooligan")
        ),
    }
    bought = sum(buy_ins.values()) + at_once(address, plan.seed, scripts, milestones)
    books = play(doors.closing(people, bought), house)
    console.print("", telling.tables_closed(books), "", telling.balance(books))
    replayed = f"{books.check['settlements']:,} settlements replayed from the records"
    console.print(f"{books.check['entries']:,} ledger entries, {replayed}, {len(books.check['discrepancies'])} wrong\n")
    return books


def exact() -> telling.Edges:
    """Exact house percentages, per bet made with fair dice, of what the evening offers.

    The percentage of Hooligan is that against the evening's players, each of whom plays as many games as the others.
    """
    table, counter = load(shipped("craps", craps.SCHEDULE)), load(shipped("hooligan", hooligan.SCHEDULE))
    assert isinstance(table, CrapsSchedule), "the craps table has a schedule of craps"
    assert isinstance(counter, HooliganSchedule), "the counter has a schedule of Hooligan"
    made = {("craps", row.bet, row.variant): row.edge_made for row in edges(table)}
    against = [Fraction(figures(counter, kind).house_edge) for _, kind, _ in hooligan.PLAYERS.values()]
    return made | {("hooligan", "hooligan", ""): sum(against, Fraction(0)) / len(against)}
