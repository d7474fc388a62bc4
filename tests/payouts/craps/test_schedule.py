"""Loading craps schedules: what is read, what is refused, what the fingerprint covers."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from payouts.craps.catalogue import CATALOGUE
from payouts.craps.terms import CrapsSchedule
from payouts.errors import ScheduleError
from payouts.schedule import load, parse, shipped, shipped_names
from tests.payouts.craps.offers import CRAPLESS, HEAD, brought, faults, offer

EXAMPLE = """
game = "craps"
name = "example"
version = 1
currency = "USD"

[table]
points = [4, 5, 6, 8, 9, 10]
dont_bar = "12"
odds_limit = {4 = 3, 5 = 4, 6 = 5, 8 = 5, 9 = 4, 10 = 3}
come_out = {place = "off", buy = "off", lay = "on", hardway = "off", come_odds = "off"}
after_win = "stay"
rounding = {unit = "0.01", rule = "down"}
exposure = "50000.00"

[bets.pass]
pays = "1 to 1"
limits = {min = "15.00", max = "5000.00", increment = "1.00"}

[bets.place]
pays = {4 = "9 to 5", 5 = "7 to 5", 6 = "7 to 6", 8 = "7 to 6", 9 = "7 to 5", 10 = "9 to 5"}
limits = {min = "15.00", max = "5000.00", increment = "1.00", max_winnings = "25000.00"}

[bets.buy]
pays = {4 = "2 to 1", 10 = "2 to 1"}
commission = {rate = "0.05", base = "bet", when = "win", rounding = "down", unit = "1.00", minimum = "1.00"}

