"""Every file of real dice audited against its published figures."""

from pathlib import Path

import numpy as np
import pytest

from integrity.audit import Audit, audit
from integrity.findings import Finding, Verdict

DATA = Path(__file__).parents[1] / "data"


def finding(found: Audit, kind: str, identity: object) -> Finding:
    """Give the finding about one subject."""
    return next(each for each in found.findings if (each.kind, each.id) == (kind, identity))


def test_of_the_nine_robot_dice_one_crystal_and_two_skew_are_named() -> None:
    found = audit(DATA / "robot_d6_throws.csv")
    accused = {each.id for each in found.accused}
    assert accused == {"151114d6crystalcastetranslucentorange", "160110skewd6cw", "160111skewd6ccw"}
    assert (found.throws, found.missing, found.refused, found.verdict) == (16_004, 0, 0, Verdict.CROOKED)


def test_both_of_wolfs_dice_are_crooked_and_not_their_places() -> None:
    found = audit(DATA / "wolf_joint.csv")
    assert {(each.kind, each.id) for each in found.accused} == {("die", "red"), ("die", "white")}
    assert found.throws == 20_000


def test_wolfs_joint_counts_and_counts_by_die_agree() -> None:
    joint, single = audit(DATA / "wolf_joint.csv"), audit(DATA / "wolf_marginals.csv")
    for die in ("red", "white"):
        assert finding(joint, "die", die).pvalue == finding(single, "die", die).pvalue


def test_wolfs_published_figures_come_from_the_tallies() -> None:
    # Czuber 1908: root mean square deviation of the 36 cells 76.87; Jaynes 1979: entropy gap of the white die 0.006769
    tallies = audit(DATA / "wolf_joint.csv").tallies
    pairs = tallies.spelt_pairs().counts.sum(axis=0)
    assert f"{np.sqrt(((pairs - 20_000 / 36) ** 2).mean()):.2f}" == "76.87"
    white = tallies.spelt_cells()
    counts = white.counts[white.die == tallies.names["die"]["white"]].sum(axis=(0, 1)) / 20_000
    assert f"{np.log(6) + (counts * np.log(counts)).sum():.6f}" == "0.006769"


def test_labbys_dice_have_the_published_p() -> None:
    # published chi-square 25.0, p 0.00014, from unrounded counts; the rebuilt counts are off by up to 16 a face
    found = audit(DATA / "labby_faces.csv")
    assert found.throws == 315_671
    pvalue = found.findings[0].pvalue
    assert pvalue is not None
    assert 0.0001 < pvalue < 0.0002


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("wet_wood_dice_4132", 6.5e-6, 7.5e-6), ("wood_die_121", 0.45, 0.65), ("lead_die_200", 0.2438, 0.2440)],
)
def test_small_sets_have_the_published_p(name: str, low: float, high: float) -> None:
    pvalue = finding(audit(DATA / "small_count_sets.csv"), "die", name).pvalue
    assert pvalue is not None
    assert low < pvalue < high


def test_totals_of_two_software_dice_are_not_shown_crooked() -> None:
    # published chi-square 9.82 on 10 df, whose tail is 0.456
    found = audit(DATA / "software_2d6_sums.csv")
    assert (found.verdict, found.throws) == (Verdict.NOT_SHOWN, 17_548)
    assert found.findings[0].pvalue == pytest.approx(0.456, abs=1e-3)
