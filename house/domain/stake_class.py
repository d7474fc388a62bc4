"""Whether much or little rides on a throw, as its table knows it: the quartile among the throws before it."""

from collections.abc import Mapping

FEWEST = 20
"""Throws that a table must have seen before it tells large stakes from small."""


def digits(riding: int) -> int:
    """Round an amount down to its two leading digits, so that few classes are counted.

    >>> digits(12_345), digits(99), digits(0)
    (12000, 99, 0)
    """
    scale: int = 10 ** max(0, len(str(riding)) - 2)
    return riding // scale * scale


def quartile(seen: Mapping[int, int], riding: int) -> int | None:
    """Quartile, 0 to 3, of what rides among what rode at earlier throws; None where too few were seen.

    Parameters
    ----------
    seen
        How often each amount of `digits` rode.

    Examples
    --------
    >>> [quartile({100: 10, 200: 10, 300: 10, 400: 10}, riding) for riding in (100, 200, 300, 400)]
    [0, 1, 2, 3]
    """
    number = sum(seen.values())
    if number < FEWEST:
        return None
    mark = digits(riding)
    below = sum(count for amount, count in seen.items() if amount < mark)
    middle = 2 * below + seen.get(mark, 0)
    return min(3, 2 * middle // number)


def count(seen: Mapping[int, int], riding: int) -> dict[int, int]:
    """What was seen with one more throw."""
    mark = digits(riding)
    return {**seen, mark: seen.get(mark, 0) + 1}
