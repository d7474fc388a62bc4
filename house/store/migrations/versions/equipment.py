"""Lives of dice and boxes."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
EVENTS = (
    "'registered', 'received', 'passed', 'failed', 'moved', 'issued', 'returned', 'suspected', 'cleared', 'sealed',"
    " 'cancelled', 'destroyed'"
)
STATES = "'reserve', 'ready', 'in_play', 'used', 'failed', 'suspected', 'sealed', 'cancelled', 'destroyed'"


def upgrade() -> None:
    """Create the tables of what happens to dice and boxes."""
    _piece_event()
    _count()
    op.create_table(
        "hand",
        _text("table_id"),
        _text("dice"),
        sa.ForeignKeyConstraint(["table_id"], ["gaming_table.id"], name=op.f("fk_hand_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_hand")),
    )


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _big(name: str) -> sa.Column[int]:
    return sa.Column(name, BIG, nullable=False)


def _whole(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _piece_event() -> None:
    op.create_table(
        "piece_event",
        _big("record"),
        _whole("line"),
        *map(_text, ("kind", "serial", "event", "state")),
        sa.Column("table_id", sa.String(), nullable=True),
        _text("area"),
        _big("at_us"),
        _text("gaming_day"),
        sa.CheckConstraint("kind IN ('die', 'box')", name=op.f("ck_piece_event_kind_known")),
        sa.CheckConstraint(f"event IN ({EVENTS})", name=op.f("ck_piece_event_event_known")),
        sa.CheckConstraint(f"state IN ({STATES})", name=op.f("ck_piece_event_state_known")),
        sa.ForeignKeyConstraint(["record"], ["record.number"], name=op.f("fk_piece_event_record")),
        sa.ForeignKeyConstraint(["table_id"], ["gaming_table.id"], name=op.f("fk_piece_event_table_id")),
        sa.PrimaryKeyConstraint("record", "line", name=op.f("pk_piece_event")),
    )
    op.create_index("ix_piece_event_serial", "piece_event", ["kind", "serial", "record"])


def _count() -> None:
    op.create_table(
        "equipment_count",
        _big("record"),
        _text("area"),
        *map(_whole, ("dice", "boxes", "due_dice", "due_boxes")),
        _text("gaming_day"),
        sa.CheckConstraint("dice >= 0 AND boxes >= 0", name=op.f("ck_equipment_count_counted_from_0")),
        sa.ForeignKeyConstraint(["record"], ["record.number"], name=op.f("fk_equipment_count_record")),
        sa.PrimaryKeyConstraint("record", name=op.f("pk_equipment_count")),
    )
