"""R6: 500 rounds, four settlers and a rollback of each at once: each round is paid or given back once."""

import pytest

from tests.cases.test_service_rounds import settle_race
from tests.figures import Figure
from tests.house.pits import Pit
from tests.house.service.test_corrections import sound

pytestmark = pytest.mark.soak


def test_r6_five_hundred_rounds_are_settled_once_each(pit: Pit, figure: Figure) -> None:
    won, back = settle_race(pit, 500)
    figure("R6", **{pit.house._read_engine.dialect.name: {"rounds": 500, "paid": won, "given_back": back}})
    sound(pit)
