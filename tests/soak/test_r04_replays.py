"""R4: 2,000 keys, five copies of each from eight threads, shuffled: one effect each, and identical bodies."""

import pytest

from house.service import reports
from tests.figures import Figure
from tests.house.pits import Pit
from tests.house.service.test_replays import replay_storm

pytestmark = pytest.mark.soak


def test_r4_two_thousand_keys_of_five_copies_have_one_effect_each(pit: Pit, figure: Figure) -> None:
    database = pit.house._read_engine.dialect.name
    figure("R4", **{database: replay_storm(pit, keys=2000, copies=5)})
    assert reports.check(pit.house).discrepancies == ()
