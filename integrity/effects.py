"""How large: the rate that an attack moves, with its exact interval, and the fixed-sample test that describes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from integrity.dependence import transition_test
from integrity.evidence import together
from integrity.fit import Result, pearson
from integrity.sequential import face_battery, restrict, strongest
from integrity.tails import binomial_tail
from integrity.timeline import spell_of

HELD: Final[Mapping[str, str]] = {
    "equal": "pairs showing equal faces",
    "seven": "pairs adding to seven",
    "eleven": "pairs adding to eleven",
    "no_seven": "pairs adding to seven",
}


@dataclass(frozen=True, slots=True)
class Effect:
    """A rate: `hits` of `n` were `what`, `expected` is fair, `low` to `high` the exact interval at 1 - alpha."""

    what: str
    hits: int
    n: int
    value: float
    expected: float
    low: float
    high: float

    def record(self) -> dict[str, Any]:
        """Give the effect as JSON's plain values."""
        return {
            "what": self.what,
            "value": self.value,
            "expected": self.expected,
            "low": self.low,
            "high": self.high,
            "hits": self.hits,
            "n": self.n,
        }

    def __str__(self) -> str:
        """Say it in words.

        >>> str(effect_of("repeats", 40, 120, 1 / 6, 0.01))
        'repeats in 40 of 120, 33.3 % (22.7 % to 45.3 %), fair 16.7 %'
        """
        low, high = f"{100 * self.low:.1f} %", f"{100 * self.high:.1f} %"
        return (
            f"{self.what} in {self.hits:,} of {self.n:,}, {100 * self.value:.1f} % ({low} to {high}), "
            f"fair {100 * self.expected:.1f} %"
        )


@dataclass(frozen=True, slots=True)
class Description:
    """The effect of an attack and its fixed-sample test: p-value, law used, name, statistic, degrees of freedom."""

    effect: Effect | None
    pvalue: float | None
    log10_pvalue: float | None
    law: str
    test: str | None = None
    statistic: float | None = None
    df: int | None = None


NOTHING: Final = Description(None, None, None, "no data")


def effect_of(what: str, hits: int, n: int, expected: float, alpha: float) -> Effect:
    """Bound a rate by Clopper and Pearson at 1 - alpha."""
    low = float(special.betaincinv(hits, n - hits + 1, alpha / 2)) if hits else 0.0
    high = float(special.betaincinv(hits + 1, n - hits, 1 - alpha / 2)) if hits < n else 1.0
    return Effect(what, hits, n, hits / n, expected, low, high)


def describe(
    attack: str, moves: NDArray[np.int64], togethers: NDArray[np.int64], null: tuple[float, ...], alpha: float
) -> Description:
    """Describe an attack (a component of the evidence) on a subject's counts.

    Parameters
    ----------
    moves
        Previous face (0 for none) by face, shape (7, 6).
    togethers
        Face by face of pairs of dice, shape (6, 6).
    """
    law = np.array(null)
    if attack == "repeats":
        same = np.diagonal(moves[1:])
        expected = moves[1:].sum(axis=1) @ law
        return _rate("repeats", int(same.sum()), int(moves[1:].sum()), float(expected), alpha)
    if attack in HELD:
        hits, chance = together(togethers, law)["seven" if attack == "no_seven" else attack]
        n = int(togethers.sum())
        if attack != "no_seven":
            return _rate(HELD[attack], int(hits), n, n * chance, alpha)
        if not n:
            return NOTHING
        effect = effect_of(HELD[attack], int(hits), n, chance, alpha)
        return Description(effect, *binomial_tail(n - int(hits), n, 1 - chance), "exact", "binomial", float(hits))
    if attack == "order":
        told = _rate(
            "repeats", int(np.trace(moves[1:])), int(moves[1:].sum()), float(moves[1:].sum(axis=1) @ law), alpha
        )
        result = transition_test(moves[1:])
        return _tested(told.effect, result)
    return _faces(attack, moves.sum(axis=0), null, alpha)


def describe_spell(
    blocks: NDArray[np.int64], block_throws: int, null: tuple[float, ...], alpha: float, *, to_end: bool
) -> Description:
    """Describe the likeliest spell of a face in counts by block of throws, shape (blocks, 6).

    It was picked after looking, so that its interval is too narrow and it has no p-value: the e-value alone decides.
    """
    face, start, end = spell_of(blocks, null, to_end=to_end)
    counts = blocks[start:end].sum(axis=0)
    n = int(counts.sum())
    if not n:
        return NOTHING
    last = "the end" if to_end else f"throw {end * block_throws - 1:,}"
    what = f"face {face} from about throw {start * block_throws:,} to {last}"
    return Description(effect_of(what, int(counts[face - 1]), n, null[face - 1], alpha), None, None, "e-value alone")


def _rate(what: str, hits: int, n: int, expected: float, alpha: float) -> Description:
    """Describe a rate that is too high by the exact binomial tail at its mean chance."""
    if not n:
        return NOTHING
    pvalue, log10_pvalue = binomial_tail(hits, n, expected / n)
    effect = effect_of(what, hits, n, expected / n, alpha)
    return Description(effect, pvalue, log10_pvalue, "exact", "binomial", float(hits))


def _faces(attack: str, counts: NDArray[np.int64], null: tuple[float, ...], alpha: float) -> Description:
    """Describe uneven faces: the faces favoured most, and Pearson's test over all of them."""
    n = int(counts.sum())
    if not n:
        return NOTHING
    battery = face_battery(null)
    named = battery if attack == "any" else restrict(battery, attack)
    _, favoured, _ = strongest(named, counts)
    result = pearson(counts, null)
    hits, expected = sum(int(counts[face - 1]) for face in favoured), sum(null[face - 1] for face in favoured)
    what = f"face {' or '.join(map(str, favoured))}"
    if attack == "doubled":
        what += f" (face {int(counts.argmin()) + 1} never)"
    return _tested(effect_of(what, hits, n, expected, alpha), result)


def _tested(effect: Effect | None, result: Result) -> Description:
    """Describe an effect with the test that was made of it."""
    return Description(effect, result.pvalue, result.log10_pvalue, result.law, result.test, result.statistic, result.df)
