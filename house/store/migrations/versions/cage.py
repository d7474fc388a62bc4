"""Slips, credit lines, players' limits, shifts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
GREATEST = 2**53 - 1


def upgrade() -> None:
    """Create the tables of the cage."""
    for create in (_slip, _slip_void, _credit_line, _player_day, _player_limit, _exclusion, _shift, _rack_count):
        create()


def _text(name: str, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _number(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, BIG, nullable=nullable)


def _bounds(table: str, column: str, low: int = -GREATEST) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} BETWEEN {low} AND {GREATEST}", name=op.f(f"ck_{table}_{column}_bounds"))


def _known(table: str, column: str, words: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} IN ({words})", name=op.f(f"ck_{table}_{column}_known"))


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=op.f(f"fk_{table}_{column}"))


def _slip() -> None:
    op.create_table(
        "slip",
        _text("kind"),
        _number("number"),
        _text("table_id"),
        _number("amount"),
        _text("denominations"),
        _text("by"),
        _text("second", nullable=True),
        _number("record"),
        _number("at_us"),
        _text("gaming_day"),
        _known("slip", "kind", "'fill', 'credit'"),
        sa.CheckConstraint("number >= 1", name=op.f("ck_slip_number_counts_up")),
        _bounds("slip", "amount", 1),
        _refers("slip", "table_id", "gaming_table.id"),
        _refers("slip", "record", "record.number"),
        sa.PrimaryKeyConstraint("kind", "number", name=op.f("pk_slip")),
    )


def _slip_void() -> None:
    op.create_table(
        "slip_void",
        _text("kind"),
        _number("number"),
        _text("reason"),
        _text("by"),
        _text("second", nullable=True),
        _number("record"),
        _number("at_us"),
        sa.ForeignKeyConstraint(["kind", "number"], ["slip.kind", "slip.number"], name=op.f("fk_slip_void_kind")),
        _refers("slip_void", "record", "record.number"),
        sa.PrimaryKeyConstraint("kind", "number", name=op.f("pk_slip_void")),
    )


def _credit_line() -> None:
    op.create_table(
        "credit_line",
        _text("player"),
        _number("amount"),
        _bounds("credit_line", "amount", 0),
        _refers("credit_line", "player", "player.id"),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_credit_line")),
    )


def _player_day() -> None:
    op.create_table(
        "player_day",
        _text("player"),
        _text("gaming_day"),
        _number("deposited"),
        _number("staked"),
        _number("back"),
        _bounds("player_day", "deposited", 0),
        _bounds("player_day", "staked", 0),
        _bounds("player_day", "back"),
        _refers("player_day", "player", "player.id"),
        sa.PrimaryKeyConstraint("player", "gaming_day", name=op.f("pk_player_day")),
    )


def _player_limit() -> None:
    op.create_table(
        "player_limit",
        _text("player"),
        _text("measure"),
        _text("span"),
        _number("amount", nullable=True),
        _number("raised_to", nullable=True),
        _number("raised_from_us", nullable=True),
        _known("player_limit", "measure", "'deposit', 'stake', 'loss'"),
        _known("player_limit", "span", "'day', 'week', 'month'"),
        _bounds("player_limit", "amount", 0),
        _bounds("player_limit", "raised_to", 0),
        sa.CheckConstraint(
            "raised_to IS NULL OR raised_from_us IS NOT NULL", name=op.f("ck_player_limit_raise_cools_off")
        ),
        _refers("player_limit", "player", "player.id"),
        sa.PrimaryKeyConstraint("player", "measure", "span", name=op.f("pk_player_limit")),
    )


def _exclusion() -> None:
    op.create_table(
        "exclusion",
        _text("player"),
        _number("until_us", nullable=True),
        _refers("exclusion", "player", "player.id"),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_exclusion")),
    )


def _shift() -> None:
    op.create_table(
        "shift",
        sa.Column("number", BIG, autoincrement=False, nullable=False),
        _text("name"),
        _number("end_entry"),
        _number("end_record"),
        _text("gaming_day"),
        _number("at_us"),
        sa.CheckConstraint("number >= 1 AND end_entry >= 0", name=op.f("ck_shift_counts_up")),
        _refers("shift", "end_record", "record.number"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_shift")),
    )


def _rack_count() -> None:
    op.create_table(
        "rack_count",
        sa.Column("shift", BIG, autoincrement=False, nullable=False),
        _text("table_id"),
        _number("counted"),
        _number("booked"),
        _bounds("rack_count", "counted", 0),
        _bounds("rack_count", "booked"),
        _refers("rack_count", "shift", "shift.number"),
        _refers("rack_count", "table_id", "gaming_table.id"),
        sa.PrimaryKeyConstraint("shift", "table_id", name=op.f("pk_rack_count")),
    )
