"""A house that read throws wrong and corrected them stands as its twin does, which read them right at once."""

import json
import shutil
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.domain.refusals import Refused
from house.domain.throws import DieState
from house.engines.hooligan import HooliganState, dice_to_throw
from house.service import hooligan, reports, schedules, surveillance, tables, wagers
from house.service.corrections import CorrectThrow, Reason, Shown
from house.service.desk import open_house
from house.service.throws import Throw, Thrown
from payouts.hooligan.rules import legal_choices
from tests.house.pits import Clock, Pit
from tests.house.service.test_corrections import sound

OK, COCKED = DieState.OK, DieState.COCKED
Faces = tuple[int, ...]
FACES = st.lists(st.integers(1, 6), min_size=5, max_size=5).map(tuple)
STATE = st.sampled_from([OK] * 5 + [COCKED])
PLAIN = ("pass", "dont_pass", "come", "field", "any_seven", "horn", "odds")
ON_A_SPOT = (("hardway", "8"), ("place", "6"), ("place", "4"), ("buy", "4"), ("lay", "10"))
BETS = st.sampled_from([*((bet, "") for bet in PLAIN), *ON_A_SPOT])
READ = st.tuples(FACES, STATE)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("bet"), st.sampled_from(["ann", "bob"]), BETS, st.booleans()),
        st.tuples(st.just("down"), st.integers(0, 9)),
        st.tuples(st.just("craps"), READ, st.lists(READ, max_size=2)),
        st.tuples(st.just("game"), st.sampled_from(["ann", "bob"])),
        st.tuples(st.just("hooligan"), READ, st.lists(READ, max_size=2), st.integers(0, 99)),
    ),
    min_size=10,
    max_size=20,
)


def opened(folder: Path, name: str, template: Path) -> Pit:
    url, clock = f"sqlite:///{folder / name}.db", Clock()
    shutil.copyfile(template, folder / f"{name}.db")
    pit = Pit(open_house(url, clock=clock), url, clock)
    pit.fund()
    pit.seat("ann")
    pit.seat("bob")
    pit.open_craps()
    pit.open_hooligan(schedule="quarter-ladder")
    return pit


def both(pits: tuple[Pit, Pit], command: Any) -> None:
    """Give a command to both houses, which must answer alike."""
    answers = []
    for pit in pits:
        try:
            answers.append(pit.do(command))
        except Refused as refused:
            answers.append((refused.refusal, refused.field))
    assert answers[0] == answers[1]


def throw(pits: tuple[Pit, Pit], table: str, slots: Faces, reads: list[tuple[Faces, DieState]], choice: Any) -> None:
    """Throw in the first house as it was read at first, and then afterwards; in its twin as it was read last."""
    wrong, right = pits

    def shown(read: tuple[Faces, DieState]) -> list[tuple[int, DieState]]:
        return [(read[0][slot], read[1] if slot == slots[0] else OK) for slot in slots]

    def thrown(read: tuple[Faces, DieState]) -> Throw:
        dice = tuple(
            Thrown(die=f"{table}-d{slot}", face=face, state=state)
            for slot, (face, state) in zip(slots, shown(read), strict=True)
        )
        return Throw(table=table, dice=dice, choice=choice)

    number = wrong.do(thrown(reads[0])).throw
    for before, read in pairwise(reads):
        if shown(before) != shown(read):
            dice = tuple(Shown(face=face, state=state) for face, state in shown(read))
            wrong.do(CorrectThrow(table=table, throw=number, dice=dice, reason=Reason.MISREAD))
    right.do(thrown(reads[-1]))


def throw_hooligan(pits: tuple[Pit, Pit], reads: list[tuple[Faces, DieState]], pick: int) -> None:
    view = tables.table(pits[1].house, "h1")
    if not view.round:
        return
    with pits[1].house.read() as connection:
        schedule = schedules.of(pits[1].house, connection, view.fingerprint)
    state = HooliganState.from_json(dict(view.state))
    choice: Any = None
    if view.offered:
        choices = legal_choices(schedule.rules, state.game.position)  # type: ignore[union-attr]
        choice = choices[pick % len(choices)]
    slots = dice_to_throw(state, schedule, choice)  # type: ignore[arg-type]
    if slots:
        throw(pits, "h1", slots, reads, None if choice is None else str(choice))
    else:
        both(pits, hooligan.Choose(table="h1", choice=str(choice)))


def step(pits: tuple[Pit, Pit], name: str, *values: Any) -> None:
    match name, values:
        case "bet", (player, (bet, spot), toke):
            parent = next((one["wager"] for one in wagers.riding(pits[1].house, "c1") if one["bet"] == "pass"), None)
            asked = wagers.Bet(
                player=player,
                bet=bet,
                spot=spot,
                stake_minor=40_00,
                parent=parent if bet == "odds" else None,
                toke=toke,
            )
            both(pits, wagers.PlaceBets(table="c1", bets=(asked,)))
        case "down", (pick,):
            riding = wagers.riding(pits[1].house, "c1")
            if riding:
                one = wagers.TakeDown(wager=riding[pick % len(riding)]["wager"])
                both(pits, wagers.TakeDownBets(table="c1", wagers=(one,)))
        case "craps", (last, wrongly):
            throw(pits, "c1", (0, 1), [*wrongly, last], None)
        case "game", (player,):
            both(pits, hooligan.StartGame(table="h1", player=player))
        case "hooligan", (last, wrongly, pick):
            throw_hooligan(pits, [*wrongly, last], pick)


def standing(pit: Pit) -> Any:
    """All that must be alike: every balance, the tables, what each bet realised, and what the log shows."""
    balances = {line.account: line.balance_minor for line in reports.trial_balance(pit.house).accounts}
    states = [(view.state, view.round, view.exposure_minor) for view in tables.tables(pit.house)]
    log = [
        (row.throw, row.slot, row.face, row.state, row.stake_class)
        for table in ("c1", "h1")
        for row in surveillance.throws(pit.house, table)
    ]
    return json.dumps([balances, states, [str(one) for one in reports.realised(pit.house)], log], default=str)


def check_twins(steps: list[Any], template: Path) -> None:
    """Play both, and compare them after every step and all books at the end."""
    with tempfile.TemporaryDirectory() as folder:
        pits = opened(Path(folder), "wrong", template), opened(Path(folder), "right", template)
        try:
            for one in steps:
                step(pits, *one)
                assert standing(pits[0]) == standing(pits[1])
            sound(pits[0])
        finally:
            for pit in pits:
                pit.house.close()


@settings(max_examples=2, deadline=None, derandomize=True, database=None)
@given(steps=STEPS)
def test_a_house_that_corrects_stands_as_one_that_read_right_at_once(steps: list[Any], sqlite_template: Path) -> None:
    check_twins(steps, sqlite_template)


@pytest.mark.soak
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(steps=STEPS)
def test_many_houses_that_correct_stand_as_those_that_read_right_at_once(
    steps: list[Any], sqlite_template: Path
) -> None:
    check_twins(steps, sqlite_template)
