"""What the checks of the log itself can see: both ways, by the laws and limits that the audit itself uses.

Voids, sorted faces and counts that are too even are judged by exact tests, whose power is worked out here under an
alternative that is stated in words. Missing, doubled and refused rows are facts: they are found or they are not, and
so are recycled rows as long as every stretch of the log is looked at.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np
from scipy import special

from integrity.dependence import sorted_chance
from integrity.errors import LaboratoryError
from integrity.findings import LOG_SHARE
from integrity.fit import sum_of_squares_law
from integrity.power import MOST_THROWS, fewest, least
from integrity.recycled import MOST_KEPT, WINDOW
from integrity.suspicion import FEWEST_EVEN, LUCKY, SORTED_LOOKS, TOLERATED, lattice_step, sorted_share, too_many
from integrity.tails import binomial_tail, hypergeometric_tail
from integrity.tallies import MOST_DICE

VOID_RATE: Final = 0.02
"""Share of throws that the others void, where nothing else is said."""
MOST_VOIDS: Final = 1_000_000_000
"""Throws of a log up to which chances of voids keep their digits."""
MOST_EXACT: Final = 512
"""Numbers of the others' voids up to which the fewest suspect voids of the hand are searched beside each of them."""
KNOTS: Final = 33
"""Numbers of the others' voids beside which they are searched if there are more; between them, a straight line."""
EXACT_FREE: Final = 60
"""Throws left to chance up to which their law is the exact one of sums of squares, beyond it chi-square."""
MOST_ROUNDS: Final = 10_000
"""Rounds of six faces up to which evenly dealt logs are tried."""
CERTAIN: Final = frozenset(("gaps", "twice", "refused"))
"""Checks of facts, in which luck has no part."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of the log itself.

    Attributes
    ----------
    test
        What the audit does.
    unit
        What the size measures, up to `most`.
    counted
        What the number of throws counts.
    dice
        The fewest and the most that may be judged together.
    """

    test: str
    unit: str
    counted: str
    most: float = 1.0
    dice: tuple[int, int] = (1, 1)


@dataclass(frozen=True, slots=True)
class Terms:
    """Under which terms a check is asked: see `answer` of `asked`; `rate` is the share of throws that others void."""

    alpha: float = 0.01
    power: float = 0.9
    dice: int = 1
    rate: float = VOID_RATE

    @property
    def share(self) -> float:
        """Give the chance that one check which depends on luck may call an honest log suspect."""
        return LOG_SHARE * self.alpha / LUCKY


CHECKS: Final[dict[str, Check]] = {
    "voids": Check(
        "exact hypergeometric, against all others",
        "share of throws voided by choice",
        "throws of the hand",
        dice=(2, 1000),
    ),
    "too_even": Check(
        "left tail of chi-square on 5 degrees",
        "share of the throws that an inventor deals out evenly",
        "throws of the die",
        dice=(1, 100_000),
    ),
    "sorted": Check(
        "share of throws in order of size, exact binomial",
        "share of throws whose faces the logger sorted",
        "throws of so many dice",
        dice=(2, MOST_DICE),
    ),
    "recycled": Check(
        f"stretches of {WINDOW} dice that occur again", "dice in the stretch that was copied", "dice in the log", 1e7
    ),
    "gaps": Check(
        "more than 1 number in 1,000 missing", "share of throw numbers that are missing", "throws in the log", 0.5
    ),
    "twice": Check("more than 1 row in 1,000 repeated", "share of rows that stand twice", "rows of the log", 0.5),
    "refused": Check("more than 1 row in 1,000 refused", "share of rows that cannot be right", "kept rows", 0.5),
}
"""Checks by the id of their attack; `dice` are hands and boxes for voids, dice in the throw for sorted faces."""


def is_certain(name: str, throws: int | None) -> bool:
    """Tell whether a check has no luck in it: of facts, and of copies while every stretch is looked at."""
    return name in CERTAIN or (name == "recycled" and not thinning(throws or 0))


def check_power(name: str, size: float, throws: int, terms: Terms) -> float:
    """Return the chance that the audit calls a log suspect by this check.

    Parameters
    ----------
    name, size
        See `CHECKS`.
    throws
        See `Check.counted`.
    """
    return float(_POWERS[name](size, throws, terms))


