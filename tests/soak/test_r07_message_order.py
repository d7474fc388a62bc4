"""R7: all orders of bet, win and rollback, two copies of each at most, and the end of the round among them."""

import pytest

from tests.figures import Figure
from tests.house.pits import Pit
from tests.house.service.test_corrections import sound
from tests.house.service.test_rounds import orders, send

pytestmark = pytest.mark.soak


def test_r7_every_order_ends_as_the_model_says(pit: Pit, figure: Figure) -> None:
    every = orders(ends=1)
    for number, order in enumerate(every):
        send(pit, order, f"o{number}")
        if number % 50 == 0:  # a later gaming day, in the middle of it all
            pit.clock.now = pit.clock.now.replace(day=pit.clock.now.day % 28 + 1)
    figure("R7", **{pit.house._read_engine.dialect.name: {"orders": len(every), "as_the_model": len(every)}})
    sound(pit)
