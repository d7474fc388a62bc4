"""Audits held to a plan: the first throws alone, the planned p alone."""

import numpy as np
import pytest

from integrity.audit import audit
from integrity.errors import PlanError
from integrity.findings import Verdict
from integrity.observations import Observations, observations
from integrity.plan import plan_by_size, plan_by_throws
from integrity.report import text


def thrown(law: list[float], throws: int, seed: int = 1) -> Observations:
    """Throw one die of a given law beside a fair one."""
    rng = np.random.default_rng(seed)
    faces = np.stack((rng.choice(6, throws, p=law), rng.integers(0, 6, throws)), axis=1) + 1
    return observations(faces, die=["a", "b"], shooter="S")


FAIR = [1 / 6] * 6
LOADED = [0.14, 0.14, 0.14, 0.14, 0.14, 0.3]


def test_a_planned_load_is_shown_on_the_planned_throws_alone() -> None:
    plan = plan_by_throws("load", 500, subjects=2)
    found = audit(thrown(LOADED, 800), plan=plan)
    assert [(each.id, each.n, each.verdict) for each in found.findings[:2]] == [
        ("a", 500, Verdict.CROOKED),
        ("b", 500, Verdict.NOT_SHOWN),
    ]
    assert found.verdict is Verdict.CROOKED
    assert "500 throws of each of at most 2 subjects" in text(found).replace("\n", " ")


def test_a_planned_finding_tells_its_p_and_not_what_is_watched() -> None:
    found = audit(thrown(LOADED, 800), plan=plan_by_throws("load", 500, subjects=2)).findings[0]
    assert found.log10_pvalue is not None
    assert found.log10_pvalue < -7
    assert "In the one test that was planned, a fair subject shows as much or more once in 10^" in found.words
    assert " ever" not in found.words


def test_later_throws_do_not_change_a_planned_verdict() -> None:
    plan = plan_by_throws("load", 300, subjects=2)
    early, late = thrown(FAIR, 300), thrown(LOADED, 4000, seed=2)
    later = observations(late.face, throw=late.throw + 300, die=late.die.values(), shooter="S", slot=late.slot)
    assert audit([early, later], plan=plan).findings[0].pvalue == audit(early, plan=plan).findings[0].pvalue


def test_fewer_throws_than_planned_are_too_few_whatever_they_show() -> None:
    found = audit(thrown([0.02, 0.02, 0.02, 0.02, 0.02, 0.9], 100), plan=plan_by_throws("load", 101, subjects=2))
    assert found.verdict is Verdict.TOO_FEW


def test_more_subjects_than_the_plan_shares_its_alpha_over_are_refused() -> None:
    with pytest.raises(PlanError, match="at least the 2 of kind die in the log, got 1"):
        audit(thrown(FAIR, 100), plan=plan_by_throws("load", 100))


def test_repeats_count_transitions_and_a_hand_counts_its_throws() -> None:
    batch = thrown(FAIR, 400)
    repeats = audit(batch, plan=plan_by_throws("repeats", 300, subjects=2)).findings[0]
    sevens = audit(batch, plan=plan_by_throws("no_seven", 300)).findings[0]
    assert (repeats.kind, repeats.n, sevens.kind, sevens.n) == ("die", 300, "shooter", 300)


def test_faces_that_follow_a_pattern_are_held_to_a_plan() -> None:
    rng, faces = np.random.default_rng(7), [1]
    for follows, face in zip(rng.random(600) < 0.4, rng.integers(1, 7, 600), strict=True):
        faces.append(faces[-1] % 6 + 1 if follows else int(face))
    plan = plan_by_size("order", 0.4)
    found = audit(observations(faces, die="d"), plan=plan).findings[0]
    assert (found.n, found.df, found.verdict) == (plan.throws, 25, Verdict.CROOKED)
    assert plan.throws < 100


def test_a_face_unseen_by_the_planned_throw_is_certain() -> None:
    # 6 (5/6)^36 = 0.0085, the smallest number of throws under 1 %
    faces = [face for _ in range(12) for face in (1, 3, 5)]
    found = audit(observations(faces, die="d"), plan=plan_by_throws("missing", 36))
    assert found.findings[0].pvalue == pytest.approx(6 * (5 / 6) ** 36)
    assert found.findings[0].verdict is Verdict.CROOKED


def test_a_log_cannot_be_held_to_a_magnet_and_a_stream_cannot_be_read_twice() -> None:
    with pytest.raises(PlanError, match="a log does not say when it begins"):
        plan_by_throws("magnet", 100, subjects=2)
    with pytest.raises(PlanError, match="reads the log twice"):
        audit(iter([thrown(FAIR, 100)]), plan=plan_by_throws("load", 100, subjects=2))


def test_a_log_without_anybody_of_the_kind_that_was_planned_for_is_refused() -> None:
    # 100 throws of dice without a serial were once called "not shown crooked", though nothing was tested
    with pytest.raises(PlanError, match="name a die in some row to be held to a plan against load, got none"):
        audit(observations([1, 2, 3, 4] * 25), plan=plan_by_throws("load", 100))


def test_the_tallies_of_a_planned_audit_are_those_of_its_throws() -> None:
    found = audit(thrown(LOADED, 800), plan=plan_by_throws("load", 500, subjects=2))
    assert (found.throws, int(found.tallies.faces().sum())) == (800, 1000)


@pytest.mark.parametrize(
    ("attack", "subjects", "who"),
    [("crooked_box", 2, "B"), ("crooked_hand", 2, "X"), ("stakes", 2, 3), ("any", 4, None), ("slot", 2, None)],
)
def test_boxes_hands_stakes_places_and_misshapen_dice_are_held_to_a_plan(
    attack: str, subjects: int, who: object
) -> None:
    # box B, hand X and stakes 3 go with faces that lean to a six; the dice and their places pass through both halves
    rng = np.random.default_rng(9)
    lean = np.arange(1200) % 2 == 1
    faces = np.where(lean[:, None], rng.choice(6, (1200, 2), p=LOADED), rng.integers(0, 6, (1200, 2))) + 1
    of_throw = {"box": np.where(lean, "B", "A"), "shooter": np.where(lean, "X", "Y")}
    text = {name: [str(each) for each in column for _ in range(2)] for name, column in of_throw.items()}
    batch = observations(faces, die=["a", "b"], stake_class=np.where(lean, 3, 1).repeat(2), **text)
    found = audit(batch, plan=plan_by_throws(attack, 1000, subjects=subjects))
    assert {each.n for each in found.findings if each.kind != "log"} == {1000}
    assert {each.attack.id for each in found.accused if each.attack} == {attack}
    assert who is None or [each.id for each in found.accused] == [who]
