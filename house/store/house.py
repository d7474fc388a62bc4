"""The house's own row: what may not change between two openings."""

from sqlalchemy import Connection, insert, select, update

from house.domain.gaming_day import GamingDays
from house.store import records, rows
from house.store.unit_of_work import Unit

_HOUSE = rows.table(rows.HouseRow)


def settle(unit: Unit, currency: str, days: GamingDays) -> None:
    """Note the house's currency and gaming day at its first opening, and a change of the latter in the history.

    Raises
    ------
    ValueError
        When the database keeps its books in another currency.
    """
    known = unit.connection.execute(select(_HOUSE)).one_or_none()
    values = {"zone": days.zone, "cut_over_hour": days.cut_over_hour}
    if known is None:
        unit.connection.execute(insert(_HOUSE), {"id": 1, "currency": currency, **values})
        return
    if known.currency != currency:
        raise ValueError(f"currency must be {known.currency}, in which the books are kept, got {currency}")
    before = {name: known._mapping[name] for name in values}
    if before != values:
        records.append(unit, "config_change", None, {"event": "gaming_day", "before": before, "after": values})
        unit.connection.execute(update(_HOUSE).values(values))


def currency(connection: Connection) -> str:
    """Currency of the books."""
    return str(connection.execute(select(_HOUSE.c.currency)).scalar_one())
