"""How many throws an attack takes to see, how small an attack a log can show, and what watching costs.

Planned tests: exact binomial power for locks and sevens, exact union bounds for faces that never show, the normal law
of the fifteen contrasts for loads, tilts and flats, the noncentral chi-square law for misshapen dice, simulated counts
for order. Watched monitors: simulated at their stopping throws. All at a stated alpha, shared equally over the dice
(or boxes, or hands) that are judged together. The checks of the log itself are in `log_power`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from integrity.change import HORIZON, detector_path, magnet_detector
from integrity.directed import COEFFICIENTS, contrast_tails, max_contrast_critical
from integrity.errors import LaboratoryError
from integrity.evidence import order_log_e
from integrity.fit import FAIR_D6
from integrity.locks import COUPLED, Lock, lock_battery, lock_log_e, lock_rows
from integrity.sequential import face_battery, log_e

MOST_THROWS: Final = 20_000_000
NORMALS: Final = 4096
"""Fixed normal vectors, or drawn tables, that average a power; standard error at 90 %: 0.5 %."""
LOOKS: Final = 250
"""Times that a simulated stream is looked at on the way to its end; stopping throws are rounded up to a look."""
LOOKS_AT_ORDER: Final = 80
"""The same for order, whose evidence takes longest to weigh."""
SHORT: Final = 800
"""Below this number of throws the greatest contrast is drawn as counts, above from the normal law."""
CLEAN: Final = 300
"""Fair throws before a simulated magnet is switched on."""
FAIR: Final = np.full(6, 1 / 6)


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack by size.

    Attributes
    ----------
    law
        Size -> probabilities of what is counted: 6 faces, or 36 cells (row, column) of a lock.
    most
        The greatest size; 0 for attacks of one size only.
    test
        The planned test that is strongest for it.
    unit
        What the size measures.
    """

    law: Callable[[float], NDArray[np.float64]]
    most: float
    test: str
    unit: str


def _raised(faces: tuple[int, ...]) -> Callable[[float], NDArray[np.float64]]:
    up = np.isin(np.arange(1, 7), faces)
    return lambda size: np.where(up, 1 / 6 + size, np.maximum(1 / 6 - size * len(faces) / (6 - len(faces)), 0.0))


def _tilted(size: float) -> NDArray[np.float64]:
    return np.array([max(1 / 6 - size, 0.0), *[1 / 6] * 4, 1 / 6 + size])


def _cut(size: float) -> NDArray[np.float64]:
    return np.maximum(FAIR + size * np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0]), 0.0)


def _followed(size: float) -> NDArray[np.float64]:
    """A share of the throws shows the face after the one before, 1 coming after 6; chance throws the others."""
    return ((1 - size) / 36 + size / 6 * np.eye(6)[np.arange(1, 7) % 6]).ravel()


def _fixed(*law: float) -> Callable[[float], NDArray[np.float64]]:
    return lambda _: np.array(law)


def _locked(lock: Lock) -> Callable[[float], NDArray[np.float64]]:
    return lambda size: lock_rows(lock, size, FAIR).ravel() / 6


