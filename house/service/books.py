"""The day's book, a player's statement, and the settlements that were paid wrongly."""

from dataclasses import dataclass

from sqlalchemy import Connection

from house.domain.ids import PlayerId
from house.domain.ledger import riding, wallet
from house.service.cage import known_player
from house.service.desk import House
from house.service.proofs import Made, made_at
from house.service.replay import replay
from house.service.sheets import check_day, check_days
from house.store import lines as store
from house.store import settlements
from house.store.checks import Discrepancy
from house.store.lines import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class BookLine:
    """One line of one entry; the amount is signed, debits positive, minor units.

    Parameters
    ----------
    at_us
        Microseconds since 1970.
    actor, authorised_by
        Who acted, and who approved it besides.
    """

    seq: int
    kind: str
    at_us: int
    gaming_day: str
    table: str | None
    round: str | None
    wager: str | None
    account: str
    amount_minor: int
    actor: str
    authorised_by: str | None
    reason: str | None
    record: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """Lines of entries in order, and the history at which they were read."""

    lines: tuple[BookLine, ...]
    made: Made


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What moved a player's accounts, and what he has now; minor units.

    Parameters
    ----------
    before_minor
        Wallet and stakes riding before the first line.
    after_minor
        The same after the last.
    """

    player: str
    before_minor: int
    after_minor: int
    lines: tuple[BookLine, ...]
    made: Made


@dataclass(frozen=True, slots=True, kw_only=True)
class Mispays:
    """Every settlement computed again from the records: what differs, with its record; sound if there is nothing."""

    settlements: int
    differences: tuple[Discrepancy, ...]
    made: Made


def day_book(house: House, gaming_day: str, after: int = -1, limit: int = 2**62) -> Book:
    """Read the entries of a gaming day, `limit` of them at most beyond one by number. Refused: BAD_VALUE."""
    house.sign()
    with house.read() as connection:
        lines = store.of_day(connection, check_day(gaming_day), after, limit)
        return Book(lines=tuple(map(_line, lines)), made=made_at(house, connection))


def statement(house: House, player: str, first: str, last: str) -> Statement:
    """Read what moved a player's accounts from one gaming day to another, both in it. Refused: BAD_VALUE, NOT_FOUND."""
    house.sign()
    with house.read() as connection:
        known = known_player(connection, player)
        days = check_days(first, last)
        lines = store.of_player(connection, known, days)
        before, moved = _own(connection, known, days[0]), _moved(known, lines)
        return Statement(
            player=known,
            before_minor=before,
            after_minor=before + moved,
            lines=tuple(map(_line, lines)),
            made=made_at(house, connection),
        )


def _own(connection: Connection, player: PlayerId, before: str) -> int:
    return -store.before_day(connection, _held(player), before)


def _moved(player: PlayerId, lines: tuple[Line, ...]) -> int:
    return -sum(line.amount for line in lines if line.account in _held(player))


def _held(player: PlayerId) -> tuple[str, str]:
    """Accounts that hold a player's money."""
    return wallet(player).name, riding(player).name


def mispays(house: House) -> Mispays:
    """Compute every settlement again, and say what was paid otherwise than its schedule pays."""
    house.sign()
    with house.read() as connection:
        return Mispays(
            settlements=settlements.count(connection),
            differences=tuple(replay(house, connection)),
            made=made_at(house, connection),
        )


def _line(line: Line) -> BookLine:
    return BookLine(
        seq=line.seq,
        kind=line.kind,
        at_us=line.at_us,
        gaming_day=line.gaming_day,
        table=line.table,
        round=line.round,
        wager=line.wager,
        account=line.account,
        amount_minor=line.amount,
        actor=line.actor,
        authorised_by=line.authorised_by,
        reason=line.reason,
        record=line.record,
    )
