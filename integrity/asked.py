"""What an attack takes to see, asked of dice, hands, boxes or the log itself: throws for a size, or size for throws."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from integrity import log_words
from integrity.errors import LaboratoryError
from integrity.log_power import CHECKS, VOID_RATE, Terms, check_size, check_throws, is_certain
from integrity.power import ATTACKS, MOST_THROWS, SINCE, smallest_size, throws_needed, watched_throws

STREAMS: Final = 200
"""Streams by which the watched monitor is simulated for `ask`, with a fixed seed."""
MOST_WATCHED: Final = 50_000
"""Throws up to which `ask` simulates the watched monitor; what begins at some moment up to a tenth of it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What it takes to see an attack, both ways.

    Attributes
    ----------
    size, unit
        The size asked about, or the smallest that is seen in the throws (None: none is, or the attack has one size).
    seen
        Whether the attack is seen at all, at this size or in these throws.
    planned_throws
        Throws for the planned test or the check of the log, in what `counted` says (None: no number is enough). For
        recycled rows, the most dice in the log.
    watched_throws, watched_median
        Throws by which the watched monitor has alarmed with the power wanted, and in half of the cases; None for
        checks of the log, which are not watched, and where so long a watch was not simulated.
    price
        watched_throws / planned_throws: the price of being allowed to look after every throw.
    certain
        Whether luck has no part in the check: found or not, whatever alpha and power.
    words
        What the figures rest on, in sentences, for the checks of the log.
    """

    attack: str
    test: str
    size: float | None
    unit: str
    alpha: float
    power: float
    dice: int
    planned_throws: int | None
    watched_throws: int | None = None
    watched_median: int | None = None
    price: float | None = None
    seen: bool = True
    counted: str = "throws of each die"
    certain: bool = False
    words: tuple[str, ...] = ()

    @property
    def figure(self) -> str:
        """Write the size: a share or chance, or a number of dice."""
        if self.size is None:
            return "none"
        return f"{self.size:,.0f}" if self.size > 1.0 else f"{self.size:.{6 if self.words else 4}g}"


def answer(
    attack: str,
    *,
    rng: np.random.Generator,
    size: float | None = None,
    throws: int | None = None,
    alpha: float = 0.01,
    power: float = 0.9,
    dice: int | None = None,
    rate: float | None = None,
    streams: int = 400,
    most_watched: int = MOST_THROWS,
) -> Answer:
    """Answer either way: throws needed for `size`, or the smallest size visible in `throws` and what watching it costs.

    Parameters
    ----------
    attack
        One of `power.ATTACKS` or `log_power.CHECKS`.
    rng, streams, most_watched
        By what and with how many streams the watched monitor is simulated, and up to how many planned throws.
    dice
        Judged together; by default the fewest that can be.
    rate
        Share of throws that the others void, for `voids` alone; 0.02 by default.

    Raises
    ------
    LaboratoryError
        The attack is unknown, a value is out of its range, or not exactly one of `size` and `throws` is given (an
        attack of one size needs neither).
    """
    if attack not in ATTACKS and attack not in CHECKS:
        raise LaboratoryError(f"attack must be one of {', '.join((*ATTACKS, *CHECKS))}, got {attack}")
    if size is not None and throws is not None:
        raise LaboratoryError("size or throws must be given, got both")
    if size is None and throws is None and (attack in CHECKS or ATTACKS[attack].most):
        raise LaboratoryError("size or throws must be given, got neither")
    if not 0.0 < power < 1.0:
        raise LaboratoryError(f"power must be between 0 and 1, got {power}")
    if throws is not None and not 1 <= throws <= 10**9:
        raise LaboratoryError(f"throws must be from 1 to 1,000,000,000, got {throws}")
    if rate is not None and attack != "voids":
        raise LaboratoryError(f"void rate must be left out for {attack}, got {rate}")
    if attack in CHECKS:
        return _of_log(attack, size, throws, alpha=alpha, power=power, dice=dice, rate=rate)
    dice, kind = 1 if dice is None else dice, ATTACKS[attack]
    if throws is not None:
        size = smallest_size(attack, throws, alpha=alpha, power=power, dice=dice)
        if size is None:
            return Answer(attack, kind.test, None, kind.unit, alpha, power, dice, throws, seen=False)
    size = size if size is not None and kind.most else 0.0
    needed = throws or throws_needed(attack, size, alpha=alpha, power=power, dice=dice)
    shown = size if kind.most else None
    if needed > most_watched:
        return Answer(attack, kind.test, shown, kind.unit, alpha, power, dice, needed)
    watched = watched_throws(attack, size, rng=rng, alpha=alpha, power=power, dice=dice, streams=streams)
    found = needed, watched.throws, watched.median, watched.throws / needed
    return Answer(attack, kind.test, shown, kind.unit, alpha, power, dice, *found)


def _of_log(
    attack: str,
    size: float | None,
    throws: int | None,
    *,
    alpha: float,
    power: float,
    dice: int | None,
    rate: float | None,
) -> Answer:
    """Answer for a check of the log itself."""
    check = CHECKS[attack]
    least, most = check.dice
    dice, rate = least if dice is None else dice, VOID_RATE if rate is None else rate
    if not least <= dice <= most:
        allowed = f"{least}" if least == most else f"from {least} to {most}"
        raise LaboratoryError(f"dice must be {allowed} for {attack} ({log_words.JUDGED[attack]}), got {dice}")
    if not 0.0 < alpha < 1.0:
        raise LaboratoryError(f"alpha must be between 0 and 1, got {alpha}")
    if not 0.0 < rate < 1.0:
        raise LaboratoryError(f"void rate must be between 0 and 1, got {rate}")
    top = 1.0 - rate if attack == "voids" else check.most
    if size is not None and (not 0.0 < size <= top or (attack == "recycled" and size != int(size))):
        whole = "a whole number " if attack == "recycled" else ""
        raise LaboratoryError(f"size must be {whole}above 0 and at most {top:.10g} ({check.unit}), got {size}")
    terms = Terms(alpha, power, dice, rate)
    if size is not None:
        throws = check_throws(attack, size, terms)
        seen = throws is not None
    else:
        assert throws is not None
        size = check_size(attack, throws, terms)
        seen = size is not None
    words = log_words.of_check(attack, size, throws, terms)
    return Answer(
        attack,
        check.test,
        size,
        check.unit,
        alpha,
        power,
        dice,
        throws,
        seen=seen,
        counted=check.counted,
        certain=is_certain(attack, throws),
        words=words,
    )


def ask(
    attack: str,
    *,
    size: float | None = None,
    throws: int | None = None,
    alpha: float = 0.01,
    power: float = 0.9,
    dice: int | None = None,
) -> Answer:
    """Answer alike every time, and soon: with a fixed seed, few streams, and no long watch.

    Examples
    --------
    >>> ask("repeats", size=0.1).planned_throws, ask("gaps", throws=998).words[0]
    (305, '1 missing number in a log of 998 throws is always found.')
    """
    return answer(
        attack,
        rng=np.random.default_rng(1),
        size=size,
        throws=throws,
        alpha=alpha,
        power=power,
        dice=dice,
        streams=STREAMS,
        most_watched=MOST_WATCHED // (10 if attack in SINCE else 1),
    )
