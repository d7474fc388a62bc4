"""Whole games of Hooligan as text: commands at the left margin, all that they must say and do indented below each.

    rules natural=optional         a fresh counter under a reading of the rules; those left out are the defaults
    ann plays                      a game against the house, for 0.25: 1.00 for 84-89, 2.00 for 90-93
    peers low ann bob cat          a game among peers, decided by "high", "low" or "two_low"
    choose name 6
    throw 3 cocked 4
    open                           the choices that are open

The texts were derived by hand from the rules, not printed by the engine.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from house.domain.ids import PlayerId, RoundId, WagerId
from house.domain.refusals import Refused
from house.domain.throws import read_throw
from house.engines import hooligan
from house.engines.hooligan import Decides, HooliganState
from house.engines.protocol import Movement, Played
from payouts.header import Game, Header
from payouts.hooligan.rules import Choice, HooliganRules, Natural
from payouts.hooligan.schedule import Band, HooliganSchedule

GAMES = sorted((Path(__file__).parent / "hooligan").glob("*.txt"))
HEADER = Header(game=Game.HOOLIGAN, name="golden", version=1, currency="USD", decimals=2, declared={})
READINGS = {"natural": Natural, "throws_per_frame": int}
AMOUNTS = ("staked", "returned", "lost", "winnings")


def schedule(words: list[str]) -> HooliganSchedule:
    readings = dict(word.split("=") for word in words)
    rules = HooliganRules(**{key: READINGS[key](value) for key, value in readings.items()})  # type: ignore[arg-type]
    bands = (Band(84, 89, 100), Band(90, 93, 200))
    return HooliganSchedule(header=HEADER, stake_minor=25, trade_cost=Fraction(1), rules=rules, bands=bands)


def script(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Commands of a file, each with the lines below it."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    starts = [index for index, line in enumerate(lines) if not line.startswith(" ")]
    for index, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[index], [line.strip() for line in lines[index + 1 : end]]


def said(movement: Movement) -> str:
    amounts = [f"{name} {getattr(movement, name)}" for name in AMOUNTS if getattr(movement, name)]
    return " ".join([movement.result, *amounts])


def carry_out(command: str, state: HooliganState, terms: HooliganSchedule) -> Played[HooliganState]:
    try:
        return accepted(command, state, terms)
    except Refused as refused:
        return Played(state, calls=(f"refused {refused.refusal} {refused.field}",))


def accepted(command: str, state: HooliganState, terms: HooliganSchedule) -> Played[HooliganState]:
    match command.split():
        case [player, "plays"]:
            return hooligan.start_game(state, terms, RoundId("r"), WagerId("w"), PlayerId(player))
        case ["peers", decides, *players]:
            seated = tuple(map(PlayerId, players))
            return hooligan.start_peer_game(state, terms, RoundId("r"), seated, Decides(decides))
        case ["choose", *words]:
            return hooligan.choose(state, terms, Choice.parse(" ".join(words)))
        case ["throw", *dice]:
            faces = tuple(int(die) if die.isdigit() else None for die in dice)
            states = tuple("ok" if die.isdigit() else die for die in dice)
            return hooligan.throw(state, terms, read_throw(faces, states, len(dice)))
        case ["open"]:
            choices = map(hooligan.read_choice, hooligan.open_choices(state, terms))
            return Played(state, calls=(", ".join(map(str, choices)),))
    raise AssertionError(f"no such command: {command}")


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_a_whole_game_goes_as_written(path: Path) -> None:
    state, terms = HooliganState(), schedule([])
    for number, (command, expected) in enumerate(script(path)):
        if command.startswith("rules"):
            state, terms = HooliganState(), schedule(command.split()[1:])
            continue
        played = carry_out(command, state, terms)
        state = played.state
        assert [*played.calls, *map(said, played.movements)] == expected, (number, command)


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_a_choice_and_the_throw_after_it_make_one_command(path: Path) -> None:
    """A choice and a throw in one command leave the state that the two leave one after the other."""
    state, terms = HooliganState(), schedule([])
    commands = [command for command, _ in script(path)]
    for command, after in zip(commands, [*commands[1:], "open"], strict=True):
        if command.startswith("rules"):
            state, terms = HooliganState(), schedule(command.split()[1:])
            continue
        played = carry_out(command, state, terms)
        held = command.startswith("choose") and played.state != state
        if held and after.startswith("throw") and "cocked" not in after:
            shooter = hooligan.shooter(state)
            if hooligan.shooter(played.state) == shooter:
                faces = tuple(map(int, after.split()[1:]))
                choice = Choice.parse(command.removeprefix("choose "))
                both = hooligan.throw(state, terms, read_throw(faces, None, len(faces)), choice)
                assert both.state == carry_out(after, played.state, terms).state
        state = played.state
