"""Watched sets of dice and incidents."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of the live laboratory."""
    for create in (_watch, _watch_span, _snapshot, _incident, _incident_event):
        create()


def _text(name: str, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _big(name: str) -> sa.Column[int]:
    return sa.Column(name, BIG, nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=False)


def _to(table: str, column: str, there: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [there], name=op.f(f"fk_{table}_{column}"))


def _watch() -> None:
    op.create_table(
        "watch",
        _number("number"),
        *map(_text, ("dice", "alpha", "pit_alpha")),
        _big("record"),
        sa.CheckConstraint("number > 0", name=op.f("ck_watch_number_counts_up")),
        _to("watch", "record", "record.number"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_watch")),
        sa.UniqueConstraint("dice", name=op.f("uq_watch_dice")),
    )


def _watch_span() -> None:
    op.create_table(
        "watch_span",
        sa.Column("watch", sa.Integer(), nullable=False),
        _big("record"),
        _text("table_id"),
        _big("first_throw"),
        sa.CheckConstraint("first_throw >= 0", name=op.f("ck_watch_span_first_throw_counts_up")),
        _to("watch_span", "watch", "watch.number"),
        _to("watch_span", "record", "record.number"),
        _to("watch_span", "table_id", "gaming_table.id"),
        sa.PrimaryKeyConstraint("watch", "record", name=op.f("pk_watch_span")),
    )
    op.create_index("ix_watch_span_table", "watch_span", ["table_id", "record"])


def _snapshot() -> None:
    op.create_table(
        "snapshot",
        sa.Column("watch", sa.Integer(), nullable=False),
        _big("span"),
        _big("next_throw"),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        _text("digest"),
        _to("snapshot", "watch", "watch.number"),
        sa.PrimaryKeyConstraint("watch", name=op.f("pk_snapshot")),
    )


def _incident() -> None:
    op.create_table(
        "incident",
        _number("number"),
        sa.Column("watch", sa.Integer(), nullable=False),
        _text("subject"),
        _text("status"),
        *(_text(name, nullable=True) for name in ("assigned", "reason", "evidence_at_close")),
        _text("table_id"),
        *map(_big, ("throw", "raised")),
        _text("gaming_day"),
        sa.CheckConstraint("status IN ('open', 'closed')", name=op.f("ck_incident_status_known")),
        sa.CheckConstraint("number >= 0", name=op.f("ck_incident_number_counts_up")),
        sa.CheckConstraint("(status = 'closed') = (reason IS NOT NULL)", name=op.f("ck_incident_closed_with_a_reason")),
        _to("incident", "watch", "watch.number"),
        _to("incident", "table_id", "gaming_table.id"),
        _to("incident", "raised", "record.number"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_incident")),
    )
    op.create_index("ix_incident_watch", "incident", ["watch"])


def _incident_event() -> None:
    op.create_table(
        "incident_event",
        _big("record"),
        sa.Column("incident", sa.Integer(), nullable=False),
        _text("event"),
        sa.CheckConstraint(
            "event IN ('raised', 'assigned', 'noted', 'ended')", name=op.f("ck_incident_event_event_known")
        ),
        _to("incident_event", "record", "record.number"),
        _to("incident_event", "incident", "incident.number"),
        sa.PrimaryKeyConstraint("record", name=op.f("pk_incident_event")),
    )
    op.create_index("ix_incident_event_incident", "incident_event", ["incident", "record"])
