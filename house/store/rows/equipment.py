"""Tables of dice and boxes: what they are now, everything that happened to them, and how often they were counted."""

from typing import ClassVar

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from house.domain.lives import Event, Kind, State
from house.store.rows.base import BIG, Row, one_of


class DieRow(Row, table=True):
    """A die; in play at one table or none."""

    __tablename__: ClassVar[str] = "die"
    __table_args__ = (
        Index("ix_die_table", "table_id"),
        one_of("state", *State),
        CheckConstraint("(state = 'in_play') = (table_id IS NOT NULL)", name="in_play_at_a_table"),
    )
    serial: str = Field(primary_key=True)
    table_id: str | None = Field(default=None, foreign_key="gaming_table.id")
    registered_us: int = Field(sa_type=BIG)
    state: str
    area: str
    maker: str
    lot: str
    since_us: int = Field(sa_type=BIG)


class BoxRow(Row, table=True):
    """A dice box; in play at one table or none."""

    __tablename__: ClassVar[str] = "box"
    __table_args__ = (
        Index("ix_box_table", "table_id"),
        one_of("state", *State),
        CheckConstraint("(state = 'in_play') = (table_id IS NOT NULL)", name="in_play_at_a_table"),
    )
    serial: str = Field(primary_key=True)
    table_id: str | None = Field(default=None, foreign_key="gaming_table.id")
    registered_us: int = Field(sa_type=BIG)
    state: str
    area: str
    maker: str
    lot: str
    since_us: int = Field(sa_type=BIG)


class PieceEventRow(Row, table=True):
    """What happened to a die or a box: one line of a record; `area` is where it is stored or was issued from."""

    __tablename__: ClassVar[str] = "piece_event"
    __table_args__ = (
        Index("ix_piece_event_serial", "kind", "serial", "record"),
        one_of("kind", *Kind),
        one_of("event", *Event),
        one_of("state", *State),
    )
    record: int = Field(primary_key=True, sa_type=BIG, foreign_key="record.number")
    line: int = Field(primary_key=True)
    kind: str
    serial: str
    event: str
    state: str
    table_id: str | None = Field(default=None, foreign_key="gaming_table.id")
    area: str
    at_us: int = Field(sa_type=BIG)
    gaming_day: str


class CountRow(Row, table=True):
    """A physical count of a storage area, and what the books said at that moment."""

    __tablename__: ClassVar[str] = "equipment_count"
    __table_args__ = (CheckConstraint("dice >= 0 AND boxes >= 0", name="counted_from_0"),)
    record: int = Field(primary_key=True, sa_type=BIG, foreign_key="record.number")
    area: str
    dice: int
    boxes: int
    due_dice: int
    due_boxes: int
    gaming_day: str


class HandRow(Row, table=True):
    """The dice by slot as they lie at a table where dice are kept between throws: a JSON list of serials."""

    __tablename__: ClassVar[str] = "hand"
    table_id: str = Field(primary_key=True, foreign_key="gaming_table.id")
    dice: str
