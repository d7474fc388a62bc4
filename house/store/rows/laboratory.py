"""Tables of the live laboratory: watched sets of dice, snapshots of their monitors, incidents."""

from typing import ClassVar

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from house.store.rows.base import BIG, Row, one_of


class WatchRow(Row, table=True):
    """A set of dice that is watched together, with its own budget of false alarms, for ever."""

    __tablename__: ClassVar[str] = "watch"
    __table_args__ = (CheckConstraint("number > 0", name="number_counts_up"),)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    dice: str = Field(unique=True)
    alpha: str
    pit_alpha: str
    record: int = Field(sa_type=BIG, foreign_key="record.number")


class WatchSpanRow(Row, table=True):
    """A set that came into play at a table before its throw `first_throw`, until the next set did there."""

    __tablename__: ClassVar[str] = "watch_span"
    __table_args__ = (
        Index("ix_watch_span_table", "table_id", "record"),
        CheckConstraint("first_throw >= 0", name="first_throw_counts_up"),
    )
    watch: int = Field(primary_key=True, foreign_key="watch.number")
    record: int = Field(primary_key=True, sa_type=BIG, foreign_key="record.number")
    table_id: str = Field(foreign_key="gaming_table.id")
    first_throw: int = Field(sa_type=BIG)


class SnapshotRow(Row, table=True):
    """The monitors of a set before throw `next_throw` of a span: derived, not history, and worked out anew if lost."""

    __tablename__: ClassVar[str] = "snapshot"
    watch: int = Field(primary_key=True, foreign_key="watch.number")
    span: int = Field(sa_type=BIG)
    next_throw: int = Field(sa_type=BIG)
    state: bytes
    digest: str


class IncidentRow(Row, table=True):
    """An alarm of the laboratory that somebody must look at; `subject` is what it is about within its set."""

    __tablename__: ClassVar[str] = "incident"
    __table_args__ = (
        Index("ix_incident_watch", "watch"),
        one_of("status", "open", "closed"),
        CheckConstraint("number >= 0", name="number_counts_up"),
        CheckConstraint("(status = 'closed') = (reason IS NOT NULL)", name="closed_with_a_reason"),
    )
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    watch: int = Field(foreign_key="watch.number")
    subject: str
    status: str
    assigned: str | None = None
    reason: str | None = None
    evidence_at_close: str | None = None
    table_id: str = Field(foreign_key="gaming_table.id")
    throw: int = Field(sa_type=BIG)
    raised: int = Field(sa_type=BIG, foreign_key="record.number")
    gaming_day: str


class IncidentEventRow(Row, table=True):
    """One thing that happened to an incident: its record says what."""

    __tablename__: ClassVar[str] = "incident_event"
    __table_args__ = (
        Index("ix_incident_event_incident", "incident", "record"),
        one_of("event", "raised", "assigned", "noted", "ended"),
    )
    record: int = Field(primary_key=True, sa_type=BIG, foreign_key="record.number")
    incident: int = Field(foreign_key="incident.number")
    event: str
