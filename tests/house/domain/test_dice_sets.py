"""What may be put into play and thrown."""

import pytest

from house.domain.dice_sets import InPlay, read_set
from house.domain.ids import DieSerial
from house.domain.refusals import Refusal, Refused

SET = InPlay((DieSerial("a"), DieSerial("b"), DieSerial("c")))


@pytest.mark.parametrize(
    ("thrown", "field"), [(["a", "x"], "dice[1]"), (["a", "a"], "dice[1]"), (["", "a"], "dice[0]")]
)
def test_a_die_that_is_not_in_play_or_thrown_twice_is_refused_by_its_slot(thrown: list[str], field: str) -> None:
    with pytest.raises(Refused) as refused:
        SET.check_thrown(thrown)
    assert (refused.value.refusal, refused.value.field) == (Refusal.NOT_IN_PLAY, field)


def test_a_set_has_dice_enough_and_each_once() -> None:
    assert read_set(("a", "b"), "box", least=2).dice == ("a", "b")
    with pytest.raises(Refused) as few:
        read_set(("a",), None, least=2)
    assert (few.value.value, few.value.limit) == ("1", "at least 2")
    with pytest.raises(Refused) as twice:
        read_set(("a", "b", "a"), None, least=2)
    assert twice.value.field == "dice[2]"
