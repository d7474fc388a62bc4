"""Evidence over time: every kind of accused subject has a path, and the path ends at what the finding states."""

from collections.abc import Callable

import numpy as np
import pytest

from integrity.audit import audit
from integrity.observations import NO_TIME, Observations, observations, whole_throws
from integrity.paths import paths
from integrity.sparklines import crossing, signs_for, sparkline
from integrity.tallies import tally
from integrity.times import Times

THROWS = 3000


def faces_of(seed: int, dice: int = 2) -> tuple[np.random.Generator, np.ndarray]:
    """Throw fair dice."""
    rng = np.random.default_rng(seed)
    return rng, rng.integers(1, 7, (THROWS, dice))


def loaded(rng: np.random.Generator, rows: int) -> np.ndarray:
    """Throw a die whose six comes up in 40 % of its throws."""
    return rng.choice(6, rows, p=[0.12] * 5 + [0.4]) + 1


def six_dice(rng: np.random.Generator) -> list[str]:
    """Draw two of six dice for every throw, in any order."""
    return [f"d{code}" for _ in range(THROWS) for code in rng.permutation(6)[:2].tolist()]


def a_die() -> Observations:
    """A loaded die that came in the middle of the night."""
    rng, faces = faces_of(1)
    faces[1000:, 0] = loaded(rng, THROWS - 1000)
    return observations(faces, die=["L", "a"], box="B", shooter="S", table="T")


def a_box() -> Observations:
    """Whatever dice pass through one of two boxes, equal faces are held."""
    rng, faces = faces_of(2)
    box = np.arange(THROWS) // 100 % 2
    kept = (box == 1) & (rng.random(THROWS) < 0.4)
    faces[kept, 1] = faces[kept, 0]
    return observations(faces, die=six_dice(rng), box=[f"B{code}" for code in box], table="T")


def a_table() -> Observations:
    """A magnet at one of two tables, switched on for a while."""
    rng, faces = faces_of(3)
    table = np.arange(THROWS) // 200 % 2
    on = (table == 1) & (np.arange(THROWS) > 1500)
    faces[on] = loaded(rng, 2 * int(on.sum())).reshape(-1, 2)
    return observations(faces, die=six_dice(rng), table=[f"T{code}" for code in table])


def a_pair() -> Observations:
    """Two of three dice held to seven."""
    rng, faces = faces_of(4, 3)
    kept = rng.random(THROWS) < 0.3
    faces[kept, 2] = 7 - faces[kept, 0]
    return observations(faces, die=["z", "b", "a"], table="T")


def a_hand() -> Observations:
    """One of three shooters avoids half of the sevens."""
    rng, faces = faces_of(5)
    shooter = np.arange(THROWS) // 50 % 3
    seven = (shooter == 1) & (faces.sum(axis=1) == 7) & (rng.random(THROWS) < 0.7)
    faces[seven, 1] = faces[seven, 0]
    return observations(faces, die=six_dice(rng), shooter=[f"S{code}" for code in shooter], table="T")


def a_place() -> Observations:
    """The second die of a throw is uneven, whichever die it is."""
    rng, faces = faces_of(6)
    faces[:, 1] = loaded(rng, THROWS)
    return observations(faces, die=six_dice(rng), table="T")


def a_stake_class() -> Observations:
    """Dice misbehave when the stakes are large."""
    rng, faces = faces_of(7)
    stakes = rng.integers(0, 4, THROWS)
    faces[stakes == 3] = loaded(rng, 2 * int((stakes == 3).sum())).reshape(-1, 2)
    return observations(faces, die=six_dice(rng), stake_class=stakes.repeat(2), table="T")


CASES: dict[tuple[str, str | int], Callable[[], Observations]] = {
    ("die", "L"): a_die,
    ("box", "B1"): a_box,
    ("table", "T1"): a_table,
    ("pair", "a + z"): a_pair,
    ("shooter", "S1"): a_hand,
    ("slot", 1): a_place,
    ("stake_class", 3): a_stake_class,
}


