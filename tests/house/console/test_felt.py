"""The felt: nothing that a schedule offers is missing, nothing lies where it does not belong."""

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import combinations

import pytest

from house.console.drawing import chips, printed, side
from house.console.drawing.felt import FORM, Viewer, felt, laid_out, place_of
from house.console.drawing.layout import Area, Panel
from house.domain.ids import PlayerId, WagerId
from house.domain.throws import read_throw
from house.domain.wagers import Placement
from house.engines import craps
from house.engines.craps import CrapsState, Schedules
from payouts.craps.terms import CrapsSchedule
from payouts.reading import read_file
from payouts.schedule import load, parse, shipped, shipped_names

SHIPPED = shipped_names("craps")

CUSTOM = """
[bets.lucky_nine]
shape = "throw"
printed = "Lucky <nine> & more"
pays = {9 = "6 to 1"}
limits = {min = "1.00", max = "100.00", increment = "1.00"}

[bets.doubles_race]
shape = "race"
printed = "doubles before seven"
pays = {hard = "1 to 1"}
loses = "7, 11"
limits = {min = "1.00", max = "100.00", increment = "1.00"}
"""


@cache
def schedule_of(name: str) -> CrapsSchedule:
    schedule = load(shipped("craps", name))
    assert isinstance(schedule, CrapsSchedule)
    return schedule


@pytest.fixture(scope="module")
def strip() -> CrapsSchedule:
    return schedule_of("strip-345x")


@pytest.fixture(scope="module")
def custom() -> CrapsSchedule:
    """A shipped schedule with two bets that its file defines."""
    schedule = parse(read_file(shipped("craps", "double-odds")) + CUSTOM, "custom.toml")
    assert isinstance(schedule, CrapsSchedule)
    return schedule


