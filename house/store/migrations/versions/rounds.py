"""Rounds of other systems, and corrections of throws."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
GREATEST = 2**53 - 1


def upgrade() -> None:
    """Create the tables of rounds and corrections."""
    for create in (_correction, _correction_die, _undone, _transfer, _round_end):
        create()


def _text(name: str, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, BIG, autoincrement=False, nullable=False)


def _check(table: str, name: str, rule: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(rule, name=op.f(f"ck_{table}_{name}"))


def _foreign(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=op.f(f"fk_{table}_{column}"))


def _correction() -> None:
    op.create_table(
        "correction",
        _number("record"),
        _text("table_id"),
        _number("number"),
        _text("reason"),
        _check("correction", "reason_known", "reason IN ('miskeyed', 'misread', 'miscalled')"),
        _foreign("correction", "record", "record.number"),
        sa.ForeignKeyConstraint(
            ["table_id", "number"], ["throw.table_id", "throw.number"], name=op.f("fk_correction_table_id")
        ),
        sa.PrimaryKeyConstraint("record", name=op.f("pk_correction")),
    )
    op.create_index("ix_correction_throw", "correction", ["table_id", "number", "record"], unique=False)


def _correction_die() -> None:
    name, states = "correction_die", "'ok', 'cocked', 'off', 'foul', 'void'"
    op.create_table(
        name,
        _number("record"),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("face", sa.Integer(), nullable=True),
        _text("state"),
        _check(name, "face_of_a_die", "face IS NULL OR face BETWEEN 1 AND 6"),
        _check(name, "ok_shows_a_face", "face IS NOT NULL OR state <> 'ok'"),
        _check(name, "state_known", f"state IN ({states})"),
        _foreign(name, "record", "correction.record"),
        sa.PrimaryKeyConstraint("record", "slot", name=op.f("pk_correction_die")),
    )


def _undone() -> None:
    op.create_table(
        "undone",
        _number("record"),
        _number("correction"),
        _check("undone", "undone_afterwards", "record < correction"),
        _foreign("undone", "record", "record.number"),
        _foreign("undone", "correction", "correction.record"),
        sa.PrimaryKeyConstraint("record", name=op.f("pk_undone")),
    )


def _transfer() -> None:
    op.create_table(
        "transfer",
        _text("id"),
        _text("kind"),
        _text("round"),
        _text("player"),
        _number("amount"),
        _text("reference", nullable=True),
        _text("reversal_of", nullable=True),
        sa.Column("lease_us", BIG, nullable=True),
        _number("wallet_after"),
        _number("record"),
        _check("transfer", "kind_known", "kind IN ('bet', 'win', 'rollback')"),
        _check("transfer", "amount_bounds", f"amount BETWEEN 1 AND {GREATEST}"),
        _check("transfer", "wallet_after_bounds", f"wallet_after BETWEEN 0 AND {GREATEST}"),
        _check("transfer", "win_refers", "(kind = 'win') = (reference IS NOT NULL)"),
        _check("transfer", "rollback_reverses", "(kind = 'rollback') = (reversal_of IS NOT NULL)"),
        _check("transfer", "bet_has_lease", "(kind = 'bet') = (lease_us IS NOT NULL)"),
        _foreign("transfer", "player", "player.id"),
        _foreign("transfer", "record", "record.number"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transfer")),
        sa.UniqueConstraint("reversal_of", name=op.f("uq_transfer_reversal_of")),
    )
    op.create_index("ix_transfer_round", "transfer", ["round", "record"], unique=False)
    op.create_index("ix_transfer_reference", "transfer", ["reference"], unique=False)


def _round_end() -> None:
    op.create_table(
        "round_end",
        _text("round"),
        _number("record"),
        _foreign("round_end", "record", "record.number"),
        sa.PrimaryKeyConstraint("round", name=op.f("pk_round_end")),
    )
