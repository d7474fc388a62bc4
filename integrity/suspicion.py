"""Is the log itself to be believed? Numbering, refusals, sorted faces, counts that are too even, voids by choice."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.dependence import sorted_chance
from integrity.effects import Effect, effect_of
from integrity.fit import too_even
from integrity.met import SETTING
from integrity.recycled import WINDOW
from integrity.tails import binomial_tail, chi2_lower_tail, hypergeometric_tail
from integrity.tallies import MOST_DICE, Tallies

TOLERATED: Final = 0.001
"""Share of rows refused, missing or doubled above which a log is suspect."""
SORTED_SHARE: Final = 0.9
"""Share of throws with sorted faces from which the faces count as sorted by the logger."""
SORTED_SHARE_OF_TWO: Final = 0.995
"""The same for two dice, which a heavy load on one of them sorts nearly always."""
FEWEST_EVEN: Final = 100
"""Throws of a die from which counts may be called too even."""
SORTED_LOOKS: Final = 2 * (MOST_DICE + 1)
"""Looks for sorted faces: upward and downward, by number of dice in the throw."""
LUCKY: Final = 3
"""Checks that depend on luck (even, sorted, voids) and share alpha equally."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One reason not to believe a log: the attack's id, what was seen, its chance in an honest log, and how large.

    The interval of the effect is at one less what the check may spend.
    """

    attack: str
    words: str
    log10_pvalue: float | None = None
    effect: Effect | None = None


def suspicions(tallies: Tallies, refused: int, alpha: float) -> tuple[Suspicion, ...]:
    """Find the reasons not to believe a log.

    `alpha` is the chance that any of the reasons that depend on luck (even, sorted, voids) is raised against an honest
    log; the rest are facts about its rows.
    """
    share = alpha / LUCKY
    found = [*_facts(tallies, refused), *_sorted(tallies, share), *_even(tallies, share), *_voids(tallies, share)]
    return tuple(found)


def faces_sorted(tallies: Tallies) -> bool:
    """Tell whether faces were sorted by the logger, so that places in the throw mean nothing."""
    return any(True for _ in _sorted(tallies, 0.01))


def too_many(count: int, total: int) -> bool:
    """Tell whether so many rows or numbers of `total` are more than an honest log may lack or repeat."""
    return count / total > TOLERATED


def _facts(tallies: Tallies, refused: int) -> Iterator[Suspicion]:
    """Check the numbering and the rows."""
    sequence = min((tallies.by_table, tallies.by_die), key=lambda each: each.missing + each.backward)
    throws = int(tallies.throws_by_setting().sum())
    cases = (
        ("refused", refused, tallies.rows + refused, "{} of {} rows were refused"),
        ("gaps", sequence.missing, throws + sequence.missing, "{} of {} throw numbers are missing"),
        ("gaps", sequence.backward, throws, "{} of {} throw numbers go backward or stand twice"),
        ("twice", tallies.doubled, tallies.rows, "{} of {} rows repeat a die of the same throw"),
    )
    for attack, count, total, words in cases:
        if total and too_many(count, total):
            yield Suspicion(attack, words.format(f"{count:,}", f"{total:,}"))
    if copies := tallies.recycled.copies:
        part = f", in a sample of 1 in {1 << tallies.recycled.bits} of all stretches" if tallies.recycled.bits else ""
        yield Suspicion("recycled", f"{copies:,} stretches of {WINDOW} dice occur again, face by face{part}")


def _sorted(tallies: Tallies, alpha: float) -> Iterator[Suspicion]:
    """Check whether nearly all throws of two or more dice are written in order of size."""
    for dice in range(2, len(tallies.orders)):
        throws, *ways = (int(count) for count in tallies.orders[dice])
        for count, way in zip(ways, ("upward", "downward"), strict=True):
            if not throws or count < sorted_share(dice) * throws:
                continue
            chance = sorted_chance(dice)
            log10_p = binomial_tail(count, throws, chance)[1]
            if log10_p < np.log10(alpha / SORTED_LOOKS):
                words = (
                    f"{count:,} of {throws:,} throws of {dice} dice are sorted {way}; {chance:.1%} would be by chance"
                )
                effect = effect_of(f"throws sorted {way}", count, throws, chance, alpha)
                yield Suspicion("sorted", words, log10_p, effect)


def sorted_share(dice: int) -> float:
    """Give the share of throws of so many dice that must be sorted before the logger is blamed for it."""
    return SORTED_SHARE if dice > 2 else SORTED_SHARE_OF_TWO


def _even(tallies: Tallies, alpha: float) -> Iterator[Suspicion]:
    """Check whether the counts of a die, or of the whole log, are closer to equal than chance allows."""
    cells = tallies.spelt_cells()
    faces = cells.counts.sum(axis=1)
    by_die = {
        tallies.name_of("die", code): faces[cells.die == code].sum(axis=0) for code in np.unique(cells.die) if code >= 0
    }
    streams = {"the whole log": tallies.faces(), **{f"die {name}": counts for name, counts in by_die.items()}}
    long = {name: counts for name, counts in streams.items() if counts.sum() >= FEWEST_EVEN}
    for name, counts in long.items():
        log10_p = _left_tail(counts)
        if log10_p < np.log10(alpha / len(long)):
            yield Suspicion(
                "too_even", f"the counts of {name}, {', '.join(map(str, counts.tolist()))}, are too even", log10_p
            )


def _left_tail(counts: NDArray[np.int64]) -> float:
    """Give log10 of the chance of counts as even as these.

    Beyond the exact law's reach the chi-square law is taken one step of the lattice of counts further, where sums of
    squares move by 2: near 0 the plain law gives about half the chance that the lattice has.
    """
    exact = too_even(counts)
    if exact.law == "exact" and exact.log10_pvalue is not None:
        return exact.log10_pvalue
    assert exact.statistic is not None
    return chi2_lower_tail(exact.statistic + lattice_step(exact.n, len(counts)), len(counts) - 1)[1]


def lattice_step(n: int, faces: int = 6) -> float:
    """Give the step of Pearson's statistic on the lattice of the counts of n throws."""
    return 2 * faces / n


def _voids(tallies: Tallies, alpha: float) -> Iterator[Suspicion]:
    """Check whether the share of void throws follows a shooter or a box, each against all the others (exact law)."""
    settings = np.array(list(tallies.settings), dtype=np.int64).reshape(-1, len(SETTING))
    throws = tallies.throws_by_setting()
    total, void = int(throws.sum()), int(throws[:, 1:].sum())
    looks = [
        (kind, code) for kind in ("shooter", "box") for code in np.unique(settings[:, SETTING.index(kind)]) if code >= 0
    ]
    if not void or len(looks) < 2:
        return
    for kind, code in looks:
        rows = throws[settings[:, SETTING.index(kind)] == code]
        own, own_void = int(rows.sum()), int(rows[:, 1:].sum())
        log10_p = hypergeometric_tail(own_void, own, void, total)
        if log10_p < np.log10(alpha / len(looks)):
            who, others = f"{kind} {tallies.name_of(kind, int(code))}", total - own
            effect = effect_of(f"void throws of {who}", own_void, own, (void - own_void) / others, alpha)
            words = (
                f"{own_void:,} of {own:,} throws of {who} are void, {100 * effect.value:.1f} % "
                f"({100 * effect.low:.1f} % to {100 * effect.high:.1f} %), {void - own_void:,} of {others:,} of the "
                f"others, {100 * effect.expected:.1f} %"
            )
            yield Suspicion("voids", words, log10_p, effect)
