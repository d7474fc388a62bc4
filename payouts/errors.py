"""What the mathematics refuses, as a small tree.

PayoutError (a ValueError)
    OddsError          odds that are not odds
    InexactStakeError  a stake whose winnings are not whole units, where the schedule says "exact"
    MoveError          a move that the rules of a game do not allow
    ScheduleError      a schedule file with faults, all of them listed
    SolverLimitError   a problem larger than a solver represents
"""

from dataclasses import dataclass


class PayoutError(ValueError):
    """Bad input to the mathematics: "argument must be rule, got value"."""


class OddsError(PayoutError):
    """Odds that are not odds."""


class InexactStakeError(PayoutError):
    """A stake whose winnings cannot be paid in whole units.

    `unit_minor` is the smallest stake, in minor units, of which every multiple is paid exactly.
    """

    def __init__(self, message: str, unit_minor: int) -> None:
        super().__init__(message)
        self.unit_minor = unit_minor


class MoveError(PayoutError):
    """A move that the rules of a game do not allow; `code` names which rule."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class SolverLimitError(PayoutError):
    """A problem larger than a solver represents; the message names the limit."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault of a configuration file: where, what was found, what is allowed."""

    file: str
    key: str
    value: str
    bound: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.key}" if self.key else self.file
        return f"{where}: must be {self.bound}, got {self.value}"


class ScheduleError(PayoutError):
    """A schedule file with faults; `faults` lists all of them."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults
