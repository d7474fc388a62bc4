"""Quartiles of what rides, among the throws before."""

from house.domain.stake_class import FEWEST, count, digits, quartile


def test_no_class_before_enough_throws_were_seen() -> None:
    seen: dict[int, int] = {}
    for _ in range(FEWEST - 1):
        seen = count(seen, 100)
    assert quartile(seen, 100) is None
    assert quartile(count(seen, 100), 100) is not None


def test_the_class_is_the_quartile_of_the_middle_rank() -> None:
    seen = dict.fromkeys(range(10, 90), 1)  # 80 throws, one of each amount
    # Below 30 are 20 of 80; with half of itself the middle rank is 20.5 of 80, in the second quartile.
    assert [quartile(seen, amount) for amount in (1, 29, 30, 49, 50, 69, 70, 99)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert quartile({0: 50, 1000: 50}, 0) == 1  # middle rank 25 of 100
    assert quartile({0: 50, 1000: 50}, 1000) == 3
    assert quartile({0: 50, 1000: 50}, 5_000_000) == 3


def test_amounts_are_counted_by_two_digits_so_that_the_table_stays_small() -> None:
    assert [digits(amount) for amount in (0, 7, 42, 431, 98_765)] == [0, 7, 42, 430, 98_000]
    seen: dict[int, int] = {}
    for amount in range(0, 1_000_000, 97):
        seen = count(seen, amount)
    assert len(seen) <= 100 + 90 * 4
