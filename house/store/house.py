"""The house's own row: what may not change between two openings."""

from sqlalchemy import Connection, insert, select, update

from house.domain.gaming_day import GamingDays
from house.store import rows

_HOUSE = rows.table(rows.HouseRow)


def settle(connection: Connection, currency: str, days: GamingDays) -> None:
    """Note the house's currency at its first opening, and its gaming day at every one.

    Raises
    ------
    ValueError
        When the database keeps its books in another currency.
    """
    known = connection.execute(select(_HOUSE.c.currency)).scalar_one_or_none()
    values = {"zone": days.zone, "cut_over_hour": days.cut_over_hour}
    if known is None:
        connection.execute(insert(_HOUSE), {"id": 1, "currency": currency, **values})
        return
    if known != currency:
        raise ValueError(f"currency must be {known}, in which the books are kept, got {currency}")
    connection.execute(update(_HOUSE).values(values))


def currency(connection: Connection) -> str:
    """Currency of the books."""
    return str(connection.execute(select(_HOUSE.c.currency)).scalar_one())
