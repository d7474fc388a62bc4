"""Tables of corrections, and of rounds of other systems."""

from typing import ClassVar

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlmodel import Field

from house.domain.corrections import Reason
from house.domain.rounds import Kind
from house.store.rows.base import BIG, Row, one_of, within


class CorrectionRow(Row, table=True):
    """A correction of a throw; the throw's own row stays as it was logged."""

    __tablename__: ClassVar[str] = "correction"
    __table_args__ = (
        one_of("reason", *Reason),
        ForeignKeyConstraint(["table_id", "number"], ["throw.table_id", "throw.number"]),
        Index("ix_correction_throw", "table_id", "number", "record"),
    )
    record: int = Field(
        primary_key=True, sa_type=BIG, foreign_key="record.number", sa_column_kwargs={"autoincrement": False}
    )
    table_id: str
    number: int = Field(sa_type=BIG)
    reason: str


class CorrectionDieRow(Row, table=True):
    """What a die of a corrected throw shows."""

    __tablename__: ClassVar[str] = "correction_die"
    __table_args__ = (
        CheckConstraint("face IS NULL OR face BETWEEN 1 AND 6", name="face_of_a_die"),
        CheckConstraint("face IS NOT NULL OR state <> 'ok'", name="ok_shows_a_face"),
        one_of("state", "ok", "cocked", "off", "foul", "void"),
    )
    record: int = Field(primary_key=True, sa_type=BIG, foreign_key="correction.record")
    slot: int = Field(primary_key=True)
    face: int | None = None
    state: str


class UndoneRow(Row, table=True):
    """A record whose entries and movements a correction took back; once at most."""

    __tablename__: ClassVar[str] = "undone"
    __table_args__ = (CheckConstraint("record < correction", name="undone_afterwards"),)
    record: int = Field(
        primary_key=True, sa_type=BIG, foreign_key="record.number", sa_column_kwargs={"autoincrement": False}
    )
    correction: int = Field(sa_type=BIG, foreign_key="correction.record")


class TransferRow(Row, table=True):
    """A money move of another system's round, by its own id, for ever.

    A rollback stands under `reversal_of`, which no two rows share: the bet it is of, which may come later.
    """

    __tablename__: ClassVar[str] = "transfer"
    __table_args__ = (
        one_of("kind", *Kind),
        within("amount", 1),
        within("wallet_after", 0),
        CheckConstraint("(kind = 'win') = (reference IS NOT NULL)", name="win_refers"),
        CheckConstraint("(kind = 'rollback') = (reversal_of IS NOT NULL)", name="rollback_reverses"),
        CheckConstraint("(kind = 'bet') = (lease_us IS NOT NULL)", name="bet_has_lease"),
        Index("ix_transfer_round", "round", "record"),
        Index("ix_transfer_reference", "reference"),
    )
    id: str = Field(primary_key=True)
    kind: str
    round: str
    player: str = Field(foreign_key="player.id")
    amount: int = Field(sa_type=BIG)
    reference: str | None = None
    reversal_of: str | None = Field(default=None, unique=True)
    lease_us: int | None = Field(default=None, sa_type=BIG)
    wallet_after: int = Field(sa_type=BIG)
    record: int = Field(sa_type=BIG, foreign_key="record.number")


class RoundEndRow(Row, table=True):
    """A round that takes no bets any more; its open bets were lost with it."""

    __tablename__: ClassVar[str] = "round_end"
    round: str = Field(primary_key=True)
    record: int = Field(sa_type=BIG, foreign_key="record.number")
