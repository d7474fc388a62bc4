"""T1: in a house of fair dice the chance that the live laboratory ever raises anything is at most alpha."""

import numpy as np
import pytest

from house.domain.watching import Watching
from integrity import monitors
from integrity.monitors import panel
from tests.figures import Figure

pytestmark = pytest.mark.soak

TABLES, THROWS = 200, 5_000
"""Fair tables of one house, every other of two dice and of five, and throws of each."""


# The shares of the budget of all tables add to less than 1, and what is counted, monitors that ever stood at their bar,
# is more than what becomes an incident: with seeds of chance this fails on honest code in at most 1 run of 100.
def test_t1_two_hundred_fair_tables_stay_within_the_budget(figure: Figure) -> None:
    rule, crossed = Watching(), 0
    for number in range(1, TABLES + 1):
        size = 2 if number % 2 else 5
        of = panel(size, alpha=float(rule.alpha * rule.share(number)))
        faces = np.random.default_rng(number).integers(1, 7, (THROWS, size))
        state = monitors.observe_all(of, monitors.start(of), faces)
        crossed += int(np.count_nonzero(monitors.field(of, state, "crossed")))
    figure("T1", tables=TABLES, throws=THROWS, alpha=str(rule.alpha), alarms=crossed)
    assert crossed == 0
