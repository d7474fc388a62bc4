"""People, their keys, and the approvals that they gave."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of people."""
    _person()
    _api_key()
    op.create_table(
        "approval", _text("id"), _number("used_us"), sa.PrimaryKeyConstraint("id", name=op.f("pk_approval"))
    )


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _number(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, BIG, nullable=nullable)


def _person() -> None:
    op.create_table(
        "person",
        _text("id"),
        _text("name"),
        _text("skeleton"),
        _text("roles"),
        sa.Column("password", sa.String(), nullable=True),
        _number("generation"),
        sa.Column("locked", sa.Boolean(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        _number("retry_us"),
        _number("added_us"),
        sa.CheckConstraint("id <> 'house'", name=op.f("ck_person_id_not_the_house")),
        sa.CheckConstraint(
            "password IS NULL OR password LIKE '$argon2id$%'", name=op.f("ck_person_password_is_hashed")
        ),
        sa.CheckConstraint("generation >= 0", name=op.f("ck_person_generation_counts_up")),
        sa.CheckConstraint("failures >= 0", name=op.f("ck_person_failures_count_up")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
    )
    op.create_index("ix_person_skeleton", "person", ["skeleton"])


def _api_key() -> None:
    op.create_table(
        "api_key",
        _text("prefix"),
        _text("person"),
        _text("digest"),
        _text("scopes"),
        _number("added_us"),
        _number("expires_us"),
        _number("revoked_us", nullable=True),
        _number("used_us", nullable=True),
        sa.CheckConstraint("LENGTH(digest) = 64", name=op.f("ck_api_key_digest_has_32_bytes")),
        sa.CheckConstraint("expires_us > added_us", name=op.f("ck_api_key_expires_later")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_api_key_person")),
        sa.PrimaryKeyConstraint("prefix", name=op.f("pk_api_key")),
    )
    op.create_index("ix_api_key_person", "api_key", ["person"])