_CONTRASTS, _BINOMIAL = "greatest of fifteen contrasts", "exact binomial"
_OF_ALL: Final = "added chance of one face, whatever dice are thrown; counted in dice thrown"
_CHI2: Final = "chi-square on 5 degrees"
_TRANSITIONS: Final = "chi-square of transitions on 25 degrees"
_HELD: Final = "share of throws in which the faces are held"
ATTACKS: Final[dict[str, Attack]] = {
    "load": Attack(_raised((6,)), 5 / 6, _CONTRASTS, "added chance of one face, the others sharing the loss"),
    "tilt": Attack(_tilted, 1 / 6, _CONTRASTS, "chance moved to a face from its opposite"),
    "flats": Attack(_raised((1, 6)), 1 / 3, _CONTRASTS, "added chance of each of two opposite faces"),
    "any": Attack(_cut, 1 / 6, _CHI2, "added chance of each of the three faces at a corner that was cut"),
    "crooked_box": Attack(_raised((6,)), 5 / 6, _CONTRASTS, _OF_ALL),
    "crooked_hand": Attack(_raised((6,)), 5 / 6, _CONTRASTS, _OF_ALL),
    "stakes": Attack(_raised((6,)), 5 / 6, _CONTRASTS, _OF_ALL + " at such stakes"),
    "slot": Attack(_raised((6,)), 5 / 6, _CONTRASTS, _OF_ALL + " in this place"),
    "missing": Attack(_fixed(0, 0.2, 0.2, 0.2, 0.2, 0.2), 0.0, "a face unseen", "one face never shows"),
    "doubled": Attack(_fixed(0, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 3), 0.0, "a face unseen", "one face shows for another"),
    "few_faces": Attack(_fixed(1 / 3, 1 / 3, 1 / 3, 0, 0, 0), 0.0, "three faces at most", "tops and bottoms"),
    "magnet": Attack(
        _raised((6,)), 5 / 6, _CONTRASTS + ", moment known", "added chance of one face while the magnet is on"
    ),
    "switched": Attack(
        _raised((6,)), 5 / 6, _CONTRASTS + ", moment known", "added chance of one face while the magnet is on"
    ),
    "changed": Attack(
        _raised((6,)), 5 / 6, _CONTRASTS + ", moment known", "added chance of one face after the dice were changed"
    ),
    "repeats": Attack(_locked("repeats"), 1.0, _BINOMIAL, "share of throws in which the die keeps its face"),
    "order": Attack(_followed, 1.0, _TRANSITIONS, "share of throws in which the face before settles the next one"),
    "equal": Attack(_locked("equal"), 1.0, _BINOMIAL, _HELD),
    "seven": Attack(_locked("seven"), 1.0, _BINOMIAL, _HELD),
    "eleven": Attack(_locked("eleven"), 1.0, _BINOMIAL, _HELD + ", where the first die allows it"),
    "no_seven": Attack(_locked("no_seven"), 1.0, _BINOMIAL, "share of its sevens that the hand avoids"),
}
"""Attacks by name. Throws of a magnet count from the moment at which it is switched on, or the dice are changed."""
SINCE: Final = frozenset(("magnet", "switched", "changed"))
"""Attacks that begin at a moment unknown, and are watched for by a detector."""

_UNSEEN: Final = {"missing": (6, 5 / 6), "doubled": (6, 5 / 6), "few_faces": (20, 1 / 2)}
"""Attacks that stay within a set of faces: number of such sets, chance that a fair throw stays within one."""


def power_of(attack: str, size: float, throws: int, *, alpha: float = 0.01, dice: int = 1) -> float:
    """Return the chance that the planned test of `throws` throws shows the attack.

    Parameters
    ----------
    attack, size
        See `ATTACKS`; the size of an attack of one size is ignored.
    throws
        Throws of the one die (or pair) that is crooked.
    alpha, dice
        Chance that any of `dice` fair dice is accused (Bonferroni).
    """
    kind, share = _checked(attack, size, alpha, dice), alpha / dice
    if attack in _UNSEEN:
        sets, stays = _UNSEEN[attack]
        return 1.0 if math.log(sets) + throws * math.log(stays) <= math.log(share) else 0.0
    if attack in COUPLED:
        return _binomial_power(attack, kind.law(size), throws, share)
    if attack == "order":
        return _transition_power(kind.law(size), throws, share)
    if kind.test == _CHI2:
        spread = throws * float(((kind.law(size) - FAIR) ** 2 / FAIR).sum())
        return 1.0 - float(special.chndtr(special.chdtri(5, share), 5, spread))
    return _contrast_power(kind.law(size), throws, max_contrast_critical(share))


def _checked(attack: str, size: float, alpha: float, dice: int) -> Attack:
    kind = ATTACKS.get(attack)
    if kind is None:
        raise LaboratoryError(f"attack must be one of {', '.join(ATTACKS)}, got {attack}")
    if kind.most and not 0.0 < size <= kind.most:
        raise LaboratoryError(f"size must be above 0 and at most {kind.most:.4g} ({kind.unit}), got {size}")
    if not 0.0 < alpha < 1.0 or dice < 1:
        raise LaboratoryError(f"alpha must be between 0 and 1 and dice at least 1, got {alpha} and {dice}")
    return kind


