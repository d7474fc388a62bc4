"""Tables of people, their keys, and the approvals that they gave."""

from typing import ClassVar

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from house.store.rows.base import BIG, Row


class PersonRow(Row, table=True):
    """Somebody who may act; the name is nowhere else.

    `roles` are words between spaces; `password` is argon2id's own text; a token of an earlier `generation` is void;
    after `failures` wrong passwords in a row none is taken before `retry_us`.
    """

    __tablename__: ClassVar[str] = "person"
    __table_args__ = (
        Index("ix_person_skeleton", "skeleton"),
        CheckConstraint("id <> 'house'", name="id_not_the_house"),
        CheckConstraint("password IS NULL OR password LIKE '$argon2id$%'", name="password_is_hashed"),
        CheckConstraint("generation >= 0", name="generation_counts_up"),
        CheckConstraint("failures >= 0", name="failures_count_up"),
    )
    id: str = Field(primary_key=True)
    name: str
    skeleton: str
    roles: str
    password: str | None = None
    generation: int = Field(sa_type=BIG)
    locked: bool
    failures: int
    retry_us: int = Field(sa_type=BIG)
    added_us: int = Field(sa_type=BIG)


class ApiKeyRow(Row, table=True):
    """A key of a person's for programs: the secret's SHA-256, and the scopes that it is narrowed to."""

    __tablename__: ClassVar[str] = "api_key"
    __table_args__ = (
        Index("ix_api_key_person", "person"),
        CheckConstraint("LENGTH(digest) = 64", name="digest_has_32_bytes"),
        CheckConstraint("expires_us > added_us", name="expires_later"),
    )
    prefix: str = Field(primary_key=True)
    person: str = Field(foreign_key="person.id")
    digest: str
    scopes: str
    added_us: int = Field(sa_type=BIG)
    expires_us: int = Field(sa_type=BIG)
    revoked_us: int | None = Field(default=None, sa_type=BIG)
    used_us: int | None = Field(default=None, sa_type=BIG)


class ApprovalRow(Row, table=True):
    """An approval of a second person that was used."""

    __tablename__: ClassVar[str] = "approval"
    id: str = Field(primary_key=True)
    used_us: int = Field(sa_type=BIG)
