"""What every table of the database is made with.

Times are whole microseconds since 1970 in UTC; amounts are minor units. Every CHECK has a name, so that a migration can
be seen to have kept it. The triggers stand in `guards`.
"""

from sqlalchemy import BigInteger, CheckConstraint, Integer, MetaData, Table
from sqlmodel import SQLModel

from house.domain.ledger import GREATEST_MINOR

BIG = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits on both databases, and SQLite's own row number where it is the primary key."""

CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


def within(column: str, low: int = -GREATEST_MINOR, high: int = GREATEST_MINOR) -> CheckConstraint:
    """Bound a column."""
    return CheckConstraint(f"{column} BETWEEN {low} AND {high}", name=f"{column}_bounds")


def one_of(column: str, *words: str) -> CheckConstraint:
    """Keep a column to some words."""
    return CheckConstraint(f"{column} IN ({', '.join(repr(str(word)) for word in words)})", name=f"{column}_known")


class Row(SQLModel):
    """Base of every table."""

    metadata = MetaData(naming_convention=CONVENTION)


def table(row: type[Row]) -> Table:
    """The SQLAlchemy table of a row type."""
    return Row.metadata.tables[str(row.__tablename__)]
