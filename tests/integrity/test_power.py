"""Power and planning against the anchors of the methods note and against simulation."""

import math

import numpy as np
import pytest

from integrity.asked import answer
from integrity.directed import exact_contrasts, max_contrast_critical
from integrity.errors import LaboratoryError, PlanError
from integrity.plan import Plan, judge, plan_by_size, plan_by_throws, plan_of_record, plan_text, read_plan
from integrity.power import ATTACKS, SINCE, power_of, smallest_size, throws_needed, watched_throws


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_attack_is_a_law_at_every_size(attack: str) -> None:
    kind = ATTACKS[attack]
    for size in (kind.most, kind.most / 2, kind.most / 100):
        law = kind.law(size)
        assert math.fsum(law) == pytest.approx(1.0, abs=1e-12)
        assert np.all(law >= 0.0)


@pytest.mark.parametrize(
    ("attack", "size", "anchor"),
    [
        ("load", 0.01, 27_120),
        ("load", 0.02, 6_864),
        ("load", 0.05, 1_153),
        ("tilt", 0.01, 16_128),
        ("tilt", 0.05, 646),
        ("flats", 0.01, 10_848),
        ("repeats", 0.05, 1_153),
        ("repeats", 0.1, 305),
        ("equal", 0.02, 6_760),
        ("seven", 0.1, 305),
        ("no_seven", 1 - 6 / 6.25, 40_200),
        ("no_seven", 0.25, 960),
        ("order", 0.1, 780),
        ("any", 0.05, 22.03 / (36 * 0.05**2)),
        ("crooked_box", 0.02, 6_864),
        ("missing", 0.0, 36),
        ("few_faces", 0.0, 11),
    ],
)
def test_planned_throws_match_the_methods_note(attack: str, size: float, anchor: int) -> None:
    # the note's own Monte Carlo error is 1-3 %
    assert throws_needed(attack, size) == pytest.approx(anchor, rel=0.03)


@pytest.mark.parametrize(("attack", "size", "anchor"), [("load", 0.1, 300), ("flats", 0.05, 442), ("tilt", 0.1, 161)])
def test_short_planned_tests_pay_for_their_true_size(attack: str, size: float, anchor: int) -> None:
    # the anchors took plain z, which rejects 1.2 % and more of fair dice at 1 %: exact tails need up to 8 % more throws
    assert anchor * 0.97 <= throws_needed(attack, size) <= anchor * 1.08


def test_planned_binomial_throws_are_the_smallest_that_reach_the_power() -> None:
    n = throws_needed("repeats", 0.2)
    assert power_of("repeats", 0.2, n) >= 0.9
    assert all(power_of("repeats", 0.2, earlier) < 0.9 for earlier in range(max(1, n - 40), n))


def test_power_of_the_contrasts_agrees_with_simulated_throws() -> None:
    law = ATTACKS["load"].law(0.1)
    samples = np.random.default_rng(51).multinomial(300, law, size=20_000)
    greatest = exact_contrasts(samples).max(axis=1)
    simulated = float(np.mean(greatest >= max_contrast_critical(0.01)))
    # 4 sd of the simulation and 2 % for the normal law
    assert power_of("load", 0.1, 300) == pytest.approx(simulated, abs=0.008 + 0.02)


@pytest.mark.parametrize("attack", ["load", "tilt", "flats", "repeats", "no_seven"])
def test_smallest_size_and_throws_needed_are_inverse(attack: str) -> None:
    size = smallest_size(attack, 2000)
    assert size is not None
    assert throws_needed(attack, size) <= 2000 * 1.01
    assert throws_needed(attack, size * 0.97) > 2000


def test_smallest_size_matches_the_side_table() -> None:
    # chi2: 0.055 at 1,000 and 0.0175 at 10,000; contrasts see 5 % less
    assert smallest_size("load", 1_000) == pytest.approx(0.055, rel=0.08)
    assert smallest_size("load", 10_000) == pytest.approx(0.0175, rel=0.08)
    assert smallest_size("load", 2) is None
    assert smallest_size("missing", 36) == 0.0
    assert smallest_size("missing", 35) is None


def test_more_dice_need_more_throws() -> None:
    one, ten, thousand = (throws_needed("load", 0.05, dice=dice) for dice in (1, 10, 1000))
    assert one < ten < thousand < 2 * one


