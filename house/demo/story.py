"""The demo's story: the house opens, plays, closes, balances, and the laboratory names the cheats and nobody else."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random

from rich.console import Console

from house.app import open_existing
from house.demo import craps, doors, hooligan, telling
from house.demo.client import Client
from house.demo.evening import Milestones, at_once
from house.demo.habits import HABITS
from house.demo.script import Script, play
from house.demo.server import fresh, served
from house.demo.staff import hire
from house.service import evidence
from house.service.incidents import Incident, incidents
from house.service.surveillance import export
from house.settings import load_monitors, load_settings
from integrity.audit import Audit, audit
from integrity.proof.notes import read_public_key
from integrity.proof.offline import Check
from payouts.craps.edges import edges
from payouts.craps.terms import CrapsSchedule
from payouts.hooligan.percentages import figures
from payouts.hooligan.schedule import HooliganSchedule
from payouts.schedule import load, shipped

ROBOT_LOG = Path(__file__).resolve().parents[2] / "tests" / "data" / "robot_d6_throws.csv"
ROBOT_DICE = {"151114d6crystalcastetranslucentorange", "160110skewd6cw", "160111skewd6ccw"}
"""The dice of the robot's log that are far from fair: one crystal, two skew."""
CHEATS = {("die", craps.LOADED.serial), ("box", hooligan.CROOKED.serial)}
DATABASE, LOG, HISTORY = "house.db", "throws.jsonl", "history"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One evening: a seed and how long it is at each table."""

    seed: int
    at_craps: craps.Evening = field(default_factory=craps.Evening)
    at_hooligan: hooligan.Evening = field(default_factory=hooligan.Evening)

    @property
    def cheats(self) -> tuple[int, str, int, str]:
        """First shooter with the loaded die and its serial, first game with the crooked box and its serial."""
        begin = self.at_craps.cheat_from + 1, self.at_hooligan.cheat_from + 1
        return begin[0], craps.LOADED.serial, begin[1], hooligan.CROOKED.serial


@dataclass(frozen=True, slots=True)
class Told:
    """How the story ended."""

    books: doors.Books
    history: Check
    audit: Audit
    robot: Audit

    @property
    def named(self) -> bool:
        """Whether both cheats and the robot's three bad dice are named, and nobody else."""
        robots = {("die", die) for die in ROBOT_DICE}
        return accused(self.audit) == CHEATS and accused(self.robot) == robots

    @property
    def holds(self) -> bool:
        """Whether the bank balances, the history is the one that was signed, and the right ones are named."""
        return self.books.sound and self.history.holds and self.named


def accused(found: Audit) -> set[tuple[str, str]]:
    """Kind and id of everyone accused."""
    return {(finding.kind, str(finding.id)) for finding in found.accused}


def tell(plan: Plan, folder: Path, console: Console) -> Told:
    """Play the evening on a fresh database in `folder`, through a real server, and tell it on a console.

    The database, the throw log and the history stay in the folder.
    """
    console.print(f"[bold]An evening of craps and Hooligan[/bold], seed {plan.seed}\n")
    database = fresh(folder, DATABASE)
    table, counter = schedules()
    staff = hire(database)
    with served(database) as address, closing(Client(address, f"demo-house-{plan.seed}", staff)) as house:
        people, buy_ins = guests()
        console.print(telling.tables_opened(play(doors.opening(people, buy_ins), house)))
        console.print(telling.aside(*plan.cheats))
        bought = sum(buy_ins.values()) + _play(
            plan, lambda name: Client(address, f"demo-{name}-{plan.seed}", staff), counter, console
        )
        books = play(doors.closing(people, bought), house)
    console.print("", telling.tables_closed(books), telling.balance(books), telling.replayed(books))
    console.print(telling.percentages(books.realised, exact(table, counter)))
    history = _exported(database, folder)
    console.print(telling.history(history, folder / HISTORY, database))
    console.print(telling.raised(_raised(database)))
    alpha = float(load_monitors().alpha)
    log, robot = audit(folder / LOG, alpha), audit(ROBOT_LOG, alpha)
    for found in (log, robot):
        console.print(*telling.accusations(found), sep="\n", markup=False)
    told = Told(books, history, log, robot)
    console.print(telling.ending(told.books.sound, told.named))
    console.print(f"Database, log and history stay in {folder}: {DATABASE}, {LOG}, {HISTORY}")
    return told


