"""A stretch of throws that occurs again is found, whatever the cut into batches; chance does not bring one about."""

import numpy as np
import pytest

from integrity.audit import audit
from integrity.findings import Verdict
from integrity.observations import observations
from integrity.recycled import MOST_KEPT, WINDOW, Recycled


def faces(throws: int, seed: int = 1) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Throw one fair die."""
    return np.random.default_rng(seed).integers(1, 7, throws)


def test_a_copied_stretch_counts_each_of_its_windows_once() -> None:
    thrown = faces(1000)
    recycled = Recycled()
    assert thrown[-1] != thrown[299]
    recycled.add(np.concatenate((thrown, thrown[300:400])))
    # 100 copied dice hold 77 windows of 24
    assert recycled.copies == 100 - WINDOW + 1


@pytest.mark.parametrize("size", [1, 7, 24, 100])
def test_batches_of_any_size_find_the_same_copies(size: int) -> None:
    thrown = np.concatenate((faces(300), faces(300)))
    recycled = Recycled()
    for at in range(0, len(thrown), size):
        recycled.add(thrown[at : at + size])
    assert recycled.copies == 300 - WINDOW + 1


def test_long_logs_keep_a_bounded_sample_that_still_finds_copies() -> None:
    thrown = faces(400_000, seed=2)
    recycled = Recycled()
    recycled.add(thrown)
    assert (recycled.copies, len(recycled.kept) <= MOST_KEPT) == (0, True)
    recycled.add(thrown[1000:21_000])
    # one in 2^bits of 19,977 windows, give or take four standard deviations
    expected = 19_977 / 2**recycled.bits
    assert abs(recycled.copies - expected) < 4 * expected**0.5


def test_two_logs_that_share_a_stretch_are_found_when_merged() -> None:
    first, second = Recycled(), Recycled()
    first.add(faces(500))
    second.add(np.concatenate((faces(500, seed=3), faces(500)[:100])))
    first.merge(second)
    assert first.copies == 100 - WINDOW + 1


def test_a_log_with_recycled_rows_is_suspect() -> None:
    thrown = faces(2000)
    found = audit(observations(np.concatenate((thrown, thrown[:500])), die="d"))
    assert found.verdict is Verdict.LOG_SUSPECT
    assert "477 stretches of 24 dice occur again" in found.findings[-1].words


def test_a_die_that_shows_little_else_than_a_six_recycles_nothing() -> None:
    rng = np.random.default_rng(4)
    thrown = np.where(rng.random(5000) < 0.95, 6, rng.integers(1, 7, 5000))
    assert audit(observations(thrown, die="d")).verdict is Verdict.CROOKED
