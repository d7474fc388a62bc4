"""Verify a certificate without solving: every claim is held to its neighbours alone.

A position's worth must be the mean of what its choices lead to, and no option may be worth more than the one chosen.
If all claims hold, the policy earns the claimed mean, and no policy earns more. Fractions are held to equality; floats
to `TOLERANCE` each, so that the mean is proved within a relative error of `proved_error`: each of a game's throws, and
each frame, adds at most one tolerance on either side.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from operator import mul
from typing import Any

from payouts.errors import PayoutError
from payouts.hooligan.certificate import FORMAT, LETTERS, position_key
from payouts.hooligan.last_frame import AVOID, MAKE, chance
from payouts.hooligan.rules import HOOLIGAN_POINTS, HooliganRules, Natural
from payouts.hooligan.solver import GREATEST_PAYOUT
from payouts.hooligan.tallies import hit_chances, options, straight_tally, straights, tallies

TOLERANCE = Fraction(1, 2**43)
"""Relative error allowed to one claim in floats: above the rounding of a mean over 252 tallies, 2**-44."""

Number = Fraction | float


class CertificateError(PayoutError):
    """A certificate that does not prove what it claims; the message names the position."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a certificate proves.

    Parameters
    ----------
    mean
        Mean payout of the best player, in minor units.
    proved_error
        Bound of its relative error; 0 for a certificate in fractions.
    positions
        How many positions were checked.
    """

    mean: Number
    proved_error: Fraction
    positions: int


class _Claims:
    """A certificate as it is read: worths of positions, and weights in the arithmetic of the worths."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.rules = _check_form(document)
        self.pays: list[int] = document["pays"]
        self.exact = isinstance(document["mean"], str)
        self.number: Callable[[Any], Number] = Fraction if self.exact else float
        self.positions: Mapping[str, Mapping[str, Any]] = document["positions"]
        self.worths = {key: self.number(entry["worth"]) for key, entry in self.positions.items()}
        self.mean = self.number(document["mean"])
        self.hits = [
            [self.number(weight) for weight in hit_chances(self.rules, count)]
            for count in range(self.rules.dice * self.rules.throws_per_frame + 1)
        ]

    def worth(self, numbers: tuple[int, ...], hooligan_open: bool, score: int) -> Number:
        """Claimed worth of a position between frames; of a game that is over, its payout."""
        if not numbers and not hooligan_open:
            if score >= len(self.pays):
                raise CertificateError(f"score must be at most {len(self.pays) - 1}, got {score}")
            return self.number(self.pays[score])
        key = position_key(numbers, hooligan_open, score)
        if key not in self.worths:
            raise CertificateError(f"position {key!r} must be in the certificate, got none")
        return self.worths[key]

    def check_equal(self, key: str, claimed: Number, found: Number) -> None:
        """Refuse a claim that is further off than allowed."""
        allowed = 0 if self.exact else TOLERANCE * Fraction(found)
        if abs(Fraction(claimed) - Fraction(found)) > allowed:
            raise CertificateError(f"position {key!r} must be worth {float(found)!r}, got {float(claimed)!r}")


_EXACT = re.compile("[0-9]{1,2000}(/[1-9][0-9]{0,1999})?", re.ASCII)
_KEY = re.compile("(6?5?4?3?2?1?)(H?) [0-9]{1,4}", re.ASCII)


def _check_form(document: Mapping[str, Any]) -> HooliganRules:
    """Read the rules of a certificate, and refuse what has not its form, naming where."""
    if document.get("format") != FORMAT:
        raise CertificateError(f"format must be {FORMAT}, got {_short(document.get('format'))}")
    rules = _check_rules(document.get("rules"))
    pays = document.get("pays")
    if not isinstance(pays, list) or len(pays) != rules.perfect_score + 1:
        raise CertificateError(f"pays must be a list of {rules.perfect_score + 1} payouts, got {_short(pays)}")
    wrong = [pay for pay in pays if type(pay) is not int or not 0 <= pay <= GREATEST_PAYOUT]
    if wrong:
        raise CertificateError(f"pays must be integers from 0 to {GREATEST_PAYOUT}, got {_short(wrong[0])}")
    exact, positions = isinstance(document.get("mean"), str), document.get("positions")
    _check_worth("mean", document.get("mean"), exact)
    if not isinstance(positions, dict):
        raise CertificateError(f"positions must be an object, got {_short(positions)}")
    for key, entry in positions.items():
        match = _KEY.fullmatch(key)
        if match is None or not (match[1] or match[2]) or any(int(number) > rules.faces for number in match[1]):
            raise CertificateError(f"positions must be named like '62H 41', got {_short(key)}")
        policy = entry.get("policy", []) if isinstance(entry, dict) else None
        if not isinstance(policy, list) or not all(isinstance(each, str) for each in policy):
            raise CertificateError(f"position {key!r} must be a worth and a policy, got {_short(entry)}")
        _check_worth(f"worth of position {key!r}", entry.get("worth"), exact)
    return rules


def _check_rules(values: object) -> HooliganRules:
    """Read a reading of the rules, every option by its name."""
    kinds = _kinds(HooliganRules().to_json())
    if not isinstance(values, dict) or _kinds(values) != kinds:
        raise CertificateError(f"rules must be every option of a reading ({', '.join(kinds)}), got {_short(values)}")
    try:
        return HooliganRules.from_json(values)
    except ValueError as error:
        raise CertificateError(f"rules must be a reading, got one in which {error}") from None


def _kinds(values: Mapping[str, object]) -> dict[str, type]:
    return {name: str if isinstance(value, str) else type(value) for name, value in values.items()}