def test_watching_costs_about_half_as_much_again() -> None:
    # the note: battery e 461 (258) against 300 for a load of 0.1; 400 streams, quantile error about 4 %
    watched = watched_throws("load", 0.1, rng=np.random.default_rng(52))
    assert watched.throws == pytest.approx(461, rel=0.12)
    assert watched.median == pytest.approx(258, rel=0.12)


def test_answer_works_both_ways() -> None:
    rng = np.random.default_rng(53)
    there = answer("equal", rng=rng, size=0.1, streams=200)
    back = answer("equal", rng=rng, throws=there.planned_throws, streams=200)
    assert back.size == pytest.approx(0.1, rel=0.02)
    assert there.price == pytest.approx(there.watched_throws / there.planned_throws)
    assert answer("load", rng=rng, throws=2).size is None
    assert answer("missing", rng=rng, streams=50).planned_throws == 36


def test_order_is_watched_by_the_laws_after_each_face() -> None:
    # the note, general e on a pair locked by 0.2: 350; 60 streams leave about 8 %
    watched = watched_throws("order", 0.2, rng=np.random.default_rng(55), streams=60)
    assert watched.throws == pytest.approx(350, rel=0.2)


def test_a_magnet_is_watched_by_its_detector() -> None:
    # the note: q = 0.5 has median 44 and 90 % point 72 with a horizon of 5,000; the horizon here is 20,000
    watched = watched_throws("magnet", 0.5 - 1 / 6, rng=np.random.default_rng(54), streams=100)
    assert watched.median == pytest.approx(48, rel=0.25)


@pytest.mark.parametrize(
    "call",
    [
        lambda: throws_needed("voodoo", 0.1),
        lambda: throws_needed("load", 0.0),
        lambda: throws_needed("tilt", 0.5),
        lambda: throws_needed("load", 0.1, alpha=0.0),
        lambda: throws_needed("load", 0.1, power=1.0),
        lambda: throws_needed("load", 0.1, dice=0),
        lambda: throws_needed("load", 1e-6),
        lambda: answer("load", rng=np.random.default_rng(1)),
        lambda: answer("load", rng=np.random.default_rng(1), size=0.1, throws=10),
    ],
)
def test_impossible_questions_are_refused(call: object) -> None:
    with pytest.raises(LaboratoryError):
        call()  # type: ignore[operator]


def test_plan_survives_being_written_down() -> None:
    plan = plan_by_size("load", 0.1, subjects=4)
    assert plan_of_record(plan.to_record()) == plan
    assert read_plan(plan_text(plan)) == plan
    assert plan.smallest_size == pytest.approx(0.1, rel=0.01)


@pytest.mark.parametrize("attack", [*sorted(SINCE), "voids", "gaps", "voodoo"])
def test_what_no_audit_can_be_held_to_is_not_planned(attack: str) -> None:
    why = {"voids": "every audit makes", "gaps": "every audit makes", "voodoo": "got voodoo$"}
    with pytest.raises(PlanError, match=why.get(attack, "a log does not say when it begins")):
        plan_by_throws(attack, 100)
    with pytest.raises(PlanError, match="must be one of load"):
        plan_of_record(plan_by_throws("missing", 36).to_record() | {"attack": attack})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"attack": "load"}', "nan", "[" * 100_000])
def test_texts_that_are_no_plan_are_refused(text: str) -> None:
    with pytest.raises(PlanError, match="plan must"):
        read_plan(text)


def test_plan_decides_only_at_its_own_number_of_throws() -> None:
    plan = plan_by_throws("load", 600, subjects=10)
    assert judge(plan, 599, -9.0) == "too_few"
    assert judge(plan, 600, -2.9) == "not_shown"
    assert judge(plan, 600, -3.1) == "crooked"
    assert judge(plan, 0, None) == "no_data"
    with pytest.raises(PlanError, match="planned 600"):
        judge(plan, 601, -9.0)


@pytest.mark.parametrize(
    "change",
    [{"attack": "voodoo"}, {"throws": 0}, {"alpha": 2.0}, {"throws": "600"}, {"power": True}, {"extra": 1}],
)
def test_faulty_plans_are_refused(change: dict[str, object]) -> None:
    record = plan_by_throws("load", 600).to_record() | change
    with pytest.raises(PlanError):
        plan_of_record(record)
    assert isinstance(plan_by_throws("load", 600), Plan)
