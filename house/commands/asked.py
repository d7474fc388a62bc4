"""What is named on the command line: schedules, money, shares, lists of numbers, dice."""

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.output import give_up
from payouts.currency import money_minor
from payouts.header import Game
from payouts.schedule import load, shipped, shipped_names

if TYPE_CHECKING:
    from payouts.craps.terms import CrapsSchedule
    from payouts.dice import Dice
    from payouts.hooligan.players import Player
    from payouts.hooligan.schedule import HooliganSchedule

Schedule = Annotated[
    str, typer.Option("--schedule", help="A schedule file (.toml), or the name of a shipped schedule.")
]
OnePlayer = Annotated[str, typer.Option("--player", help="Kind of player: optimal, score, simple or blind.")]
Faces = Annotated[
    list[str] | None,
    typer.Option(
        "--die",
        help="Chances of the faces 1 to 6 of a loaded die, like 0.15,0.16,0.17,0.17,0.17,0.18; "
        "once for both dice, twice for each of them.",
    ),
]

_SHARE = re.compile(r"(-?[0-9]{1,18}(?:\.[0-9]{1,18})?)(?:/([0-9]{1,18}))?", re.ASCII)


def file_of(game: Game, schedule: str) -> Path:
    """The file that `--schedule` names: a path if it ends in .toml, else a shipped name."""
    if schedule.endswith(".toml"):
        return Path(schedule)
    names = shipped_names(game)
    if schedule not in names:
        give_up(f"--schedule must be a file ending in .toml or one of {', '.join(names)}, got {schedule!r}")
    return shipped(game, schedule)


def craps_schedule(schedule: str) -> "CrapsSchedule":
    """Load the schedule of craps that `--schedule` names."""
    from payouts.craps.terms import CrapsSchedule

    terms = load(file_of(Game.CRAPS, schedule))
    if not isinstance(terms, CrapsSchedule):
        give_up(f"--schedule must be a schedule of craps, got one of {terms.header.game}")
    return terms


def hooligan_schedule(schedule: str) -> "HooliganSchedule":
    """Load the schedule of Hooligan that `--schedule` names."""
    from payouts.hooligan.schedule import HooliganSchedule

    terms = load(file_of(Game.HOOLIGAN, schedule))
    if not isinstance(terms, HooliganSchedule):
        give_up(f"--schedule must be a schedule of Hooligan, got one of {terms.header.game}")
    return terms


def any_schedule(schedule: str) -> "CrapsSchedule | HooliganSchedule":
    """Load the schedule of either game that an argument names."""
    shipped_files = {name: shipped(game, name) for game in Game for name in shipped_names(game)}
    if not schedule.endswith(".toml") and schedule not in shipped_files:
        give_up(f"SCHEDULE must be a file ending in .toml or one of {', '.join(shipped_files)}, got {schedule!r}")
    return load(shipped_files.get(schedule, Path(schedule)))


def player_of(player: str) -> "Player":
    """Read a kind of player."""
    from payouts.hooligan.players import Player

    if player not in set(Player):
        give_up(f"--player must be one of {', '.join(Player)}, got {player!r}")
    return Player(player)


def money(option: str, text: str, decimals: int, low: int = 0) -> int:
    """Read an amount of at least `low` into minor units."""
    minor = money_minor(text, decimals)
    if minor is None or minor < low:
        least = f" of at least {low} minor units" if low else ""
        give_up(f"{option} must be money{least} with at most {decimals} decimals, got {text!r}")
    return minor


def share(option: str, text: str, low: float = 0.0, high: float = 1.0) -> Fraction:
    """Read "15%", "0.15" or "3/20" within [low, high].

    >>> share("--target", "15 %"), share("--target", "3/20")
    (Fraction(3, 20), Fraction(3, 20))
    """
    number = text.removesuffix("%").rstrip()
    match = _SHARE.fullmatch(number)
    value = None
    if match is not None and match[2] != "0" * len(match[2] or ""):
        value = Fraction(match[1]) / int(match[2] or 1) / (100 if text.endswith("%") else 1)
    if value is None or not low <= value <= high:
        give_up(f"{option} must be a share like 15%, 0.15 or 3/20 from {low:.4%} to {high:.4%}, got {text!r}")
    return value


def integers(option: str, text: str, low: int, high: int) -> tuple[int, ...]:
    """Read "84,90,100", each number within [low, high].

    >>> integers("--games", "100,1000", 1, 10**9)
    (100, 1000)
    """
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if not re.fullmatch("[0-9]{1,12}", part, re.ASCII) or not low <= int(part) <= high:
            give_up(f"{option} must be integers from {low} to {high} joined by commas, got {part!r}")
    return tuple(map(int, parts))


def dice_of(faces: list[str] | None) -> "Dice":
    """Two dice: fair, alike, or each by its own faces."""
    from payouts.dice import FAIR, Dice

    if not faces:
        return FAIR
    if len(faces) > 2:
        give_up(f"--die must be given once or twice, got {len(faces)} times")
    return Dice.of(*map(chances_of_faces, faces))


def chances_of_faces(text: str) -> tuple[Fraction, ...]:
    """Read the chances of six faces, which add up to 1 exactly."""
    chances = tuple(share("--die", part.strip()) for part in text.split(","))
    if len(chances) != 6 or sum(chances) != 1:
        given = f"{len(chances)} that add up to {float(sum(chances)):g}"
        give_up(f"--die must be six chances joined by commas that add up to exactly 1, got {given}")
    return chances