[bets.field]
pays = {2 = "2 to 1", 3 = "1 to 1", 4 = "1 to 1", 9 = "1 to 1", 10 = "1 to 1", 11 = "1 to 1", 12 = "3 to 1"}
"""


def example(text: str = EXAMPLE) -> CrapsSchedule:
    schedule = parse(text, "example.toml")
    assert isinstance(schedule, CrapsSchedule)
    return schedule


def test_the_published_example_is_read() -> None:
    schedule = example()
    assert schedule.table.odds_limit == {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    assert schedule.table.exposure_minor == 5_000_000
    assert schedule.bets["place"].limits.max_winnings_minor == 2_500_000
    assert schedule.spots("buy") == ("4", "10")
    assert [schedule.works_on_come_out(bet) for bet in ("place", "buy", "pass", "field")] == [False, False, True, True]


@pytest.mark.parametrize("name", ["strip-345x", "downtown-10x", "double-odds", "crapless", "bar-2", "uk", "for-one"])
def test_a_schedule_is_shipped_under_its_name(name: str) -> None:
    assert load(shipped("craps", name)).header.name == name


def test_shipped_schedules_have_different_fingerprints() -> None:
    prints = [load(shipped("craps", name)).fingerprint for name in shipped_names("craps")]
    assert len({*prints}) == len(prints)
    assert all(len(each) == 64 for each in prints)


def test_shipped_schedules_offer_every_bet_of_the_catalogue_between_them() -> None:
    offered = {bet for name in shipped_names("craps") for bet in load(shipped("craps", name)).bets}
    assert offered == {*CATALOGUE}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "example"', 'name = "example"\nnotes = "other words"'),
        ("points = [4, 5, 6, 8, 9, 10]", "points = [10, 9, 8, 6, 5, 4]"),
        ("points = [4, 5, 6, 8, 9, 10]\n", ""),
        ('after_win = "stay"\n', ""),
        ('rounding = {unit = "0.01", rule = "down"}\n', ""),
        ('min = "15.00"', 'min = "15"'),
        ('currency = "USD"', 'currency = "USD"\ndeclared = {pass = "1.41 %"}'),
        ('rate = "0.05"', 'rate = "1/20"'),
    ],
)
def test_the_fingerprint_does_not_depend_on_what_does_not_matter(old: str, new: str) -> None:
    assert old in EXAMPLE
    assert example(EXAMPLE.replace(old, new)).fingerprint == example().fingerprint


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("version = 1", "version = 2"),
        ('"USD"', '"CAD"'),
        ('dont_bar = "12"', 'dont_bar = "2"'),
        ("4 = 3,", "4 = 2,"),
        ('place = "off"', 'place = "on"'),
        ('"stay"', '"down"'),
        ('rule = "down"', 'rule = "exact"'),
        ('"50000.00"', '"50000.01"'),
        ('pays = "1 to 1"', 'pays = "2 for 1"'),
        (
            'max = "5000.00", increment = "1.00"}\n\n[bets.place]',
            'max = "5000.00", increment = "5.00"}\n\n[bets.place]',
        ),
        ('minimum = "1.00"', 'minimum = "2.00"'),
    ],
)
def test_the_fingerprint_depends_on_all_that_matters(old: str, new: str) -> None:
    assert old in EXAMPLE
    assert example(EXAMPLE.replace(old, new)).fingerprint != example().fingerprint


def test_the_canonical_form_is_json_of_text_and_whole_numbers() -> None:
    def plain(value: object) -> bool:
        if isinstance(value, dict):
            return all(isinstance(key, str) and plain(each) for key, each in value.items())
        return all(map(plain, value)) if isinstance(value, list) else value is None or isinstance(value, str | int)

    assert plain(json.loads(example().canonical))
    assert example().canonical == example().canonical


@pytest.mark.parametrize(
    ("old", "new", "keys"),
    [
        ("points = [4, 5, 6, 8, 9, 10]", "points = [4, 5, 6, 8, 9]", {"table.points"}),
        ("points = [4, 5, 6, 8, 9, 10]", "points = [4, 5, 6, 7, 8, 9, 10]", {"table.points"}),
        ("points = [4, 5, 6, 8, 9, 10]", "points = [4, 4, 5, 6, 8, 9, 10]", {"table.points"}),
        ("points = [4, 5, 6, 8, 9, 10]", 'points = "all"', {"table.points"}),
        ("{4 = 3, 5 = 4, 6 = 5, 8 = 5, 9 = 4, 10 = 3}", "{4 = 3, 5 = 4}",
         {f"table.odds_limit.{point}" for point in (6, 8, 9, 10)}),
        ("{4 = 3,", "{4 = -3,", {"table.odds_limit.4"}),
        ("{4 = 3,", "{3 = 3, 4 = 3,", {"table.odds_limit.3"}),
        ("{4 = 3,", "{4 = 1.5,", {"table.odds_limit.4"}),
        ('dont_bar = "12"', 'dont_bar = "3"', {"table.dont_bar"}),
        ('dont_bar = "12"', "dont_bar = 12", {"table.dont_bar"}),
        ('place = "off"', 'place = "perhaps"', {"table.come_out.place"}),
        ('place = "off"', "place = false", {"table.come_out.place"}),
        ('place = "off"', 'placed = "off"', {"table.come_out.placed"}),
        ('after_win = "stay"', 'after_win = "up"', {"table.after_win"}),
        ('rule = "down"', 'rule = "nearest"', {"table.rounding.rule"}),
        ('unit = "0.01"', 'unit = "0"', {"table.rounding.unit"}),
        ('exposure = "50000.00"', "exposure = 50000", {"table.exposure"}),
        ('[bets.pass]\npays = "1 to 1"', "[bets.pass]\npays = 1", {"bets.pass.pays"}),
        ('[bets.pass]\npays = "1 to 1"', "[bets.pass]", {"bets.pass.pays"}),
        ('[bets.pass]\npays = "1 to 1"', '[bets.pass]\npays = {4 = "1 to 1"}', {"bets.pass.pays"}),
        ('{4 = "9 to 5", 5', '{4 = "9:5", 5', {"bets.place.pays.4"}),
        ('{4 = "9 to 5", 5', '{7 = "9 to 5", 5', {"bets.place.pays.7"}),
        ('max = "5000.00", increment = "1.00"}', 'max = "5.00"}', {"bets.pass.limits.max"}),
        ('min = "15.00", max = "5000.00", increment = "1.00"}', 'min = "-15.00"}', {"bets.pass.limits.min"}),
        ('min = "15.00", max = "5000.00", increment = "1.00"}', 'least = "15.00"}', {"bets.pass.limits.least"}),
        ('rate = "0.05"', "rate = 0.05", {"bets.buy.commission.rate"}),
        ('rate = "0.05"', 'rate = "5 %"', {"bets.buy.commission.rate"}),
        ('rate = "0.05"', 'rate = "1.5"', {"bets.buy.commission.rate"}),
        ('base = "bet"', 'base = "stake"', {"bets.buy.commission.base"}),
        ('when = "win", ', "", {"bets.buy.commission.when"}),
        ('12 = "3 to 1"}', '12 = "3 to 1", 5 = "1 to 1"}', {"bets.field.pays.5"}),
        (', 9 = "1 to 1"', "", {"bets.field.pays.9"}),
        ("[bets.field]", "[bets.feild]", {"bets.feild"}),
        ("version = 1", "version = 0", {"version"}),
        ("version = 1", 'version = "1"', {"version"}),
        ('currency = "USD"', 'currency = "usd"', {"currency"}),
        ('currency = "USD"', 'currency = "JPY"', {
            "table.rounding.unit", "table.exposure", "bets.pass.limits.min", "bets.pass.limits.max",
            "bets.pass.limits.increment", "bets.place.limits.min", "bets.place.limits.max",
            "bets.place.limits.increment", "bets.place.limits.max_winnings", "bets.buy.commission.unit",
            "bets.buy.commission.minimum"}),
        ('name = "example"', 'name = "Example One"', {"name"}),
        ('name = "example"', 'name = "example"\ntypo = 1', {"typo"}),
        ('name = "example"', 'name = "example"\nplayer_edge_accepted = "yes"', {"player_edge_accepted"}),
        ('name = "example"', 'name = "example"\neffective_from = "soon"', {"effective_from"}),
        ('game = "craps"', 'game = "dice"', {"game"}),
    ],
)  # fmt: skip
def test_a_planted_fault_is_named_by_its_key(old: str, new: str, keys: set[str]) -> None:
    assert old in EXAMPLE
    with pytest.raises(ScheduleError) as raised:
        parse(EXAMPLE.replace(old, new, 1), "example.toml")
    named = {fault.key for fault in raised.value.faults}
    assert named >= keys
    assert all(any(key.startswith(each) for each in keys) for key in named) or "dice" in new
    assert {fault.file for fault in raised.value.faults} == {"example.toml"}


def test_all_faults_of_a_file_are_listed_together() -> None:
    text = EXAMPLE.replace('"12"', '"13"').replace('"stay"', '"go"').replace("9 to 5", "9/5").replace("version = 1", "")
    with pytest.raises(ScheduleError) as raised:
        parse(text, "example.toml")
    assert {fault.key for fault in raised.value.faults} == {
        "version", "table.dont_bar", "table.after_win", "bets.place.pays.4", "bets.place.pays.10",
    }  # fmt: skip


def test_bets_that_are_read_are_judged_even_if_others_are_not() -> None:
    text = EXAMPLE.replace('12 = "3 to 1"}', "12 = 3}").replace("4 = 3, 5 = 4,", "5 = 4,")
    text += '[bets.hop]\npays = {easy = "20 to 1"}\n'
    text = text.replace("[table]", '[declared]\npass = "1.40 %"\nfield = "9 %"\n[table]')
    with pytest.raises(ScheduleError) as raised:
        parse(text, "example.toml")
    assert [fault.key for fault in raised.value.faults] == [
        "table.odds_limit.4", "bets.field.pays.12", "bets.hop.1-2", "declared.pass",
    ]  # fmt: skip


def test_a_bet_that_there_is_not_is_one_fault_with_what_may_be_meant() -> None:
    (fault,) = faults('[bets.feild]\npays = {2 = "2 to 1"}\nlimits = {min = "1.00"}')
    assert (fault.key, fault.value) == ("bets.feild", "feild")
    assert fault.bound == "a bet of the catalogue (field?), or one that the file defines with a shape"


def test_a_file_without_bets_is_refused() -> None:
    assert [fault.key for fault in faults("")] == ["bets"]


def test_odds_without_a_limit_or_a_flat_bet_are_refused() -> None:
    odds = '[bets.odds]\npays = {4 = "2 to 1", 5 = "3 to 2", 6 = "6 to 5", 8 = "6 to 5", 9 = "3 to 2", 10 = "2 to 1"}'
    assert [fault.key for fault in faults(odds)] == ["table.odds_limit", "bets.odds"]


def test_an_order_for_bets_that_are_not_offered_is_refused() -> None:
    found = faults('[bets.place]\npays = {5 = "7 to 5", 6 = "7 to 6", 8 = "7 to 6"}\n[bets.inside]\n')
    assert [(fault.key, fault.bound) for fault in found] == [("bets.inside", "offered with place 9")]


def test_a_crapless_table_prices_its_own_points() -> None:
    schedule = offer('[bets.place]\npays = {2 = "11 to 2", 3 = "11 to 4", 12 = "11 to 2"}', CRAPLESS)
    assert [brought(schedule, "place", spot).edge_made for spot in ("2", "3")] == [Fraction(1, 14), Fraction(1, 16)]
    assert [fault.key for fault in faults('[bets.place]\npays = {2 = "11 to 2"}')] == [
        "bets.place.pays",
        "bets.place.pays.2",
    ]


CUSTOM = {
    "little_joe": ('shape = "throw"\npays = {"2-2" = "30 to 1"}', Fraction(5, 36)),
    "two_or_twelve": ('shape = "throw"\npays = {"2" = "15 to 1", "12" = "15 to 1"}', Fraction(1, 9)),
    "easy_six": ('shape = "race"\npays = {"1-5, 2-4" = "2 to 1"}\nloses = "7, 3-3"', Fraction(-1, 11)),
    "twins": ('shape = "collection"\ncollect = ["1-1", "6-6"]\nends = "7"\npays = {2 = "20 to 1"}', None),
    "three_yos": ('shape = "count"\ncount = "11"\nends = "7"\npays = {3 = "60 to 1"}', Fraction(3, 64)),
    "marathon": ('shape = "count"\ncount = "points"\npays = {4 = "20 to 1"}\nopens = "new_hand"', None),
}


def test_a_new_bet_of_each_shape_is_defined_in_the_file_alone() -> None:
    text = "".join(f"[bets.{name}]\n{body}\n" for name, (body, _) in CUSTOM.items())
    schedule = offer(text)
    for name, (_, expected) in CUSTOM.items():
        edge = brought(schedule, name).edge_made
        if expected is not None:
            assert edge == expected, name
    # both pairs before a 7: 2/8 x 1/7; P(three yos) = (2/8)^3; four points made: the chance of one cubed again
    assert brought(schedule, "twins").edge_made == 1 - 21 * Fraction(2, 8) * Fraction(1, 7)
    made = sum(Fraction(w, 24) * Fraction(w, w + 6) for w in (3, 4, 5, 5, 4, 3))
    assert brought(schedule, "marathon").edge_made == 1 - 21 * made**4


def test_a_definition_is_part_of_the_fingerprint() -> None:
    one = offer('[bets.mine]\nshape = "throw"\npays = {"2" = "30 to 1"}')
    same = offer('[bets.mine]\nshape = "throw"\npays = {"1-1" = "30 to 1"}')
    other = offer('[bets.mine]\nshape = "throw"\npays = {"12" = "30 to 1"}')
    assert one.fingerprint == same.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        ('shape = "wheel"', {"bets.mine.shape"}),
        ('shape = "throw"\npays = {"13" = "30 to 1"}', {"bets.mine.pays.13"}),
        ('shape = "throw"\npays = {"2-7" = "30 to 1"}', {"bets.mine.pays.2-7"}),
        ('shape = "throw"\npays = {"2" = "30 to 1", "hard" = "5 to 1"}', {"bets.mine.pays.hard"}),
        ('shape = "race"\npays = {"6" = "1 to 1"}\nloses = "hard"', {"bets.mine.loses"}),
        ('shape = "race"\npays = {"6" = "1 to 1"}', {"bets.mine.loses"}),
        ('shape = "throw"\npays = {"6" = "1 to 1"}\nloses = "7"', {"bets.mine.loses"}),
        ('shape = "collection"\ncollect = ["2", "1-1"]\nends = "7"\npays = {2 = "9 to 1"}', {"bets.mine.collect"}),
        ('shape = "collection"\ncollect = "2"\nends = "7"\npays = {1 = "2 to 1"}', {"bets.mine.collect"}),
        ('shape = "collection"\ncollect = ["2", 3]\nends = "7"\npays = {1 = "2 to 1"}', {"bets.mine.collect"}),
        ('shape = "collection"\ncollect = ["2"]\nends = "7"\npays = {2 = "2 to 1"}', {"bets.mine.pays.2"}),
        ('shape = "count"\ncount = "rolls"\nends = "7"\npays = {2 = "2 to 1"}', {"bets.mine.count"}),
        ('shape = "count"\ncount = "points"\nends = "7"\npays = {2 = "2 to 1"}', {"bets.mine.ends"}),
        ('shape = "count"\ncount = "6"\nends = "7, 6"\npays = {2 = "2 to 1"}', {"bets.mine.ends"}),
        ('shape = "throw"\npays = {"2" = "30 to 1"}\nopens = "behind"', {"bets.mine.opens"}),
        ('shape = "throw"\npays = {"2" = "30 to 1"}\ncome_out = "maybe"', {"bets.mine.come_out"}),
        ('shape = "throw"', {"bets.mine.pays"}),
    ],
)
def test_a_fault_of_a_definition_is_named_by_its_key(body: str, keys: set[str]) -> None:
    assert {fault.key for fault in faults(f"[bets.mine]\n{body}")} >= keys


def test_text_that_is_no_schedule_at_all_is_refused(tmp_path: Path) -> None:
    for text in ("", "[]", "\x00", HEAD, "game = 1", "bets = 3\n" + HEAD, HEAD + "table = []\nbets = {pass = 1}"):
        file = tmp_path / "any.toml"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(ScheduleError):
            load(file)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[bets.pass]\npays = "1 to 1"\n[declared]\npass = "1.41"\n', "declared.pass"),
        (
            '[bets.pass]\npays = "1 to 1"\nlimits = {min = "1.00", max = "99999999999999999.00"}\n',
            "bets.pass.limits.max",
        ),
        ('[bets.pass]\npays = "1 to 1"\nlimits = {min = "5.001", max = "4.00"}\n', "bets.pass.limits.min"),
    ],
    ids=["claim", "max", "min"],
)
def test_a_value_that_cannot_be_read_is_one_fault_and_no_other_follows_from_it(text: str, key: str) -> None:
    head = 'game = "craps"\nname = "once"\nversion = 1\ncurrency = "USD"\n'
    with pytest.raises(ScheduleError) as refused:
        parse(head + text, "once.toml")
    assert [fault.key for fault in refused.value.faults] == [key]
