"""The tables of the database, private to the store.

Times are whole microseconds since 1970 in UTC; amounts are minor units. Every CHECK has a name, so that a migration can
be seen to have kept it. The triggers stand in `guards`.
"""

from typing import ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
)
from sqlmodel import Field, SQLModel

from house.domain.ledger import GREATEST_MINOR, AccountKind, EntryKind

BIG = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits on both databases, and SQLite's own row number where it is the primary key."""

CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


def _within(column: str, low: int = -GREATEST_MINOR, high: int = GREATEST_MINOR) -> CheckConstraint:
    return CheckConstraint(f"{column} BETWEEN {low} AND {high}", name=f"{column}_bounds")


def _one_of(column: str, *words: str) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(repr(str(word)) for word in words)})", name=f"{column}_known")


class Row(SQLModel):
    """Base of every table."""

    metadata = MetaData(naming_convention=CONVENTION)


class HouseRow(Row, table=True):
    """The house itself: one row."""

    __tablename__: ClassVar[str] = "house"
    __table_args__ = (CheckConstraint("id = 1", name="one_house"),)
    id: int = Field(primary_key=True)
    currency: str
    zone: str
    cut_over_hour: int


class ScheduleRow(Row, table=True):
    """A published version of a schedule, for ever."""

    __tablename__: ClassVar[str] = "schedule"
    game: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    fingerprint: str = Field(unique=True)
    body: str
    published_us: int = Field(sa_type=BIG)


class PlayerRow(Row, table=True):
    """A player; the name is nowhere else."""

    __tablename__: ClassVar[str] = "player"
    id: str = Field(primary_key=True)
    name: str
    registered_us: int = Field(sa_type=BIG)


class GamingTableRow(Row, table=True):
    """A gaming table and the state of its game."""

    __tablename__: ClassVar[str] = "gaming_table"
    __table_args__ = (
        _one_of("status", "open", "closed"),
        _within("opener", 0),
        _within("riding", 0),
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
    stakes_seen: str
    opened_us: int = Field(sa_type=BIG)
    closed_us: int | None = Field(default=None, sa_type=BIG)


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


class AccountRow(Row, table=True):
    """An account; `balance` is signed, debits positive, and `side` turns it to its normal sense."""

    __tablename__: ClassVar[str] = "account"
    __table_args__ = (
        _one_of("kind", *AccountKind),
        CheckConstraint("side IN (-1, 1)", name="side_known"),
        _within("balance"),
        CheckConstraint("lowest IS NULL OR balance * side >= lowest", name="not_below_floor"),
    )
    name: str = Field(primary_key=True)
    kind: str
    side: int
    lowest: int | None = Field(default=None, sa_type=BIG)
    balance: int = Field(sa_type=BIG)


class EntryRow(Row, table=True):
    """A ledger entry; its postings are written before it, and none after."""

    __tablename__: ClassVar[str] = "entry"
    __table_args__ = (_one_of("kind", *EntryKind), CheckConstraint("seq >= 0", name="seq_counts_up"))
    seq: int = Field(primary_key=True, sa_type=BIG, sa_column_kwargs={"autoincrement": False})
    id: str = Field(unique=True)
    kind: str
    table_id: str | None = Field(default=None, foreign_key="gaming_table.id")
    round: str | None = None
    wager: str | None = None
    record: int = Field(sa_type=BIG, foreign_key="record.number")
    at_us: int = Field(sa_type=BIG)
    gaming_day: str


class PostingRow(Row, table=True):
    """One line of an entry."""

    __tablename__: ClassVar[str] = "posting"
    __table_args__ = (
        CheckConstraint("amount <> 0", name="amount_moves"),
        _within("amount"),
        ForeignKeyConstraint(["seq"], ["entry.seq"], deferrable=True, initially="DEFERRED"),
        Index("ix_posting_account", "account"),
    )
    seq: int = Field(primary_key=True, sa_type=BIG)
    line: int = Field(primary_key=True)
    account: str = Field(foreign_key="account.name")
    amount: int = Field(sa_type=BIG)


class RecordRow(Row, table=True):
    """One record of the history, in order: its canonical JSON, and the hash by which it is a leaf of the tree.

    Kind and table stand in the body too; they are here to be looked up.
    """

    __tablename__: ClassVar[str] = "record"
    __table_args__ = (
        Index("ix_record_table", "table_id", "number"),
        CheckConstraint("number >= 0", name="number_counts_up"),
        CheckConstraint("LENGTH(leaf) = 64", name="leaf_has_32_bytes"),
    )
    number: int = Field(primary_key=True, sa_type=BIG, sa_column_kwargs={"autoincrement": False})
    kind: str
    table_id: str | None = None
    body: str
    leaf: str


class TreeNodeRow(Row, table=True):
    """The hash of a complete subtree of the history, of every eighth level; the others follow from these."""

    __tablename__: ClassVar[str] = "tree_node"
    __table_args__ = (
        CheckConstraint("level > 0 AND place >= 0", name="place_in_tree"),
        CheckConstraint("LENGTH(hash) = 64", name="hash_has_32_bytes"),
    )
    level: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    place: int = Field(primary_key=True, sa_type=BIG, sa_column_kwargs={"autoincrement": False})
    hash: str


class ThrowRow(Row, table=True):
    """One throw."""

    __tablename__: ClassVar[str] = "throw"
    __table_args__ = (
        CheckConstraint("stake_class IS NULL OR stake_class BETWEEN 0 AND 3", name="stake_class_is_quartile"),
        _one_of("method", "box", "gallery", "hand", "machine", "rng"),
        _one_of("source", "dealer", "camera", "import", "rng"),
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
        _one_of("state", "ok", "cocked", "off", "foul", "void"),
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
        _one_of("result", "staked", "won", "lost", "tied", "returned"),
        *(_within(column, 0) for column in AMOUNTS),
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


class AnswerRow(Row, table=True):
    """The stored answer to a command, by its idempotency key."""

    __tablename__: ClassVar[str] = "answer"
    key: str = Field(primary_key=True)
    fingerprint: str
    refused: bool
    body: str
    at_us: int = Field(sa_type=BIG)


def table(row: type[Row]) -> Table:
    """The SQLAlchemy table of a row type."""
    return Row.metadata.tables[str(row.__tablename__)]
