"""Schedules for tests: the text of a few bets in, a loaded schedule out."""

from fractions import Fraction

from payouts.craps.returns import Return, wager_return
from payouts.craps.settling import default_stake
from payouts.craps.terms import CrapsSchedule
from payouts.errors import Fault, ScheduleError
from payouts.schedule import parse

HEAD = 'game = "craps"\nname = "test"\nversion = 1\ncurrency = "USD"\n'
CRAPLESS = "points = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]\n"


def offer(bets: str, table: str = "", top: str = "player_edge_accepted = true\n") -> CrapsSchedule:
    """Load a schedule with these bets; a player's edge is accepted unless `top` says otherwise."""
    schedule = parse(f"{HEAD}{top}[table]\n{table}\n{bets}", "test.toml")
    assert isinstance(schedule, CrapsSchedule)
    return schedule


def faults(bets: str, table: str = "", top: str = "") -> tuple[Fault, ...]:
    """Faults of a schedule with these bets; none if it loads."""
    try:
        offer(bets, table, top)
    except ScheduleError as error:
        return error.faults
    return ()


def brought(schedule: CrapsSchedule, bet: str, spot: str = "", stake: int | None = None) -> Return:
    """Return of a bet at the smallest stake that is paid exactly, or at a given one in cents."""
    return wager_return(schedule, bet, spot, default_stake(schedule, bet, spot) if stake is None else stake)


def edge(bets: str, bet: str, spot: str = "", stake: int | None = None, table: str = "") -> Fraction:
    """House edge per bet made."""
    return brought(offer(bets, table), bet, spot, stake).edge_made
