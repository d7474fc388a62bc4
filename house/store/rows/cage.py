"""Tables of the cage: slips and their voiding, players' limits and what they count, credit, shifts."""

from typing import ClassVar

from sqlalchemy import CheckConstraint, ForeignKeyConstraint
from sqlmodel import Field

from house.domain.limits import Measure, Span
from house.domain.slips import SlipKind
from house.store.rows.base import BIG, Row, one_of, within


class SlipRow(Row, table=True):
    """A fill or a credit, for ever; numbered densely from 1 within its kind."""

    __tablename__: ClassVar[str] = "slip"
    __table_args__ = (
        one_of("kind", *SlipKind),
        CheckConstraint("number >= 1", name="number_counts_up"),
        within("amount", 1),
    )
    kind: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_type=BIG)
    table_id: str = Field(foreign_key="gaming_table.id")
    amount: int = Field(sa_type=BIG)
    denominations: str
    by: str
    second: str | None = None
    record: int = Field(sa_type=BIG, foreign_key="record.number")
    at_us: int = Field(sa_type=BIG)
    gaming_day: str


class SlipVoidRow(Row, table=True):
    """A slip that was voided: why, and by which record."""

    __tablename__: ClassVar[str] = "slip_void"
    __table_args__ = (ForeignKeyConstraint(["kind", "number"], ["slip.kind", "slip.number"]),)
    kind: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_type=BIG)
    reason: str
    by: str
    second: str | None = None
    record: int = Field(sa_type=BIG, foreign_key="record.number")
    at_us: int = Field(sa_type=BIG)


class CreditLineRow(Row, table=True):
    """The most that a player may owe on markers."""

    __tablename__: ClassVar[str] = "credit_line"
    __table_args__ = (within("amount", 0),)
    player: str = Field(primary_key=True, foreign_key="player.id")
    amount: int = Field(sa_type=BIG)


class PlayerDayRow(Row, table=True):
    """What a player did on one gaming day, derived from the ledger's entries so that a limit is one look away."""

    __tablename__: ClassVar[str] = "player_day"
    __table_args__ = (within("deposited", 0), within("staked", 0), within("back"))
    player: str = Field(primary_key=True, foreign_key="player.id")
    gaming_day: str = Field(primary_key=True)
    deposited: int = Field(sa_type=BIG)
    staked: int = Field(sa_type=BIG)
    back: int = Field(sa_type=BIG)


class PlayerLimitRow(Row, table=True):
    """A limit in force, null for none, and the raise that was asked for and may be confirmed from a moment on."""

    __tablename__: ClassVar[str] = "player_limit"
    __table_args__ = (
        one_of("measure", *Measure),
        one_of("span", *Span),
        within("amount", 0),
        within("raised_to", 0),
        CheckConstraint("raised_to IS NULL OR raised_from_us IS NOT NULL", name="raise_cools_off"),
    )
    player: str = Field(primary_key=True, foreign_key="player.id")
    measure: str = Field(primary_key=True)
    span: str = Field(primary_key=True)
    amount: int | None = Field(default=None, sa_type=BIG)
    raised_to: int | None = Field(default=None, sa_type=BIG)
    raised_from_us: int | None = Field(default=None, sa_type=BIG)


class ExclusionRow(Row, table=True):
    """A player who excluded himself: until a moment, null for ever; he plays again only when readmitted."""

    __tablename__: ClassVar[str] = "exclusion"
    player: str = Field(primary_key=True, foreign_key="player.id")
    until_us: int | None = Field(default=None, sa_type=BIG)


class ShiftRow(Row, table=True):
    """A shift that ended: its entries are those from the end of the one before to `end_entry`, which is not in it."""

    __tablename__: ClassVar[str] = "shift"
    __table_args__ = (CheckConstraint("number >= 1 AND end_entry >= 0", name="counts_up"),)
    number: int = Field(primary_key=True, sa_type=BIG, sa_column_kwargs={"autoincrement": False})
    name: str
    end_entry: int = Field(sa_type=BIG)
    end_record: int = Field(sa_type=BIG, foreign_key="record.number")
    gaming_day: str
    at_us: int = Field(sa_type=BIG)


class RackCountRow(Row, table=True):
    """What two people counted in a rack at the end of a shift, beside what the books say."""

    __tablename__: ClassVar[str] = "rack_count"
    __table_args__ = (within("counted", 0), within("booked"))
    shift: int = Field(primary_key=True, sa_type=BIG, foreign_key="shift.number")
    table_id: str = Field(primary_key=True, foreign_key="gaming_table.id")
    counted: int = Field(sa_type=BIG)
    booked: int = Field(sa_type=BIG)
