"""The head of a schedule decides how the rest of it is read."""

import pytest

from payouts.errors import ScheduleError
from payouts.schedule import parse


@pytest.mark.parametrize("game", ['"roulette"', "7"])
def test_a_game_that_is_not_known_is_the_only_fault_told(game: str) -> None:
    text = f'game = {game}\nname = "wheel"\nversion = 1\ncurrency = "USD"\nstake = "1"\n'
    with pytest.raises(ScheduleError) as raised:
        parse(text, "wheel.toml")
    assert [(fault.key, fault.bound) for fault in raised.value.faults] == [("game", 'one of "craps", "hooligan"')]


def test_other_faults_of_the_head_stand_beside_it() -> None:
    with pytest.raises(ScheduleError) as raised:
        parse('game = "roulette"\nname = "wheel"\nversion = 0\ncurrency = "USD"\n', "wheel.toml")
    assert [fault.key for fault in raised.value.faults] == ["game", "version"]
