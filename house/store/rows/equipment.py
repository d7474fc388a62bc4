"""Tables of dice and boxes."""

from typing import ClassVar

from sqlalchemy import Index
from sqlmodel import Field

from house.store.rows.base import BIG, Row


class DieRow(Row, table=True):
    """A die; in play at one table or none."""

    __tablename__: ClassVar[str] = "die"
    __table_args__ = (Index("ix_die_table", "table_id"),)
    serial: str = Field(primary_key=True)
    table_id: str | None = Field(default=None, foreign_key="gaming_table.id")
    registered_us: int = Field(sa_type=BIG)


class BoxRow(Row, table=True):
    """A dice box; in play at one table or none."""

    __tablename__: ClassVar[str] = "box"
    __table_args__ = (Index("ix_box_table", "table_id"),)
    serial: str = Field(primary_key=True)
    table_id: str | None = Field(default=None, foreign_key="gaming_table.id")
    registered_us: int = Field(sa_type=BIG)
