"""Open the house: accounts, entries, records, tables, throws, settlements."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
GREATEST = 2**53 - 1
AMOUNTS = (
    "staked", "returned", "lost", "winnings", "commission", "commission_back", "breakage", "held", "resolved",
)  # fmt: skip


def upgrade() -> None:
    """Create every table of the first schema."""
    for create in (
        _account,
        _answer,
        _house,
        _player,
        _record,
        _tree_node,
        _schedule,
        _gaming_table,
        _box,
        _die,
        _entry,
        _posting,
        _settlement,
        _throw,
        _throw_die,
        _seed,
        _draw,
    ):
        create()


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _amount(name: str) -> sa.Column[int]:
    return sa.Column(name, BIG, nullable=False)


def _bounds(table: str, column: str, low: int) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} BETWEEN {low} AND {GREATEST}", name=op.f(f"ck_{table}_{column}_bounds"))


def _account() -> None:
    op.create_table(
        "account",
        _text("name"),
        _text("kind"),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("lowest", BIG, nullable=True),
        _amount("balance"),
        sa.CheckConstraint(
            "kind IN ('asset', 'liability', 'equity', 'income', 'expense')", name=op.f("ck_account_kind_known")
        ),
        _bounds("account", "balance", -GREATEST),
        sa.CheckConstraint("lowest IS NULL OR balance * side >= lowest", name=op.f("ck_account_not_below_floor")),
        sa.CheckConstraint("side IN (-1, 1)", name=op.f("ck_account_side_known")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_account")),
    )


def _answer() -> None:
    op.create_table(
        "answer",
        _text("key"),
        _text("fingerprint"),
        sa.Column("refused", sa.Boolean(), nullable=False),
        _text("body"),
        _amount("at_us"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_answer")),
    )


def _house() -> None:
    op.create_table(
        "house",
        sa.Column("id", sa.Integer(), nullable=False),
        _text("currency"),
        _text("zone"),
        sa.Column("cut_over_hour", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_house_one_house")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_house")),
    )


def _player() -> None:
    op.create_table(
        "player",
        _text("id"),
        _text("name"),
        _text("skeleton"),
        _amount("registered_us"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
    )
    op.create_index("ix_player_skeleton", "player", ["skeleton"])


def _record() -> None:
    op.create_table(
        "record",
        sa.Column("number", BIG, autoincrement=False, nullable=False),
        _text("kind"),
        sa.Column("table_id", sa.String(), nullable=True),
        _text("body"),
        _text("leaf"),
        sa.CheckConstraint("number >= 0", name=op.f("ck_record_number_counts_up")),
        sa.CheckConstraint("LENGTH(leaf) = 64", name=op.f("ck_record_leaf_has_32_bytes")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_record")),
    )
    op.create_index("ix_record_table", "record", ["table_id", "number"], unique=False)


def _tree_node() -> None:
    op.create_table(
        "tree_node",
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", BIG, autoincrement=False, nullable=False),
        _text("hash"),
        sa.CheckConstraint("level > 0 AND place >= 0", name=op.f("ck_tree_node_place_in_tree")),
        sa.CheckConstraint("LENGTH(hash) = 64", name=op.f("ck_tree_node_hash_has_32_bytes")),
        sa.PrimaryKeyConstraint("level", "place", name=op.f("pk_tree_node")),
    )


def _schedule() -> None:
    op.create_table(
        "schedule",
        _text("game"),
        _text("name"),
        sa.Column("version", sa.Integer(), nullable=False),
        _text("fingerprint"),
        _text("body"),
        _amount("published_us"),
        sa.PrimaryKeyConstraint("game", "name", "version", name=op.f("pk_schedule")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_schedule_fingerprint")),
    )


def _gaming_table() -> None:
    op.create_table(
        "gaming_table",
        _text("id"),
        _text("game"),
        _text("fingerprint"),
        _text("status"),
        _text("method"),
        _amount("opener"),
        sa.Column("closer", BIG, nullable=True),
        _text("state"),
        _text("round"),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("wagers", sa.Integer(), nullable=False),
        sa.Column("next_throw", sa.Integer(), nullable=False),
        _amount("riding"),
        _amount("exposure"),
        _text("stakes_seen"),
        _text("state_before"),
        _amount("opened_us"),
        sa.Column("closed_us", BIG, nullable=True),
        sa.CheckConstraint("status IN ('open', 'closed')", name=op.f("ck_gaming_table_status_known")),
        sa.CheckConstraint("next_throw >= 0 AND rounds >= 0 AND wagers >= 0", name=op.f("ck_gaming_table_counts_up")),
        _bounds("gaming_table", "opener", 0),
        _bounds("gaming_table", "riding", 0),
        _bounds("gaming_table", "exposure", 0),
        sa.ForeignKeyConstraint(["fingerprint"], ["schedule.fingerprint"], name=op.f("fk_gaming_table_fingerprint")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gaming_table")),
    )


def _life(table: str) -> tuple[sa.CheckConstraint, ...]:
    states = "'reserve', 'ready', 'in_play', 'used', 'failed', 'suspected', 'sealed', 'cancelled', 'destroyed'"
    return (
        sa.CheckConstraint(f"state IN ({states})", name=op.f(f"ck_{table}_state_known")),
        sa.CheckConstraint("(state = 'in_play') = (table_id IS NOT NULL)", name=op.f(f"ck_{table}_in_play_at_a_table")),
    )


def _box() -> None:
    op.create_table(
        "box",
        _text("serial"),
        sa.Column("table_id", sa.String(), nullable=True),
        _amount("registered_us"),
        *map(_text, ("state", "area", "maker", "lot")),
        _amount("since_us"),
        *_life("box"),
        sa.ForeignKeyConstraint(["table_id"], ["gaming_table.id"], name=op.f("fk_box_table_id")),
        sa.PrimaryKeyConstraint("serial", name=op.f("pk_box")),
    )
    op.create_index("ix_box_table", "box", ["table_id"], unique=False)


def _die() -> None:
    op.create_table(
        "die",
        _text("serial"),
        sa.Column("table_id", sa.String(), nullable=True),
        _amount("registered_us"),
        *map(_text, ("state", "area", "maker", "lot")),
        _amount("since_us"),
        *_life("die"),
        sa.ForeignKeyConstraint(["table_id"], ["gaming_table.id"], name=op.f("fk_die_table_id")),
        sa.PrimaryKeyConstraint("serial", name=op.f("pk_die")),
    )
    op.create_index("ix_die_table", "die", ["table_id"], unique=False)


def _entry() -> None:
    op.create_table(
        "entry",
        sa.Column("seq", BIG, autoincrement=False, nullable=False),
        _text("id"),
        _text("kind"),
        sa.Column("table_id", sa.String(), nullable=True),
        sa.Column("round", sa.String(), nullable=True),
        sa.Column("wager", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        _text("actor"),
        sa.Column("authorised_by", sa.String(), nullable=True),
        _amount("record"),
        _amount("at_us"),
        _text("gaming_day"),
        sa.CheckConstraint(
            "kind IN ('capital', 'withdrawal', 'buy_in', 'cash_out', 'toke', 'opener', 'closer', 'bet_placed',"
            " 'bet_settle_win', 'bet_settle_loss', 'bet_settle_tie', 'bet_returned', 'fill', 'credit', 'slip_void',"
            " 'drop', 'drop_count', 'toke_paid', 'marker', 'marker_paid', 'round_bet', 'round_win', 'round_lost',"
            " 'round_sweep', 'round_rollback',"
            " 'correction', 'adjustment', 'lent', 'collected')",
            name=op.f("ck_entry_kind_known"),
        ),
        sa.CheckConstraint("seq >= 0", name=op.f("ck_entry_seq_counts_up")),
        sa.ForeignKeyConstraint(["record"], ["record.number"], name=op.f("fk_entry_record")),
        sa.ForeignKeyConstraint(["table_id"], ["gaming_table.id"], name=op.f("fk_entry_table_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_entry")),
        sa.UniqueConstraint("id", name=op.f("uq_entry_id")),
    )
    op.create_index("ix_entry_gaming_day", "entry", ["gaming_day"], unique=False)


def _posting() -> None:
    op.create_table(
        "posting",
        _amount("seq"),
        sa.Column("line", sa.Integer(), nullable=False),
        _text("account"),
        _amount("amount"),
        sa.CheckConstraint("amount <> 0", name=op.f("ck_posting_amount_moves")),
        _bounds("posting", "amount", -GREATEST),
        sa.ForeignKeyConstraint(["account"], ["account.name"], name=op.f("fk_posting_account")),
        sa.ForeignKeyConstraint(
            ["seq"], ["entry.seq"], name=op.f("fk_posting_seq"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("seq", "line", name=op.f("pk_posting")),
    )
    op.create_index("ix_posting_account", "posting", ["account"], unique=False)


def _settlement() -> None:
    op.create_table(
        "settlement",
        _amount("record"),
        sa.Column("line", sa.Integer(), nullable=False),
        _text("table_id"),
        _text("fingerprint"),
        sa.Column("seq", BIG, nullable=True),
        _text("wager"),
        _text("player"),
        _text("bet"),
        _text("spot"),
        _text("result"),
        *(_amount(column) for column in AMOUNTS),
        _text("odds"),
        sa.Column("toke", sa.Boolean(), nullable=False),
        *(_bounds("settlement", column, 0) for column in AMOUNTS),
        sa.CheckConstraint(
            "result IN ('staked', 'won', 'lost', 'tied', 'returned')", name=op.f("ck_settlement_result_known")
        ),
        sa.ForeignKeyConstraint(["fingerprint"], ["schedule.fingerprint"], name=op.f("fk_settlement_fingerprint")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_settlement_player")),
        sa.ForeignKeyConstraint(["record"], ["record.number"], name=op.f("fk_settlement_record")),
        sa.ForeignKeyConstraint(["seq"], ["entry.seq"], name=op.f("fk_settlement_seq")),
        sa.ForeignKeyConstraint(["table_id"], ["gaming_table.id"], name=op.f("fk_settlement_table_id")),
        sa.PrimaryKeyConstraint("record", "line", name=op.f("pk_settlement")),
    )
    op.create_index("ix_settlement_table", "settlement", ["table_id", "record"], unique=False)


def _throw() -> None:
    op.create_table(
        "throw",
        _text("table_id"),
        _amount("number"),
        _amount("at_us"),
        _text("round"),
        _text("method"),
        sa.Column("box", sa.String(), nullable=True),
        sa.Column("shooter", sa.String(), nullable=True),
        _text("source"),
        sa.Column("stake_class", sa.Integer(), nullable=True),
        sa.Column("void", sa.Boolean(), nullable=False),
        _text("gaming_day"),
        _amount("record"),
        sa.CheckConstraint(
            "method IN ('box', 'gallery', 'hand', 'machine', 'rng')", name=op.f("ck_throw_method_known")
        ),
        sa.CheckConstraint("source IN ('dealer', 'camera', 'import', 'rng')", name=op.f("ck_throw_source_known")),
        sa.CheckConstraint(
            "stake_class IS NULL OR stake_class BETWEEN 0 AND 3", name=op.f("ck_throw_stake_class_is_quartile")
        ),
        sa.CheckConstraint("(source = 'rng') = (method = 'rng')", name=op.f("ck_throw_generator_throws_alone")),
        sa.ForeignKeyConstraint(["box"], ["box.serial"], name=op.f("fk_throw_box")),
        sa.ForeignKeyConstraint(["record"], ["record.number"], name=op.f("fk_throw_record")),
        sa.ForeignKeyConstraint(["table_id"], ["gaming_table.id"], name=op.f("fk_throw_table_id")),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_throw")),
    )


def _throw_die() -> None:
    op.create_table(
        "throw_die",
        _text("table_id"),
        _amount("number"),
        sa.Column("slot", sa.Integer(), nullable=False),
        _text("die"),
        sa.Column("face", sa.Integer(), nullable=True),
        _text("state"),
        sa.CheckConstraint("face IS NOT NULL OR state <> 'ok'", name=op.f("ck_throw_die_ok_shows_a_face")),
        sa.CheckConstraint("state IN ('ok', 'cocked', 'off', 'foul', 'void')", name=op.f("ck_throw_die_state_known")),
        sa.CheckConstraint("face IS NULL OR face BETWEEN 1 AND 6", name=op.f("ck_throw_die_face_of_a_die")),
        sa.ForeignKeyConstraint(["die"], ["die.serial"], name=op.f("fk_throw_die_die")),
        sa.ForeignKeyConstraint(
            ["table_id", "number"], ["throw.table_id", "throw.number"], name=op.f("fk_throw_die_table_id")
        ),
        sa.PrimaryKeyConstraint("table_id", "number", "slot", name=op.f("pk_throw_die")),
    )


def _seed() -> None:
    op.create_table(
        "seed",
        _text("commitment"),
        _text("player"),
        sa.Column("number", sa.Integer(), nullable=False),
        _text("secret"),
        sa.Column("client", sa.String(), nullable=True),
        _amount("committed"),
        sa.Column("revealed", BIG, nullable=True),
        sa.CheckConstraint("number >= 0", name=op.f("ck_seed_number_counts_up")),
        sa.CheckConstraint("LENGTH(secret) = 64", name=op.f("ck_seed_secret_has_32_bytes")),
        sa.CheckConstraint("revealed > committed", name=op.f("ck_seed_revealed_after_commitment")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_seed_player")),
        sa.ForeignKeyConstraint(["committed"], ["record.number"], name=op.f("fk_seed_committed")),
        sa.ForeignKeyConstraint(["revealed"], ["record.number"], name=op.f("fk_seed_revealed")),
        sa.PrimaryKeyConstraint("commitment", name=op.f("pk_seed")),
        sa.UniqueConstraint("player", "number", name=op.f("uq_seed_player")),
    )


def _draw() -> None:
    op.create_table(
        "draw",
        _text("seed"),
        _amount("nonce"),
        _text("client"),
        _text("table_id"),
        _amount("number"),
        sa.CheckConstraint("nonce >= 0 AND number >= 0", name=op.f("ck_draw_counts_up")),
        sa.ForeignKeyConstraint(["seed"], ["seed.commitment"], name=op.f("fk_draw_seed")),
        sa.ForeignKeyConstraint(["table_id"], ["gaming_table.id"], name=op.f("fk_draw_table_id")),
        sa.PrimaryKeyConstraint("seed", "nonce", name=op.f("pk_draw")),
        sa.UniqueConstraint("table_id", "number", name=op.f("uq_draw_table_id")),
    )