@lru_cache(maxsize=256)
def check_throws(name: str, size: float, terms: Terms) -> int | None:
    """Return the fewest throws in which this size is seen with the power wanted; None if no number is enough.

    For recycled rows it is the other way round: the most dice in the log among which a copy so long is found.
    """
    if name in CERTAIN:
        return _first_found(name, size)
    if name == "recycled":
        return _longest_log(int(size), terms.power)
    if name == "too_even":
        rounds = range(math.ceil(FEWEST_EVEN / 6), MOST_ROUNDS)
        return next((6 * n for n in rounds if _even_power(size, 6 * n, terms) >= terms.power), None)
    most = MOST_VOIDS // terms.dice if name == "voids" else MOST_THROWS
    teeth = 40 if name == "sorted" else 0
    return fewest(lambda throws: check_power(name, size, throws, terms) >= terms.power, most, teeth=teeth)


@lru_cache(maxsize=256)
def check_size(name: str, throws: int, terms: Terms) -> float | None:
    """Return the smallest size that is seen in so many throws with the power wanted; None if none is."""
    if name in CERTAIN:
        count = fewest_found(name, throws)
        return count / _total(name, throws, count) if count <= throws else None
    if name == "recycled":
        length = _shortest_copy(throws, terms.power)
        return float(length) if 2 * length <= throws else None
    if name == "too_even":
        return _least_even(throws, terms)
    most = 1.0 - terms.rate if name == "voids" else 1.0
    if check_power(name, most, throws, terms) < terms.power:
        return None
    return least(lambda size: check_power(name, size, throws, terms) >= terms.power, most)


def _void_power(size: float, throws: int, terms: Terms) -> float:
    """Add up, over the voids of the others, the chance that the hand has enough of its own."""
    others = (terms.dice - 1) * throws
    if throws + others > MOST_VOIDS:
        raise LaboratoryError(f"throws must be at most {MOST_VOIDS // terms.dice:,} of each hand, got {throws:,}")
    spread = 6.0 * math.sqrt(others * terms.rate) + 20.0
    low, high = max(0, int(others * terms.rate - spread)), min(others, int(others * terms.rate + spread))
    theirs = np.arange(low, high + 1)
    knots = theirs if len(theirs) <= MOST_EXACT else np.unique(np.linspace(low, high, KNOTS).astype(np.int64))
    own = np.zeros(len(knots))
    for place, each in enumerate(knots.tolist()):
        own[place] = fewest_voids(throws, others, each, terms, start=int(own[place - 1]) if place else 1)
    needed = np.rint(np.interp(theirs, knots, own))
    logs = special.gammaln(others + 1) - special.gammaln(theirs + 1) - special.gammaln(others - theirs + 1)
    chances = np.exp(logs + special.xlogy(theirs, terms.rate) + special.xlog1py(others - theirs, -terms.rate))
    power = float(chances @ special.bdtrc(needed - 1, throws, min(terms.rate + size, 1.0)) / chances.sum())
    return min(power, 1.0)


