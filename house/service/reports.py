"""Reports of the books: trial balance, what each bet realised, and the check that re-derives everything."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from house.service import cage_books, fairness, history, roster, schedules, watch
from house.service.desk import House
from house.service.play import known_table
from house.service.replay import replay
from house.store import checks, ledger, records, settlements, throws
from house.store.checks import Discrepancy
from payouts.hooligan.terms import HooliganSchedule

__all__ = ["AccountLine", "Checked", "Discrepancy", "Realised", "TrialBalance", "check", "realised", "trial_balance"]


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
        What the house kept: lost stakes and commission less what the winnings cost it, rounded against the house to a
        whole unit where a schedule pays in trade. House percentage: this over the handle.
    """

    game: str
    schedule: str
    version: int
    fingerprint: str
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
class Checked:
    """The outcome of a check; the books are sound if there is no discrepancy."""

    entries: int
    records: int
    throws: int
    settlements: int
    discrepancies: tuple[Discrepancy, ...]


def trial_balance(house: House) -> TrialBalance:
    """Return every account with its balance."""
    with house.read() as connection:
        balances = ledger.balances(connection)
        lines = tuple(AccountLine(account=one.account, kind=one.kind, balance_minor=one.normal) for one in balances)
        difference = sum(one.signed for one in balances)
        return TrialBalance(accounts=lines, entries=ledger.count(connection), difference_minor=difference)


def realised(house: House, table_id: str | None = None) -> tuple[Realised, ...]:
    """Return what each bet realised, by game, schedule, bet and spot; bets for the dealers are left out."""
    with house.read() as connection:
        if table_id is not None:
            known_table(connection, table_id)
        return tuple(
            _realised(row, schedules.of(house, connection, row.fingerprint))
            for row in settlements.sums(connection, table_id)
        )


def _realised(row: Any, schedule: schedules.Schedule) -> Realised:
    cost = schedule.trade_cost if isinstance(schedule, HooliganSchedule) else 1
    commission = int(row.commission) - int(row.commission_back)
    return Realised(
        game=row.game,
        schedule=row.name,
        version=row.version,
        fingerprint=row.fingerprint,
        bet=row.bet,
        spot=row.spot,
        settled=int(row.settled),
        handle_minor=int(row.resolved),
        lost_minor=int(row.lost),
        winnings_minor=int(row.winnings),
        commission_minor=commission,
        breakage_minor=int(row.breakage),
        tie_minor=int(row.tied),
        house_minor=int(row.lost) + commission + -int(row.winnings) * cost // 1,
    )


def check(house: House, *, signs: bool = False) -> Checked:
    """Check everything that can be.

    Hash the history and compare it with its checkpoints and with the books, re-derive every balance and invariant,
    replay every settlement, and draw the generator's throws again.

    Parameters
    ----------
    signs
        Whether the house must have checkpoints, as every one that was served: who took them away took the proof.
    """
    signed, wrong = ((), ()) if house.seal is None else house.seal.all()
    with house.read() as connection:
        if signs and not signed and not wrong and records.count(connection):
            wrong = ("none",)
        unsigned = [
            Discrepancy(invariant=history.AS_SIGNED, where="checkpoints", found=one, due="signed") for one in wrong
        ]
        broken = (*unsigned, *history.breaches(connection, signed))
        return Checked(
            entries=ledger.count(connection),
            records=records.count(connection),
            throws=throws.count(connection),
            settlements=settlements.count(connection),
            discrepancies=(
                *broken,
                *checks.breaches(connection),
                *_played_again(house, connection, bool(broken)),
            ),
        )


def _played_again(house: House, connection: Connection, broken: bool) -> Iterator[Discrepancy]:
    """Play and draw everything again, as far as a history that is broken already can be read."""
    try:
        yield from replay(house, connection)
        yield from fairness.breaches(connection)
        yield from roster.breaches(connection)
        yield from cage_books.breaches(connection)
        yield from watch.breaches(connection)
    except Exception as error:
        if not broken:
            raise
        found = f"{type(error).__name__}: {error}"[:500]
        yield Discrepancy(invariant="the history can be played again", where="records", found=found, due="played")
