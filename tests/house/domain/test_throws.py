"""What a throw may be, and that one die that does not count voids the whole of it."""

import pytest

from house.domain.refusals import Refusal, Refused
from house.domain.throws import DieState, read_throw


@pytest.mark.parametrize("state", [state for state in DieState if state is not DieState.OK])
@pytest.mark.parametrize("slot", [0, 1])
def test_one_die_that_does_not_count_voids_the_throw(state: DieState, slot: int) -> None:
    states = ["ok", "ok"]
    states[slot] = state.value
    assert not read_throw((3, 4), tuple(states), dice=2).counts


def test_the_dice_keep_the_order_in_which_they_were_thrown() -> None:
    assert read_throw((6, 1), None, dice=2).shown == (6, 1)


def test_a_die_off_the_table_need_not_show_a_face() -> None:
    assert read_throw((None, 4), ("off", "ok"), dice=2).faces == (None, 4)


@pytest.mark.parametrize(
    ("faces", "states", "field", "limit"),
    [
        ((3,), None, "faces", "2"),
        ((3, 4, 5), None, "faces", "2"),
        ((3, 4), ("ok",), "states", "2"),
        ((3, 7), None, "faces[1]", "1 to 6"),
        ((0, 4), None, "faces[0]", "1 to 6"),
        ((None, 4), None, "faces[0]", "1 to 6"),
        ((True, 4), None, "faces[0]", "1 to 6"),
        ((9, 4), ("off", "ok"), "faces[0]", "1 to 6"),
        ((3, 4), ("ok", "lost"), "states[1]", "ok, cocked, off, foul, void"),
        ((3, 4), ("ok", "kept"), "states[1]", "ok, cocked, off, foul, void"),
    ],
)
def test_what_is_no_throw_is_refused_by_field_and_bound(
    faces: tuple[int | None, ...], states: tuple[str, ...] | None, field: str, limit: str
) -> None:
    with pytest.raises(Refused) as refused:
        read_throw(faces, states, dice=2)
    assert (refused.value.refusal, refused.value.field, refused.value.limit) == (Refusal.BAD_THROW, field, limit)
