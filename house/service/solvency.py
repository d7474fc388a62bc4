"""Whether the house can pay: its own money against what its tables may still lose.

What players own lies apart (`cage:deposits`), so the house stakes its own money alone. A table's rack and drop box
cover what may be lost on what rides there; what they do not cover is reserved in the vault, in the write that takes
the bet.
A throw is never refused for want of money: one that pays bets which stay up may leave the house with less than it ought
to have in reserve. It is then short, says so, and takes no bet that adds to what it may lose until it is funded.
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from house.domain.ledger import BANK, DEPOSITS, ROUNDS, VAULT
from house.domain.refusals import Refusal, Refused
from house.store import ledger, tables
from house.store.tables import cover


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """The house's own money in the cage, and its players'.

    Parameters
    ----------
    deposits_minor
        What players and dealers own: wallets, stakes riding and tokes.
    reserved_minor
        What open tables may still lose beyond their racks and drop boxes, and what rounds of other systems have cost
        beyond their rack.
    free_minor
        The vault less what is reserved; below 0 the house is short, and must be funded.
    """

    vault_minor: int
    deposits_minor: int
    capital_minor: int
    reserved_minor: int
    free_minor: int


def vault_of(connection: Connection) -> Vault:
    """Read the vault as it stands."""
    own, held = ledger.normal(connection, VAULT), reserved(connection)
    return Vault(
        vault_minor=own,
        deposits_minor=ledger.normal(connection, DEPOSITS),
        capital_minor=ledger.normal(connection, BANK),
        reserved_minor=held,
        free_minor=own - held,
    )


def reserved(connection: Connection, but: str = "") -> int:
    """What the vault must keep, in all tables but one: what they may lose uncovered, and what rounds have cost."""
    return tables.reserved(connection, but) + max(0, -ledger.normal(connection, ROUNDS))


def check_reserve(connection: Connection, field: str, spent: int) -> None:
    """Check, after the house's own money was spent, that the rest covers its tables. Refused: INSUFFICIENT_FUNDS."""
    free = ledger.normal(connection, VAULT) - reserved(connection)
    if free < 0:
        message, limit = "the vault must keep what tables may still lose", f"at most {max(0, spent + free)}"
        raise Refused(Refusal.INSUFFICIENT_FUNDS, message, field, str(spent), limit)


def check_exposure(connection: Connection, table: str, before: int, after: int, field: str) -> None:
    """Check that the house's own money covers what a bet adds to a table's exposure. Refused: EXPOSURE_LIMIT.

    Parameters
    ----------
    before, after
        Exposure of the table in minor units, as it is kept and with the bet.
    """
    if after <= before:
        return
    covered = cover(connection, table)
    if after <= covered:
        return
    most = covered + ledger.normal(connection, VAULT) - reserved(connection, but=table)
    if after > most:
        message = "the house's own money does not cover what the table could lose"
        raise Refused(Refusal.EXPOSURE_LIMIT, message, field, str(after), str(max(0, most)))