@pytest.mark.parametrize("subject", CASES, ids=str)
def test_a_path_ends_at_what_the_finding_states_in_one_pass_in_batches_and_merged(subject: tuple[str, str]) -> None:
    batch = CASES[subject]()
    found = audit(batch)
    (path,) = [each for each in paths(found) if each.accused]
    assert (path.finding.kind, path.finding.id) == subject
    assert path.log10_evalues[-1] == pytest.approx(path.finding.log10_evalue, abs=1e-9)
    assert path.exact
    assert path.throws[-1] == THROWS - 1
    assert path.log10_evalues[0] < path.bar < path.log10_evalues[-1]
    cut = int(batch.starts()[1111])
    parts = [batch.take(slice(0, cut)), batch.take(slice(cut, None))]
    merged = tally(parts[:1])
    merged.merge(tally(parts[1:]))
    for other in (tally(whole_throws(parts)), merged):
        (again,) = [each for each in paths(audit(other)) if each.accused]
        assert again.throws.tolist() == path.throws.tolist()
        assert again.log10_evalues == pytest.approx(path.log10_evalues, abs=1e-9)


def test_a_path_with_rows_that_the_finding_sets_aside_says_so() -> None:
    # the box holds faces, and a loaded die passes through it half of the time
    rng, faces = faces_of(8)
    faces[:, 0] = loaded(rng, THROWS)
    box = np.arange(THROWS) // 100 % 2
    kept = (box == 1) & (rng.random(THROWS) < 0.6)
    faces[1:, 1] = np.where(kept[1:], faces[:-1, 1], faces[1:, 1])
    found = audit(observations(faces, die=["L", "a"], box=[f"B{code}" for code in box], table="T"))
    aside = [each for each in paths(found) if each.finding.set_aside and each.accused]
    assert aside
    for each in aside:
        assert each.exact == (each.finding.kind == "die")
        assert each.exact or f"to {each.log10_evalues[-1]:.1f}: without that" in crossing(each)


def test_a_path_tells_the_time_by_which_it_was_over_the_bar() -> None:
    rng, faces = faces_of(9)
    faces[:, 0] = loaded(rng, THROWS)
    at = np.arange(THROWS) * 30_000_000
    found = audit(observations(faces, die=["L", "a"], table="T", at=at.repeat(2)))
    (path,) = [each for each in paths(found) if each.accused]
    throw, time = path.first_over(), path.time_over()
    assert throw is not None
    assert time is not None
    assert time.timestamp() == 30 * throw


def test_times_are_the_same_in_batches_and_merged() -> None:
    rng = np.random.default_rng(10)
    table, throw = rng.integers(-1, 3, 500), np.arange(500)
    at = np.where(rng.random(500) < 0.1, NO_TIME, 1000 * throw)
    whole, parts, late = Times(), Times(), Times()
    whole.add(table, throw, at)
    for rows in (slice(0, 100), slice(100, 130), slice(130, 500)):
        parts.add(table[rows], throw[rows], at[rows])
    early = Times()
    early.add(table[:130], throw[:130], at[:130])
    late.add(table[130:], throw[130:], at[130:])
    early.merge(late, np.array([0, 1, 2, -1]))
    for each in (parts, early):
        assert (each.shift, each.latest.tolist()) == (whole.shift, whole.latest.tolist())
    assert whole.by_block(np.array([-1, 0, 1, 2]), 9, 1).tolist() == [at.max()]


def test_a_sparkline_clips_what_is_below_0_and_shows_its_last_value() -> None:
    drawn = sparkline([-3.0, *np.linspace(0, 10, 99)], 10.0, "01234567", width=10)
    assert drawn == "".join(sorted(drawn))
    assert (len(drawn), drawn[-1]) == (10, "7")
    assert signs_for("latin-1").isascii()