class Buttons(HTMLParser):
    """Attributes of every button of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "button":
            self.found.append(dict(attrs))


COME_OUT = CrapsState()


def drawn(schedule: CrapsSchedule, state: CrapsState = COME_OUT, *, bets: bool = True, players: str = "ann bob") -> str:
    return str(felt(Schedules(schedule), state, Viewer(seats=chips.seats(players.split()), bets=bets)))


def buttons(schedule: CrapsSchedule, state: CrapsState = COME_OUT) -> dict[str, dict[str, str | None]]:
    """Buttons of the wide shape, by bet and spot."""
    found = Buttons(drawn(schedule, state)).found
    return {str(one["value"]): one for one in found if not str(one["id"]).startswith("narrow-")}


def shape(panels: tuple[Panel, ...], left_out: str) -> list[Area]:
    return [area for panel in panels if panel.name != left_out for area in panel.areas]


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("left_out", ["side wide", "side narrow"])
def test_every_bet_at_every_spot_of_a_shipped_schedule_is_on_the_felt_exactly_once(name: str, left_out: str) -> None:
    schedule = schedule_of(name)
    found = sorted((area.bet, area.spot) for area in shape(laid_out(schedule), left_out))
    assert found == sorted((bet, spot) for bet in schedule.bets for spot in schedule.spots(bet))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_spot_is_a_button_of_the_betting_form_with_an_id_of_its_own_and_a_name(name: str) -> None:
    schedule = schedule_of(name)
    found = Buttons(drawn(schedule)).found
    assert {one["value"] for one in found} == {f"{bet}:{spot}" for bet, spot in printed.offered(schedule)}
    assert all(one["form"] == FORM and one.get("type", "submit") == "submit" and one["aria-label"] for one in found)
    assert len({one["id"] for one in found}) == len(found)


def test_a_bet_that_a_file_defines_has_a_place_and_its_name_cannot_break_the_page(custom: CrapsSchedule) -> None:
    found = buttons(custom)
    assert found["lucky_nine:"]["aria-label"] == "Lucky <nine> & more, pays 6 to 1"
    assert found["doubles_race:"]["aria-label"] == "Doubles before seven, pays 1 to 1"
    assert "<nine>" not in drawn(custom)


@pytest.mark.parametrize("name", [*SHIPPED, "custom"])
def test_no_two_spots_overlap_and_every_one_is_large_enough_to_tap(name: str, custom: CrapsSchedule) -> None:
    for panel in laid_out(custom if name == "custom" else schedule_of(name)):
        for area in panel.areas:
            x, y, width, height = area.box
            assert min(x, y) >= 0
            assert x + width <= panel.width + 0.01
            assert y + height <= panel.height + 0.01
            assert min(width, height) >= 42, area
        for one, other in combinations([area.box for area in panel.areas], 2):
            apart = one.x + one.width <= other.x + 0.01 or other.x + other.width <= one.x + 0.01
            above = one.y + one.height <= other.y + 0.01 or other.y + other.height <= one.y + 0.01
            assert apart or above


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("place:6", "Place 6, pays 7 to 6"),
        ("buy:4", "Buy 4, pays 2 to 1 less 5% commission"),
        ("hardway:8", "Hard 8, pays 9 to 1"),
        ("hop:2-3", "Hop 2-3, pays 15 to 1"),
        ("hop:3-3", "Hop 3-3, pays 30 to 1"),
        ("big:8", "Big eight, pays 1 to 1"),
        ("horn_high:12", "Horn high 12, pays 30 to 1 on 2, 12, 15 to 1 on 3, 11"),
        ("field:", "Field, pays 2 to 1 on 2, 1 to 1 on 3, 4, 9, 10, 11, 3 to 1 on 12"),
        ("fire:", "Fire, pays 24 to 1 on 4, 249 to 1 on 5, 999 to 1 on 6"),
        ("small:", "Small, pays 35 for 1"),
        ("across:", "Across, an order: place 4, 5, 6, 8, 9, 10"),
        ("buffalo:", "Buffalo, an order: hardway 4, 6, 8, 10 and any seven"),
    ],
)
def test_a_spot_is_named_with_the_odds_as_the_schedule_file_writes_them(
    strip: CrapsSchedule, at: str, said: str
) -> None:
    assert str(buttons(strip, CrapsState(point=None))[at]["aria-label"]).split("; closed")[0] == said


def test_the_odds_on_the_felt_are_those_of_the_schedule_not_of_a_habit() -> None:
    text = read_file(shipped("craps", "uk")).replace('6 = "7 to 6", 8 = "7 to 6"', '6 = "11 to 10", 8 = "11 to 10"', 1)
    changed = parse(text, "changed.toml")
    assert isinstance(changed, CrapsSchedule)
    assert ">11 to 10</text>" in drawn(changed)


def test_on_a_come_out_come_bets_and_odds_are_closed_and_the_reason_is_in_their_names(strip: CrapsSchedule) -> None:
    found = buttons(strip)
    shut = {at for at, one in found.items() if "disabled" in one}
    behind = {f"{bet}:{spot}" for bet in ("odds", "lay_odds") for spot in strip.spots(bet)}
    assert shut == {"come:", "dont_come:", *(f"put:{spot}" for spot in strip.spots("put")), *behind}
    assert found["come:"]["aria-label"] == "Come, pays 1 to 1; closed: the bet is made with the puck on"
    assert found["odds:6"]["aria-label"] == "Odds 6, pays 6 to 5; closed: no flat bet stands on this number"


def test_who_may_not_bet_sees_the_same_felt_without_a_button(strip: CrapsSchedule) -> None:
    html = drawn(strip, bets=False)
    assert Buttons(html).found == []
    assert "PASS LINE" in html
    assert ">7 to 6<" in html


def play(schedule: CrapsSchedule, *steps: Placement | tuple[int, int]) -> CrapsState:
    """A table after bets and throws, ann having the dice."""
    schedules, state = Schedules(schedule), CrapsState(rail=(PlayerId("ann"),))
    for step in steps:
        if isinstance(step, Placement):
            state = craps.place(state, schedules, (step,)).state
        else:
            state = craps.throw(state, schedules, read_throw(step, None, 2)).state
    return state


def bet(
    wager: str, bet: str, stake: int, spot: str = "", *, player: str = "ann", parent: str | None = None
) -> Placement:
    behind = None if parent is None else WagerId(parent)
    return Placement(wager=WagerId(wager), player=PlayerId(player), bet=bet, spot=spot, stake=stake, parent=behind)


def test_a_come_bet_moves_to_the_box_of_its_number_and_its_odds_lie_with_it(strip: CrapsSchedule) -> None:
    state = play(
        strip,
        bet("p", "pass", 1500),
        (4, 4),
        bet("c", "come", 1500),
        bet("d", "dont_come", 2000, player="bob"),
        (5, 4),
        bet("o", "odds", 3000, parent="c"),
        bet("q", "odds", 7500, parent="p"),
    )
    wagers = {wager.id: wager for wager in state.wagers}
    assert {one: place_of(wager, wagers.get(wager.parent or WagerId(""))) for one, wager in wagers.items()} == {
        "p": ("pass", ""),
        "c": ("number", "9"),
        "d": ("behind", "9"),
        "o": ("number", "9"),
        "q": ("pass", ""),
    }


def test_chips_show_whose_they_are_their_sum_and_whether_they_work(strip: CrapsSchedule) -> None:
    placed = (
        bet("1", "place", 1800, "6"),
        bet("2", "place", 1200 + 600, "6"),
        bet("3", "place", 3000, "6", player="bob"),
        bet("4", "yo", 100, player="bob"),
    )
    html = drawn(strip, play(strip, *placed), bets=False)
    wide = html[html.index("side wide") : html.index("side narrow")]
    assert wide.count(">$36</text>") == 1  # 18 and 18 of ann's
    assert wide.count(">$30</text>") == 1
    assert wide.count(">AN</text>") == wide.count(">BO</text>") == 1
    assert wide.count(">OFF</text>") == 3  # the puck, and both on a come-out
    assert ">$1</text>" in html


def test_the_puck_is_on_in_the_box_of_the_point_and_off_in_its_place_of_rest(strip: CrapsSchedule) -> None:
    eight = next(number.box for number in side.wide(strip).numbers if number.total == 8)
    x, y = puck(drawn(strip, CrapsState(point=8), bets=False), "on")
    assert eight.x < x < eight.x + eight.width
    assert eight.y < y < eight.y + eight.height
    assert puck(drawn(strip, bets=False), "off") == side.wide(strip).rest


def puck(html: str, word: str) -> tuple[float, float]:
    """Middle of the puck on the wide shape, which comes first."""
    found = re.findall(
        r'<circle cx="([\d.]+)" cy="([\d.]+)" r="1[257]"/><circle[^>]*>'
        r"<text[^>]*>(ON|OFF)<",
        html,
    )
    assert [said for _, _, said in found] == [word.upper()] * 2
    return float(found[0][0]), float(found[0][1])


def test_what_bets_over_a_hand_have_gathered_is_marked(strip: CrapsSchedule) -> None:
    state = play(strip, bet("s", "small", 100), bet("r", "repeater", 100, "6"), (1, 2), (2, 4), (3, 3))
    html = drawn(strip, state, bets=False)
    marks = html.count('class="made"')
    assert marks == 3  # 3 and 6 of small, and how often the repeater's six was shown
    assert sorted(re.findall(r'class="made-word"[^>]*>(\d+)<', html)) == ["2", "3", "6"]


def test_a_wager_of_an_earlier_version_that_is_not_offered_any_more_does_not_break_the_felt(
    strip: CrapsSchedule,
) -> None:
    bets = {name: terms for name, terms in strip.bets.items() if name != "small"}
    later = replace(strip, bets=bets, header=replace(strip.header, version=2))
    state = play(strip, bet("s", "small", 100))
    html = felt(Schedules(later, (strip,)), state, Viewer(seats=chips.seats(["ann"])))
    assert "PASS LINE" in html


@pytest.mark.parametrize(("count", "shown"), [(2, 2), (5, 5), (12, 12)])
def test_many_players_on_one_spot_are_all_told_apart_or_counted(strip: CrapsSchedule, count: int, shown: int) -> None:
    players = [f"{letter}x" for letter in "abcdefghijkl"[:count]]
    state = play(strip, *(bet(player, "place", 1800, "6", player=player) for player in players))
    html = drawn(strip, state, bets=False, players=" ".join(players))
    wide = html[html.index("side wide") : html.index("side narrow")]
    more = sum(int(part.split("<")[0]) for part in wide.split(">+")[1:])
    assert wide.count('class="initials"') + more == shown
    assert wide.count(">$18</text>") + more == shown  # and what each has