def _check_worth(where: str, value: object, exact: bool) -> None:
    if exact and not (isinstance(value, str) and _EXACT.fullmatch(value)):
        raise CertificateError(f'{where} must be a fraction like "3/4", as all of them, got {_short(value)}')
    if not exact and not (isinstance(value, float) and 0 <= value <= GREATEST_PAYOUT):
        raise CertificateError(
            f"{where} must be a float from 0 to {GREATEST_PAYOUT}, as all of them, got {_short(value)}"
        )


def _short(value: object) -> str:
    return repr(value)[:80]


def verify(document: Mapping[str, Any]) -> Proof:
    """Check every claim of a certificate.

    Raises
    ------
    CertificateError
        At the first claim that does not hold, naming the position.
    """
    claims = _Claims(document)
    rules = claims.rules
    everything = tuple(range(rules.faces, 0, -1))
    claims.check_equal("start", claims.mean, claims.worth(everything, True, 0))
    for key in claims.positions:
        boxes, _, score = key.partition(" ")
        numbers = tuple(map(int, boxes.removesuffix("H")))
        _check_position(claims, key, numbers, boxes.endswith("H"), int(score))
    frames = rules.faces + 1
    steps = frames * (2 * rules.throws_per_frame + 1)
    return Proof(claims.mean, Fraction(0) if claims.exact else 2 * steps * TOLERANCE, len(claims.positions))


def _check_position(claims: _Claims, key: str, numbers: tuple[int, ...], hooligan_open: bool, score: int) -> None:
    if not numbers:
        made, missed = claims.worth((), False, score + HOOLIGAN_POINTS), claims.worth((), False, score)
        scored = claims.number(chance(claims.rules, MAKE if made >= missed else AVOID))
        found = scored * made + (1 - scored) * missed
        claims.check_equal(key, claims.worths[key], found)
        return
    named = _named(claims, numbers, hooligan_open, score)
    first, before = _follow(claims, key, numbers, named)
    if hooligan_open:
        before += _naturals(claims, numbers, score, first)
    claims.check_equal(key, claims.worths[key], before)


def _named(claims: _Claims, numbers: tuple[int, ...], hooligan_open: bool, score: int) -> list[list[Number]]:
    """Worth of each option after each throw, from the claims about the positions after the frame."""
    rules = claims.rules
    by_throw: list[list[Number]] = [[] for _ in range(rules.throws_per_frame)]
    for number in numbers:
        rest = tuple(each for each in numbers if each != number)
        counts = range(rules.dice * rules.throws_per_frame + 1)
        ended = [claims.worth(rest, hooligan_open, score + number * count) for count in counts]
        worths = ended
        for throw in range(rules.throws_per_frame, 0, -1):
            if throw < rules.throws_per_frame:
                rows = range(rules.dice * throw + 1)
                worths = [sum(map(mul, claims.hits[count], worths[count:])) for count in rows]
                if rules.may_stop_early:
                    worths = list(map(max, worths, ended))
            by_throw[throw - 1] += worths[: rules.dice + 1]
    return by_throw


def _follow(
    claims: _Claims, key: str, numbers: tuple[int, ...], named: list[list[Number]]
) -> tuple[dict[tuple[int, ...], Number], Number]:
    """Worth of the policy's choice for each tally of the first throw, and before that throw; no option may beat it."""
    rules, total = claims.rules, claims.number(claims.rules.faces**claims.rules.dice)
    policy: Sequence[str] = claims.positions[key].get("policy", ())
    weighed = tallies(rules, len(numbers))
    if len(policy) != rules.throws_per_frame or any(len(each) != len(weighed) for each in policy):
        raise CertificateError(f"position {key!r} must have a choice for each tally of each throw, got another count")
    again, before = len(numbers) * (rules.dice + 1), claims.number(0)
    chosen: dict[tuple[int, ...], Number] = {}
    for throw in range(rules.throws_per_frame, 0, -1):
        values = [*named[throw - 1], before]
        last = throw == rules.throws_per_frame
        for (tally, _), letter in zip(weighed, policy[throw - 1], strict=True):
            listed = options(rules, tally) if last else (*options(rules, tally), again)
            option = LETTERS.find(letter)
            if option not in listed:
                raise CertificateError(f"position {key!r} must choose an open option for {tally}, got {letter!r}")
            best = max(values[each] for each in listed)
            chosen[tally] = values[option]
            if values[option] < (best if claims.exact else best * (1 - float(TOLERANCE))):
                raise CertificateError(f"position {key!r} must choose the best for {tally}, got {letter!r}")
        before = sum((weight * chosen[tally] for tally, weight in weighed), claims.number(0)) / total
    return chosen, before


def _naturals(claims: _Claims, numbers: tuple[int, ...], score: int, first: Mapping[tuple[int, ...], Number]) -> Number:
    """What straights on the first throw are worth more than the same throw played as any other."""
    rules = claims.rules
    each = claims.number(Fraction(factorial(rules.dice), rules.faces**rules.dice))
    taken = claims.worth(numbers, False, score + HOOLIGAN_POINTS)
    runs = [straight_tally(numbers, straight) for straight in straights(rules)]
    match rules.natural:
        case Natural.AUTOMATIC:
            worth = dict.fromkeys(runs, taken)
        case Natural.OPTIONAL:
            worth = {run: max(taken, first[run]) for run in runs}
        case Natural.BONUS:
            key = position_key(numbers, False, score + HOOLIGAN_POINTS)
            worth, _ = _follow(claims, key, numbers, _named(claims, numbers, False, score + HOOLIGAN_POINTS))
    return each * sum((worth[run] - first[run] for run in runs), claims.number(0))
