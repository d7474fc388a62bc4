"""Reports of the books: trial balance, what each bet realised, and the check that re-derives everything."""

from dataclasses import dataclass

from house.service.desk import House


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLine:
    """One account; `balance_minor` in its normal sense (what an asset holds, what is owed on a liability)."""

    account: str
    kind: str
    balance_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialBalance:
    """Every account, and the sum over all of them as signed, which is 0 in a house that balances."""

    accounts: tuple[AccountLine, ...]
    entries: int
    difference_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Realised:
    """What one bet at one game brought, minor units.

    Parameters
    ----------
    settled
        Wagers resolved: won, lost or tied.
    handle_minor
        Stakes of the wagers resolved.
    winnings_minor
        Paid to players beside their stakes.
    tie_minor
        Stakes of the wagers that tied; part of the handle.
    house_minor
        What the house kept: lost stakes and commission less winnings. House percentage: this over the handle.
    """

    game: str
    schedule: str
    bet: str
    spot: str
    settled: int
    handle_minor: int
    lost_minor: int
    winnings_minor: int
    commission_minor: int
    breakage_minor: int
    tie_minor: int
    house_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """Something that does not hold: which invariant, where, what was found, what was due."""

    invariant: str
    where: str
    found: str
    due: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The outcome of a check; the books are sound if there is no discrepancy."""

    entries: int
    records: int
    throws: int
    settlements: int
    discrepancies: tuple[Discrepancy, ...]


def trial_balance(house: House) -> TrialBalance:
    """Return every account with its balance."""
    raise NotImplementedError


def realised(house: House, table_id: str | None = None) -> tuple[Realised, ...]:
    """Return what each bet realised, by game, schedule, bet and spot; bets for the dealers are left out."""
    raise NotImplementedError


def check(house: House) -> Checked:
    """Re-derive every balance and invariant, and replay every settlement from the records."""
    raise NotImplementedError