def fewest_voids(throws: int, others: int, theirs: int, terms: Terms, start: int = 1) -> int:
    """Find the fewest void throws of a hand that are suspect beside `theirs` of the `others`; above `throws`: none."""
    bar = math.log10(terms.share / terms.dice)

    def suspect(own: int) -> bool:
        return hypergeometric_tail(own, throws, own + theirs, throws + others) < bar

    # a hand that voids no more than the others do is never suspect
    low = min(max(start, theirs * throws // max(others, 1)), throws)
    if suspect(low):
        return low
    if not suspect(throws):
        return throws + 1
    step = 1 if start > 1 else 1 + int(3.0 * math.sqrt(low))
    while not suspect(min(low + step, throws)):
        low, step = low + step, 2 * step
    high = min(low + step, throws)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suspect(middle) else (middle, high)
    return high


def _even_power(size: float, throws: int, terms: Terms) -> float:
    """Give the chance that counts are too even when all but whole rounds of the six faces are thrown by chance."""
    free = throws - 6 * int(size * throws / 6 + 1e-9)
    bar = special.chdtri(5, 1.0 - terms.share / (terms.dice + 1)) - lattice_step(throws)
    if throws < FEWEST_EVEN or bar < 0.0:
        return 0.0
    if not free:
        return 1.0
    statistic = bar * throws / free
    if free > EXACT_FREE:
        return float(special.chdtr(5, statistic))
    squares, chances = sum_of_squares_law(free, 6)
    return float(chances[6 * squares / free - free <= statistic].sum())


def _least_even(throws: int, terms: Terms) -> float | None:
    """Give the smallest share in whole rounds that is seen."""
    low, high = 0, throws // 6 + 1
    while high - low > 1:
        middle = (low + high) // 2
        seen = _even_power(6 * middle / throws, throws, terms) >= terms.power
        low, high = (low, middle) if seen else (middle, high)
    return 6 * high / throws if high <= throws // 6 else None


def least_even_ever(terms: Terms) -> float:
    """Give the share dealt out evenly under which no log is long enough for the power wanted."""
    return float(1.0 - special.chdtri(5, 1.0 - terms.share / (terms.dice + 1)) / special.chdtri(5, 1.0 - terms.power))


def _sorted_power(size: float, throws: int, terms: Terms) -> float:
    """Give the chance that enough throws are in order, some by the logger and some of the others by chance."""
    chance, bar = sorted_chance(terms.dice), math.log10(terms.share / SORTED_LOOKS)
    needed = max(math.ceil(sorted_share(terms.dice) * throws), 1)
    while needed <= throws and binomial_tail(needed, throws, chance)[1] >= bar:
        needed += 1
    return float(special.bdtrc(needed - 1, throws, size + (1.0 - size) * chance))


def thinning(dice: int) -> int:
    """Give the bits by which stretches of a log of so many dice are thinned: one in 2^bits is looked at."""
    return int((max(dice - WINDOW + 1, 0) // MOST_KEPT).bit_length())


def _copy_power(size: float, dice: int, _: Terms) -> float:
    return _looked_at(int(size), thinning(dice))


def _looked_at(length: int, bits: int) -> float:
    """Give the chance that a stretch of the copy is among the one in 2^bits that are looked at."""
    stretches = length - WINDOW + 1
    if stretches < 1:
        return 0.0
    return 1.0 if not bits else -math.expm1(stretches * math.log1p(-(0.5**bits)))


def _shortest_copy(dice: int, power: float) -> int:
    bits = thinning(dice)
    return WINDOW - 1 + (math.ceil(math.log1p(-power) / math.log1p(-(0.5**bits))) if bits else 1)


def _longest_log(length: int, power: float) -> int | None:
    """Give the most dice among which a copy so long is looked at with the power wanted."""
    if length < WINDOW:
        return None
    bits = 0
    while _looked_at(length, bits + 1) >= power:
        bits += 1
    return MOST_KEPT * (1 << bits) - 1 + WINDOW - 1


def _total(name: str, throws: int, count: int) -> int:
    """Give what a count is a share of: repeated rows are among the rows, missing and refused ones beside them."""
    return throws if name == "twice" else throws + count


def fewest_found(name: str, throws: int) -> int:
    """Give the smallest number of rows (or throw numbers) that makes a log of so many suspect."""
    count = max(1, int(TOLERATED * throws))
    while not too_many(count, _total(name, throws, count)):
        count += 1
    return count


def _first_found(name: str, size: float) -> int | None:
    """Give the shortest log in which such a share of it, in whole rows, is too many."""
    if size <= TOLERATED:
        return None
    for count in range(1, 100_000):
        total = math.ceil(count / size - 1e-9)
        if too_many(count, total):
            return total if name == "twice" else max(total - count, 1)
    return None


def _fact_power(name: str, size: float, throws: int, _: Terms) -> float:
    count = round(size * throws) if name == "twice" else round(size / max(1.0 - size, 1e-9) * throws)
    return float(count > 0 and too_many(count, _total(name, throws, count)))


_POWERS: Final[dict[str, Callable[[float, int, Terms], float]]] = {
    "voids": _void_power,
    "too_even": _even_power,
    "sorted": _sorted_power,
    "recycled": _copy_power,
    **{name: partial(_fact_power, name) for name in CERTAIN},
}
