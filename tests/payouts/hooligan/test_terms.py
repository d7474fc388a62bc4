"""Loading a Hooligan schedule: every fault at once, the canonical form, the guard, and what the file declares."""

from fractions import Fraction

import pytest

from payouts.errors import ScheduleError
from payouts.hooligan.percentages import figures
from payouts.hooligan.rules import HooliganKeep, HooliganRules, Natural
from payouts.hooligan.schedule import Band, HooliganSchedule, reading_fingerprint
from payouts.schedule import load, parse, shipped, shipped_names

HEAD = 'game = "hooligan"\nname = "test"\nversion = 1\ncurrency = "USD"\n'
PRINTED = '[[pays]]\nscore = [84, 89]\npays = "1.00"\n[[pays]]\nscore = [90, 93]\npays = "2.00"\n'


def schedule(text: str) -> HooliganSchedule:
    parsed = parse(text, "test.toml")
    assert isinstance(parsed, HooliganSchedule)
    return parsed


def faults(text: str) -> dict[str, str]:
    with pytest.raises(ScheduleError) as caught:
        parse(text, "test.toml")
    return {fault.key: fault.value for fault in caught.value.faults}


def test_scarnes_quarter_is_read() -> None:
    read = schedule(HEAD + 'stake = "0.25"\n' + PRINTED)
    assert (read.stake_minor, read.trade_cost) == (25, Fraction(1))
    assert read.rules == HooliganRules()
    assert read.bands == (Band(84, 89, 100), Band(90, 93, 200))
    assert [read.pays_minor(score) for score in (0, 83, 84, 89, 90, 93, 94, 335)] == [0, 0, 100, 100, 200, 200, 0, 0]
    assert len(read.law) == 336
    assert sum(read.law) == 6 * 100 + 4 * 200
    assert read.greatest_minor == 200
    assert read.warnings == ()


def test_every_reading_is_read() -> None:
    rules = (
        "[rules]\nthrows_per_frame = 2\nnatural = 'optional'\npoint_must_show = true\nhooligan_keep = 'none'\n"
        "may_stop_early = true\n"
    )
    read = schedule(HEAD + 'stake = "0.25"\n' + rules + PRINTED)
    assert read.rules == HooliganRules(2, Natural.OPTIONAL, True, HooliganKeep.NONE, True)


def test_all_faults_are_listed_at_once() -> None:
    text = (
        HEAD
        + 'stake = "0.255"\ntrade_cost = "1.5"\ncolour = "red"\n[rules]\nnatural = "sometimes"\nthrows_per_frame = 6\n'
        + "[declared]\nexpert = '10 %'\n"
        + '[[pays]]\nscore = [84, 89]\npays = "-1"\n[[pays]]\nscore = [93, 90]\npays = "2"\n'
        + '[[pays]]\nscore = [100, 546]\npays = "2"\n[[pays]]\nscore = 5\nmore = 1\n'
    )
    assert set(faults(text)) == {
        "stake", "trade_cost", "colour", "rules.natural", "rules.throws_per_frame", "declared.expert", "pays[0].pays",
        "pays[1].score", "pays[2].score", "pays[3].score", "pays[3].pays", "pays[3].more",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("second", "key"),
    [("[89, 93]", "pays[1].score"), ("[80, 84]", "pays[0].score"), ("[85, 86]", "pays[1].score")],
)
def test_overlapping_bands_are_refused(second: str, key: str) -> None:
    bands = f'[[pays]]\nscore = [84, 89]\npays = "1"\n[[pays]]\nscore = {second}\npays = "2"\n'
    assert list(faults(HEAD + 'stake = "0.25"\n' + bands)) == [key]


@pytest.mark.parametrize("score", ["[-1, 5]", "[336, 340]", "[5]", "[5, 6, 7]", "[5.0, 6.0]", "[true, 5]", "'84-89'"])
def test_score_that_is_no_band_is_refused(score: str) -> None:
    bands = f'[[pays]]\nscore = {score}\npays = "1"\n'
    assert list(faults(HEAD + 'stake = "0.25"\n' + bands)) == ["pays[0].score"]


def test_band_bound_is_the_perfect_score_of_the_reading() -> None:
    two = "[rules]\nthrows_per_frame = 2\n"
    assert schedule(HEAD + 'stake = "100"\n' + two + '[[pays]]\nscore = [230, 230]\npays = "1"\n').bands[0].high == 230
    assert list(faults(HEAD + 'stake = "100"\n' + two + '[[pays]]\nscore = [230, 231]\npays = "1"\n')) == [
        "pays[0].score"
    ]


def test_schedule_without_bands_is_refused() -> None:
    assert faults(HEAD + 'stake = "0.25"\n') == {"pays": "none"}


@pytest.mark.parametrize("cost", ['"0"', '"-0.5"', "0.5", '"1.0001"', '"a half"'])
def test_trade_cost_is_a_share_in_a_string(cost: str) -> None:
    assert list(faults(HEAD + f'stake = "0.25"\ntrade_cost = {cost}\n' + PRINTED)) == ["trade_cost"]


# The canonical form


