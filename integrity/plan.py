"""A planned test, written down before the first throw, and the verdict that it allows afterwards."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal

from integrity.errors import PlanError
from integrity.log_power import CHECKS
from integrity.power import ATTACKS, SINCE, smallest_size, throws_needed

Verdict = Literal["no_data", "crooked", "not_shown", "too_few"]
PLANNED: Final = tuple(attack for attack in ATTACKS if attack not in SINCE)
"""Attacks that an audit can be held to look for."""
_CANNOT: Final[Mapping[str, str]] = {
    **dict.fromkeys(SINCE, "a log does not say when it begins, so no audit could be held to it"),
    **dict.fromkeys(CHECKS, "every audit makes the checks of the log itself, planned or not"),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be tested and what it can show.

    Attributes
    ----------
    attack, test
        The attack looked for and the planned test that is strongest for it.
    throws
        Throws fixed beforehand, for each subject.
    alpha, subjects
        Chance that any of `subjects` fair ones is accused.
    power
        Chance that an attack of `smallest_size` is shown.
    smallest_size
        Smallest visible size (None: no size is visible at this n; 0: an attack of one size).
    """

    attack: str
    test: str
    throws: int
    alpha: float
    subjects: int
    power: float
    smallest_size: float | None

    def __post_init__(self) -> None:
        check_plannable(self.attack)
        if self.throws < 1 or self.subjects < 1:
            raise PlanError(f"throws and subjects must be at least 1, got {self.throws} and {self.subjects}")
        if not 0.0 < self.alpha < 1.0 or not 0.0 < self.power < 1.0:
            raise PlanError(f"alpha and power must be between 0 and 1, got {self.alpha} and {self.power}")

    def to_record(self) -> dict[str, Any]:
        """Return the plan as a record of plain values, for JSON or TOML."""
        return asdict(self)


def check_plannable(attack: str) -> None:
    """Refuse what no audit can be held to, with the reason and what can be planned.

    Raises
    ------
    PlanError
        The attack begins at a moment that a log does not tell, is a check of the log itself, or is unknown.
    """
    if attack not in PLANNED:
        why = f": {_CANNOT[attack]}" if attack in _CANNOT else ""
        raise PlanError(f"attack of a plan must be one of {', '.join(PLANNED)}, got {attack}{why}")


def plan_by_size(attack: str, size: float, *, alpha: float = 0.01, power: float = 0.9, subjects: int = 1) -> Plan:
    """Plan the throws that show `size`."""
    check_plannable(attack)
    throws = throws_needed(attack, size, alpha=alpha, power=power, dice=subjects)
    return plan_by_throws(attack, throws, alpha=alpha, power=power, subjects=subjects)


def plan_by_throws(attack: str, throws: int, *, alpha: float = 0.01, power: float = 0.9, subjects: int = 1) -> Plan:
    """Plan a test of so many throws and write down what it can show.

    >>> plan_by_throws("repeats", 305).smallest_size < 0.1001
    True
    """
    check_plannable(attack)
    smallest = smallest_size(attack, throws, alpha=alpha, power=power, dice=subjects)
    return Plan(attack, ATTACKS[attack].test, throws, alpha, subjects, power, smallest)


def plan_of_record(record: dict[str, Any]) -> Plan:
    """Read a plan back, or refuse it naming what is missing, unknown or of the wrong kind."""
    names = {field.name for field in fields(Plan)}
    if set(record) != names:
        missing, unknown = sorted(names - set(record)), sorted(set(record) - names)
        raise PlanError(f"plan must have the keys {', '.join(sorted(names))}; missing {missing}, unknown {unknown}")
    kinds = {"attack": str, "test": str, "throws": int, "subjects": int}
    for name, value in record.items():
        expected = kinds.get(name, (int, float))
        if isinstance(value, bool) or not (isinstance(value, expected) or (name == "smallest_size" and value is None)):
            raise PlanError(f"{name} must be {expected}, got {value!r}")
    return Plan(**record)


def plan_text(plan: Plan) -> str:
    """Write a plan as JSON, to be stored before the first throw."""
    return json.dumps(plan.to_record(), indent=2, allow_nan=False) + "\n"


def read_plan(text: str) -> Plan:
    """Read what `plan_text` wrote, or refuse it."""
    try:
        record = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise PlanError(f"plan must be a JSON object, got {error}") from error
    if not isinstance(record, dict):
        raise PlanError(f"plan must be a JSON object, got {type(record).__name__}")
    return plan_of_record(record)


def judge(plan: Plan, n: int, log10_pvalue: float | None) -> Verdict:
    """Give the verdict on one subject: nothing is shown before the planned number of throws, nor judged at a later one.

    Parameters
    ----------
    plan
        The plan.
    n
        Throws that entered the test.
    log10_pvalue
        log10 of the p-value of the planned test on these throws.
    """
    if n == 0 or log10_pvalue is None:
        return "no_data"
    if n < plan.throws:
        return "too_few"
    if n > plan.throws:
        raise PlanError(f"n must be the planned {plan.throws} throws, got {n}: test the first {plan.throws}")
    return "crooked" if 10.0**log10_pvalue <= plan.alpha / plan.subjects else "not_shown"


def what_was_not_seen(throws: int, *, alpha: float = 0.01, power: float = 0.9, subjects: int = 1) -> str:
    """Say in words what a test of so many throws would have missed.

    >>> what_was_not_seen(200)
    'not shown crooked; at 200 throws a single-face shift below about 0.13 is missed more than 1 time in 10'
    """
    size = smallest_size("load", throws, alpha=alpha, power=power, dice=subjects) if throws else None
    if size is None:
        return f"not shown crooked; {throws} throws are too few to show any loaded face"
    missed = 1 / (1 - power)
    return (
        f"not shown crooked; at {throws} throws a single-face shift below about {size:.2g} is missed more than 1 time "
        f"in {missed:.0f}"
    )
