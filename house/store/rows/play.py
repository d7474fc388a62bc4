"""Tables of play: gaming tables, throws, the generator's seeds, settlements."""

from typing import ClassVar

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint
from sqlmodel import Field

from house.store.rows.base import BIG, Row, one_of, within


class GamingTableRow(Row, table=True):
    """A gaming table and the state of its game."""

    __tablename__: ClassVar[str] = "gaming_table"
    __table_args__ = (
        one_of("status", "open", "closed"),
        within("opener", 0),
        within("riding", 0),
        within("exposure", 0),
        CheckConstraint("next_throw >= 0 AND rounds >= 0 AND wagers >= 0", name="counts_up"),
        ForeignKeyConstraint(["fingerprint"], ["schedule.fingerprint"]),
    )
    id: str = Field(primary_key=True)
    game: str
    fingerprint: str
    status: str
    method: str
    opener: int = Field(sa_type=BIG)
    closer: int | None = Field(default=None, sa_type=BIG)
    state: str
    round: str
    rounds: int
    wagers: int
    next_throw: int
    riding: int = Field(sa_type=BIG)
    exposure: int = Field(sa_type=BIG)
    stakes_seen: str
    state_before: str
    opened_us: int = Field(sa_type=BIG)
    closed_us: int | None = Field(default=None, sa_type=BIG)


class ThrowRow(Row, table=True):
    """One throw."""

    __tablename__: ClassVar[str] = "throw"
    __table_args__ = (
        CheckConstraint("stake_class IS NULL OR stake_class BETWEEN 0 AND 3", name="stake_class_is_quartile"),
        one_of("method", "box", "gallery", "hand", "machine", "rng"),
        one_of("source", "dealer", "camera", "import", "rng"),
        CheckConstraint("(source = 'rng') = (method = 'rng')", name="generator_throws_alone"),
    )
    table_id: str = Field(primary_key=True, foreign_key="gaming_table.id")
    number: int = Field(primary_key=True, sa_type=BIG)
    at_us: int = Field(sa_type=BIG)
    round: str
    method: str
    box: str | None = Field(default=None, foreign_key="box.serial")
    shooter: str | None = None
    source: str
    stake_class: int | None = None
    void: bool
    gaming_day: str
    record: int = Field(sa_type=BIG, foreign_key="record.number")


class ThrowDieRow(Row, table=True):
    """One die of a throw."""

    __tablename__: ClassVar[str] = "throw_die"
    __table_args__ = (
        ForeignKeyConstraint(["table_id", "number"], ["throw.table_id", "throw.number"]),
        CheckConstraint("face IS NULL OR face BETWEEN 1 AND 6", name="face_of_a_die"),
        CheckConstraint("face IS NOT NULL OR state <> 'ok'", name="ok_shows_a_face"),
        one_of("state", "ok", "cocked", "off", "foul", "void"),
    )
    table_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_type=BIG)
    slot: int = Field(primary_key=True)
    die: str = Field(foreign_key="die.serial")
    face: int | None = None
    state: str


class SeedRow(Row, table=True):
    """A seed of the house for one player: secret until it is revealed, named by its commitment."""

    __tablename__: ClassVar[str] = "seed"
    __table_args__ = (
        UniqueConstraint("player", "number"),
        CheckConstraint("number >= 0", name="number_counts_up"),
        CheckConstraint("LENGTH(secret) = 64", name="secret_has_32_bytes"),
        CheckConstraint("revealed > committed", name="revealed_after_commitment"),
    )
    commitment: str = Field(primary_key=True)
    player: str = Field(foreign_key="player.id")
    number: int
    secret: str
    client: str | None = None
    committed: int = Field(sa_type=BIG, foreign_key="record.number")
    revealed: int | None = Field(default=None, sa_type=BIG, foreign_key="record.number")


class DrawRow(Row, table=True):
    """A throw of the house's own generator, from its first bet on: under which seeds, and with which count."""

    __tablename__: ClassVar[str] = "draw"
    __table_args__ = (
        UniqueConstraint("table_id", "number"),
        CheckConstraint("nonce >= 0 AND number >= 0", name="counts_up"),
    )
    seed: str = Field(primary_key=True, foreign_key="seed.commitment")
    nonce: int = Field(primary_key=True, sa_type=BIG)
    client: str
    table_id: str = Field(foreign_key="gaming_table.id")
    number: int = Field(sa_type=BIG)


AMOUNTS = (
    "staked",
    "returned",
    "lost",
    "winnings",
    "commission",
    "commission_back",
    "breakage",
    "held",
    "resolved",
)
"""Columns of a settlement that are amounts, named as in the engines' movements."""


class SettlementRow(Row, table=True):
    """What one record did to one wager: a movement of the engine, as it was booked."""

    __tablename__: ClassVar[str] = "settlement"
    __table_args__ = (
        Index("ix_settlement_table", "table_id", "record"),
        one_of("result", "staked", "won", "lost", "tied", "returned"),
        *(within(column, 0) for column in AMOUNTS),
    )
    record: int = Field(primary_key=True, sa_type=BIG, foreign_key="record.number")
    line: int = Field(primary_key=True)
    table_id: str = Field(foreign_key="gaming_table.id")
    fingerprint: str = Field(foreign_key="schedule.fingerprint")
    seq: int | None = Field(default=None, sa_type=BIG, foreign_key="entry.seq")
    wager: str
    player: str = Field(foreign_key="player.id")
    bet: str
    spot: str
    result: str
    staked: int = Field(sa_type=BIG)
    returned: int = Field(sa_type=BIG)
    lost: int = Field(sa_type=BIG)
    winnings: int = Field(sa_type=BIG)
    commission: int = Field(sa_type=BIG)
    commission_back: int = Field(sa_type=BIG)
    breakage: int = Field(sa_type=BIG)
    held: int = Field(sa_type=BIG)
    resolved: int = Field(sa_type=BIG)
    odds: str
    toke: bool