def _hit_rate(attack: str, law: NDArray[np.float64]) -> float:
    """Return the chance that column goes with row, under a law of 36 cells."""
    return math.fsum(float(law[(row - 1) * 6 + column - 1]) for row, column in COUPLED[attack].items())


def _binomial_power(attack: str, law: NDArray[np.float64], throws: int, share: float) -> float:
    null, rate = _hit_rate(attack, np.full(36, 1 / 36)), _hit_rate(attack, law)
    hits = np.arange(throws + 1)
    if attack == "no_seven":
        allowed = np.flatnonzero(special.bdtr(hits, throws, null) <= share)
        return float(special.bdtr(allowed[-1], throws, rate)) if allowed.size else 0.0
    critical = int(np.argmax(special.bdtrc(hits, throws, null) <= share)) + 1
    return float(special.bdtrc(critical - 1, throws, rate)) if critical <= throws else 0.0


def _transition_power(law: NDArray[np.float64], throws: int, share: float) -> float:
    """Draw tables of transitions: the noncentral law with 25 degrees would promise up to a tenth fewer throws."""
    counts = np.random.default_rng(1953).multinomial(throws, law, size=NORMALS).reshape(NORMALS, 6, 6)
    rows, columns = counts.sum(axis=2, keepdims=True), counts.sum(axis=1, keepdims=True)
    expected = np.maximum(rows * columns / throws, 1e-300)
    statistic = ((counts - expected) ** 2 / expected).sum(axis=(1, 2))
    df = ((rows > 0).sum(axis=(1, 2)) - 1) * ((columns > 0).sum(axis=(1, 2)) - 1)
    return float(np.mean(special.chdtrc(np.maximum(df, 1), np.where(df, statistic, 0.0)) <= share))