def _raised(database: Path) -> tuple[Incident, ...]:
    """What the live laboratory raised during the evening."""
    with open_existing(load_settings(options={"--database": f"sqlite:///{database}"})) as house:
        return incidents(house)


def _exported(database: Path, folder: Path) -> Check:
    """Export the throw log and the history, and check the latter by its files and the public key alone."""
    url = f"sqlite:///{database}"
    for old in (folder / HISTORY).glob("*"):
        old.unlink()
    with open_existing(load_settings(options={"--database": url})) as house:
        assert house.seal is not None, "a house that served has signed"
        key = house.seal.sealing.public
        export(house, folder / LOG)
        evidence.export(house, folder / HISTORY)
    return evidence.check_records(folder / HISTORY, read_public_key(key.read_text()))


def _play(plan: Plan, client: Callable[[str], Client], counter: HooliganSchedule, console: Console) -> int:
    """Play both tables at once; return what players bought in for meanwhile, minor units."""
    shooters, games = "shooters", "games of Hooligan"
    milestones = Milestones(console, {shooters: plan.at_craps.shooters, games: plan.at_hooligan.games})
    return at_once(client, scripts(plan, counter, milestones.of(shooters), milestones.of(games)), milestones)


def guests() -> tuple[dict[str, str], dict[str, int]]:
    """Names of the evening's players by their ids, and what each brings, minor units."""
    people = {player: name for player, (name, _) in (*HABITS.items(), *hooligan.PLAYERS.items())}
    return people, dict.fromkeys(HABITS, craps.BUY_IN) | dict.fromkeys(hooligan.PLAYERS, hooligan.BUY_IN)


def _untold(_done: int) -> None:
    """Tell nobody the progress."""


def scripts(
    plan: Plan,
    counter: HooliganSchedule,
    shooters: Callable[[int], None] = _untold,
    games: Callable[[int], None] = _untold,
) -> dict[str, Script[int]]:
    """What is played at each table of an evening; `shooters` and `games` are told how many are done."""
    at_craps, at_hooligan = Random(f"craps {plan.seed}"), Random(f"hooligan {plan.seed}")
    policies = hooligan.policies(counter)
    return {
        "craps": craps.evening(plan.at_craps, rng=at_craps, progress=shooters),
        "hooligan": hooligan.evening(plan.at_hooligan, counter.rules, policies, rng=at_hooligan, progress=games),
    }


def schedules() -> tuple[CrapsSchedule, HooliganSchedule]:
    """The schedules of the evening."""
    table, counter = load(shipped("craps", craps.SCHEDULE)), load(shipped("hooligan", hooligan.SCHEDULE))
    assert isinstance(table, CrapsSchedule), "the craps table has a schedule of craps"
    assert isinstance(counter, HooliganSchedule), "the counter has a schedule of Hooligan"
    return table, counter


def exact(table: CrapsSchedule, counter: HooliganSchedule) -> telling.Edges:
    """Exact house percentages, per bet made with fair dice, of what the evening offers.

    The percentage of Hooligan is that against the evening's players, each of whom plays as many games as the others.
    """
    made = {("craps", row.bet, row.variant): row.edge_made for row in edges(table)}
    against = [Fraction(figures(counter, kind).house_edge) for _, kind in hooligan.PLAYERS.values()]
    return made | {("hooligan", "hooligan", ""): sum(against, Fraction(0)) / len(against)}