def test_fingerprint_does_not_see_layout_order_or_notes() -> None:
    plain = schedule(HEAD + 'stake = "0.25"\n' + PRINTED)
    other = schedule(
        'notes = "x"\ntrade_cost = "1/1"\nstake = "0.25"\n'
        + HEAD
        + '[rules]\nnatural = "automatic"\n[[pays]]\nscore = [90, 93]\npays = "2"\n'
        + '[[pays]]\nscore = [84, 86]\npays = "1.0"\n[[pays]]\nscore = [87, 89]\npays = "1"\n'
        + '[declared]\noptimal = "51.6 %"\n'
    )
    assert other.canonical == plain.canonical
    assert other.fingerprint == plain.fingerprint


@pytest.mark.parametrize(
    "changed",
    [
        HEAD + 'stake = "0.26"\n' + PRINTED,
        HEAD + 'stake = "0.25"\ntrade_cost = "0.5"\n' + PRINTED,
        HEAD + 'stake = "0.25"\n[rules]\nmay_stop_early = true\n' + PRINTED,
        HEAD + 'stake = "0.25"\n' + PRINTED.replace("[84,", "[85,"),
        HEAD.replace("version = 1", "version = 2") + 'stake = "0.25"\n' + PRINTED,
    ],
)
def test_fingerprint_sees_all_that_matters(changed: str) -> None:
    assert schedule(changed).fingerprint != schedule(HEAD + 'stake = "0.25"\n' + PRINTED).fingerprint


def test_reading_fingerprint_tells_readings_apart() -> None:
    readings = [HooliganRules(), HooliganRules(natural=Natural.BONUS), HooliganRules(may_stop_early=True)]
    assert len({reading_fingerprint(rules) for rules in readings}) == 3
    assert reading_fingerprint(HooliganRules()) == reading_fingerprint(HooliganRules(throws_per_frame=3))


# The guard: the best player decides


def test_schedule_that_gives_the_best_player_an_edge_is_refused_by_stake_and_edge() -> None:
    """The best player's mean of the printed bands is $0.1210246542, so a stake of 12 cents is too little."""
    with pytest.raises(ScheduleError) as caught:
        parse(HEAD + 'stake = "0.12"\n' + PRINTED, "test.toml")
    (fault,) = caught.value.faults
    assert (fault.file, fault.key) == ("test.toml", "pays")
    assert "0.12 USD" in fault.bound
    assert fault.value == "-0.8539 % (optimal)"  # 1 - 0.1210246542 / 0.12


def test_accepted_player_edge_is_a_warning_that_names_stake_and_edge() -> None:
    read = schedule("player_edge_accepted = true\n" + HEAD + 'stake = "0.12"\n' + PRINTED)
    assert read.warnings == (
        "hooligan at a stake of 0.12 USD: the edge against the best player is -0.8539 % (accepted)",
    )


def test_stake_just_above_the_best_players_mean_passes() -> None:
    assert schedule(HEAD + 'stake = "0.13"\n' + PRINTED).warnings == ()


def test_trade_counts_at_its_cost() -> None:
    assert schedule(HEAD + 'stake = "0.12"\ntrade_cost = "0.99"\n' + PRINTED).warnings == ()


def test_game_that_always_returns_its_stake_is_refused() -> None:
    """An edge of exactly zero is no edge."""
    assert list(faults(HEAD + 'stake = "1"\n[[pays]]\nscore = [0, 335]\npays = "1"\n')) == ["pays"]


# What the file declares


@pytest.mark.parametrize("claim", ["52 %", "51.6 %", "51.59 %", "51.590 %", "51.5901 %", "51.590138 %"])
def test_declared_percentage_holds_if_the_exact_one_rounds_to_it(claim: str) -> None:
    schedule(HEAD + 'stake = "0.25"\n' + PRINTED + f'[declared]\noptimal = "{claim}"\n')


@pytest.mark.parametrize(("claim", "right"), [("51.58 %", "51.59 %"), ("51 %", "52 %"), ("-51.59 %", "51.59 %")])
def test_wrong_claim_is_refused_with_the_right_figure(claim: str, right: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        parse(HEAD + 'stake = "0.25"\n' + PRINTED + f'[declared]\noptimal = "{claim}"\n', "test.toml")
    (fault,) = caught.value.faults
    assert (fault.key, fault.value) == ("declared.optimal", claim)
    assert right in fault.bound


def test_each_kind_of_player_may_be_declared() -> None:
    text = HEAD + 'stake = "0.25"\n' + PRINTED + "[declared]\n"
    wrong = "".join(f'{kind} = "0.0 %"\n' for kind in ("optimal", "score", "simple", "blind"))
    assert list(faults(text + wrong)) == [f"declared.{kind}" for kind in ("optimal", "score", "simple", "blind")]


# The shipped schedules


def test_scarne_quarter_is_shipped_with_others() -> None:
    assert {"scarne-quarter", "quarter-ladder", "dollar-counter", "bar-trade"} <= set(shipped_names("hooligan"))


@pytest.mark.parametrize("name", shipped_names("hooligan"))
def test_shipped_schedule_loads_under_its_own_name_without_warning(name: str) -> None:
    read = load(shipped("hooligan", name))
    assert read.header.name == name
    assert isinstance(read, HooliganSchedule)
    assert read.warnings == ()


@pytest.mark.parametrize("name", [name for name in shipped_names("hooligan") if name != "scarne-quarter"])
def test_house_schedules_pay_up_to_the_perfect_score_and_keep_10_to_30_per_cent(name: str) -> None:
    read = load(shipped("hooligan", name))
    assert isinstance(read, HooliganSchedule)
    assert read.pays_minor(335) == read.greatest_minor
    assert 0.10 < figures(read).house_edge < 0.30