@lru_cache(maxsize=1)
def _normals() -> NDArray[np.float64]:
    half = np.random.default_rng(1900).standard_normal((NORMALS // 2, 6))
    return np.vstack([half, -half])


def _contrast_power(law: NDArray[np.float64], throws: int, critical: float) -> float:
    """Return the chance that the greatest contrast reaches `critical`: short logs drawn as counts, long ones normal."""
    if throws < SHORT:
        counts = np.random.default_rng(1979).multinomial(throws, law, size=NORMALS)
        return float(np.mean(contrast_tails(counts)[2].min(axis=1) <= special.ndtr(-critical)))
    roots = np.sqrt(law)
    # counts / n = p + sqrt(p) (g - sqrt(p) (sqrt(p) . g)) / sqrt(n) has the covariance of a multinomial
    noise = roots * (_normals() - np.outer(_normals() @ roots, roots))
    z = (math.sqrt(throws) * law + noise) @ COEFFICIENTS.T / math.sqrt(1 / 6)
    return float(np.mean(z.max(axis=1) >= critical))


@lru_cache(maxsize=512)
def throws_needed(attack: str, size: float = 1.0, *, alpha: float = 0.01, power: float = 0.9, dice: int = 1) -> int:
    """Return the smallest number of throws at which the planned test has the power wanted.

    Raises
    ------
    LaboratoryError
        If 20 million throws are not enough.

    >>> throws_needed("repeats", 0.1), throws_needed("missing"), throws_needed("few_faces")
    (305, 36, 11)
    """
    if not 0.0 < power < 1.0:
        raise LaboratoryError(f"power must be between 0 and 1, got {power}")
    shows = partial(_shows, attack, size, alpha=alpha, power=power, dice=dice)
    needed = fewest(shows, MOST_THROWS, teeth=40 if attack in COUPLED else 0)
    if needed is None:
        raise LaboratoryError(f"size must be visible within {MOST_THROWS} throws, got {size}")
    return needed


def _shows(attack: str, size: float, throws: int, *, alpha: float, power: float, dice: int) -> bool:
    return power_of(attack, size, throws, alpha=alpha, dice=dice) >= power


def fewest(shows: Callable[[int], bool], most: int, *, teeth: int = 0) -> int | None:
    """Find the smallest number up to `most` that shows; None if none does.

    Exact powers rise in saw teeth: `teeth` steps are looked back for an earlier number that shows.
    """
    high = 8
    while not shows(high):
        high *= 2
        if high > most:
            return None
    low = high // 2 if high > 8 else 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return next((n for n in range(max(1, high - teeth), high) if shows(n)), high)


@lru_cache(maxsize=512)
def smallest_size(attack: str, throws: int, *, alpha: float = 0.01, power: float = 0.9, dice: int = 1) -> float | None:
    """Return the smallest size that the planned test of `throws` throws shows with the power wanted, to 1 in 1,000.

    None if it shows no size; 0 for an attack of one size that it shows.
    """
    most = ATTACKS[attack].most if attack in ATTACKS else 1.0
    if power_of(attack, most, throws, alpha=alpha, dice=dice) < power:
        return None
    if most == 0.0:
        return 0.0
    return least(lambda size: _shows(attack, size, throws, alpha=alpha, power=power, dice=dice), most)


def least(shows: Callable[[float], bool], most: float) -> float:
    """Find the smallest size that shows, to 1 in 1,000; `most` must."""
    low, high = 1e-5, most
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class Watched:
    """Stopping throws of a watched monitor, simulated.

    Attributes
    ----------
    throws
        Throws by which it has alarmed with the power wanted.
    median
        Throws by which it has alarmed in half of the streams.
    streams
        Streams simulated.
    """

    throws: int
    median: int
    streams: int


def watched_throws(
    attack: str,
    size: float = 1.0,
    *,
    rng: np.random.Generator,
    alpha: float = 0.01,
    power: float = 0.9,
    dice: int = 1,
    streams: int = 400,
) -> Watched:
    """Simulate when the watched monitor alarms: face battery, lock, or magnet's detector, at e >= dice / alpha."""
    law = _checked(attack, size, alpha, dice).law(size)
    horizon = max(60, int(1.6 * throws_needed(attack, size, alpha=alpha, power=power, dice=dice)))
    while True:
        stops = _stopping_throws(attack, law, horizon, math.log(dice / alpha), streams=streams, rng=rng)
        if np.mean(stops <= horizon) > power + (1 - power) / 4:
            needed, median = np.quantile(stops, (power, 0.5), method="higher")
            return Watched(int(needed), int(median), streams)
        if horizon > MOST_THROWS:
            raise LaboratoryError(f"size must be visible within {MOST_THROWS} throws, got {size}")
        horizon = int(horizon * 1.4)


def _stopping_throws(
    attack: str, law: NDArray[np.float64], horizon: int, bar: float, *, streams: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Simulate the first look at which ln e >= bar, shape (streams,); horizon + 1 or more: never."""
    if attack in SINCE:
        return _detector_throws(law, horizon, bar, streams, rng)
    step = max(1, horizon // (LOOKS_AT_ORDER if attack == "order" else LOOKS))
    looks = horizon // step
    stops = np.full(streams, horizon + 1, dtype=np.int64)
    for start in range(0, streams, 50):
        count = min(50, streams - start)
        counts = rng.multinomial(step, law, size=(count, looks)).cumsum(axis=1)
        if attack == "order":
            evidence = order_log_e(counts.reshape(count, looks, 6, 6), FAIR_D6)
        elif attack in COUPLED:
            evidence = lock_log_e(lock_battery(attack), counts.reshape(count, looks, 6, 6))
        else:
            evidence = log_e(face_battery(), counts)
        reached = evidence >= bar
        first = (reached.argmax(axis=1) + 1) * step
        stops[start : start + count] = np.where(reached.any(axis=1), first, horizon + 1)
    return stops


def _detector_throws(
    law: NDArray[np.float64], horizon: int, bar: float, streams: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Simulate the throws from switching a magnet on, after `CLEAN` fair throws, to the detector's alarm."""
    detector = magnet_detector(horizon=max(HORIZON, CLEAN + horizon))
    stops = np.empty(streams, dtype=np.int64)
    for stream in range(streams):
        faces = np.concatenate([rng.integers(1, 7, CLEAN), rng.choice(6, size=horizon, p=law) + 1])
        reached = detector_path(detector, faces)[CLEAN:] >= bar
        stops[stream] = reached.argmax() + 1 if reached.any() else horizon + 1
    return stops
