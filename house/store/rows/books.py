"""Tables of the books: the house, schedules, players, accounts, entries, records, answers."""

from typing import ClassVar

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlmodel import Field

from house.domain.ledger import AccountKind, EntryKind
from house.store.rows.base import BIG, Row, one_of, within


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
    __table_args__ = (Index("ix_player_skeleton", "skeleton"),)
    id: str = Field(primary_key=True)
    name: str
    skeleton: str
    registered_us: int = Field(sa_type=BIG)


class AccountRow(Row, table=True):
    """An account; `balance` is signed, debits positive, and `side` turns it to its normal sense."""

    __tablename__: ClassVar[str] = "account"
    __table_args__ = (
        one_of("kind", *AccountKind),
        CheckConstraint("side IN (-1, 1)", name="side_known"),
        within("balance"),
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
    __table_args__ = (
        one_of("kind", *EntryKind),
        CheckConstraint("seq >= 0", name="seq_counts_up"),
        Index("ix_entry_gaming_day", "gaming_day"),
    )
    seq: int = Field(primary_key=True, sa_type=BIG, sa_column_kwargs={"autoincrement": False})
    id: str = Field(unique=True)
    kind: str
    table_id: str | None = Field(default=None, foreign_key="gaming_table.id")
    round: str | None = None
    wager: str | None = None
    reason: str | None = None
    actor: str
    authorised_by: str | None = None
    record: int = Field(sa_type=BIG, foreign_key="record.number")
    at_us: int = Field(sa_type=BIG)
    gaming_day: str


class PostingRow(Row, table=True):
    """One line of an entry."""

    __tablename__: ClassVar[str] = "posting"
    __table_args__ = (
        CheckConstraint("amount <> 0", name="amount_moves"),
        within("amount"),
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


class AnswerRow(Row, table=True):
    """The stored answer to a command, by its idempotency key."""

    __tablename__: ClassVar[str] = "answer"
    key: str = Field(primary_key=True)
    fingerprint: str
    refused: bool
    body: str
    at_us: int = Field(sa_type=BIG)
