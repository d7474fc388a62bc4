"""People over the wire: signing in, approvals, people, their roles and keys."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from house.api.schemas.fields import ID, Answered, Asked, Lookalikes, PersonName
from house.domain.people import Role, Scope
from house.service.people import DAYS

PersonId = Annotated[
    str, Field(pattern=ID, max_length=64, description="Opaque id of somebody of the house", examples=["p-17"])
]
Prefix = Annotated[
    str, Field(pattern=r"^[0-9a-f]{12}$", description="What a key begins with", examples=["9f86d081884c"])
]
Password = Annotated[
    SecretStr,
    Field(
        max_length=512, description="A password; a new one has 12 to 128 characters", examples=["ankle deep in chips"]
    ),
]
Roles = Annotated[
    list[Annotated[Role, Field(strict=False)]],
    Field(min_length=1, max_length=len(Role), description="Roles of the trade", examples=[["dealer", "boxman"]]),
]
Scopes = Annotated[
    list[Annotated[Scope, Field(strict=False)]],
    Field(max_length=len(Scope), description="What may be done with it", examples=[["pit:read", "wagers:write"]]),
]


class Credentials(Asked):
    """Who signs in."""

    username: PersonId
    password: Password


class Token(Answered):
    """A token for the header `Authorization`, in the form of OAuth 2."""

    access_token: Annotated[str, Field(description="The token", examples=["eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"])]
    token_type: Annotated[Literal["bearer"], Field(description="How it is used", examples=["bearer"])] = "bearer"
    expires_in: Annotated[int, Field(description="Seconds that it is good for", examples=[900])]
    scope: Annotated[str, Field(description="What may be done with it", examples=["pit:read wagers:write"])]


class Myself(Answered):
    """Who asks, and what he may do now."""

    person: PersonId
    scopes: Scopes


class NewApproval(Asked):
    """A second person approves one command of whoever is signed in."""

    person: PersonId
    password: Password
    operation: Annotated[
        str,
        Field(pattern=r"^[A-Za-z]{1,64}$", description="The command that is approved", examples=["ChangeSchedule"]),
    ]
    content: Annotated[
        str,
        Field(
            pattern=r"^[0-9a-f]{64}$",
            description="Which request is approved: SHA-256 in hex of its method, a space, its path, a line feed, "
            "and its body byte for byte",
            examples=["eb394cccd7548db00a9cafb2a9990caa9d509e335cba561d52aa0440cc84d903"],
        ),
    ]


class Approval(Answered):
    """An approval for the header `Second-Person`."""

    approval: Annotated[str, Field(description="Good once, for two minutes", examples=["eyJhbGciOi.e30.c2lnbmF0dXJl"])]


class NewOwner(Asked):
    """The first owner, who has the code that the house printed when it started."""

    code: Annotated[str, Field(max_length=64, description="The code", examples=["ABCDEF-GHIJKL-MNOPQR-STUVWX"])]
    person: PersonId
    name: PersonName
    password: Password


class NewPerson(Asked):
    """Somebody to add; without a password he acts by keys alone."""

    person: PersonId
    name: PersonName
    roles: Roles
    password: Password | None = Field(default=None, description="A password; null for none")


class NewRoles(Asked):
    """Other roles."""

    roles: Roles


class NewPassword(Asked):
    """A new password for somebody."""

    password: Password


class OwnPassword(Asked):
    """A new password of one's own."""

    old: Password
    password: Password


class NewKey(Asked):
    """A key for a program that acts for somebody."""

    scopes: Scopes = Field(default=[], description="What may be done with it; none for all that the person may")
    days: Annotated[int, Field(ge=DAYS[0], le=DAYS[-1], description="Days that it lives", examples=[90])] = 90


class Person(Answered):
    """Somebody of the house; the name is kept apart from every record."""

    person: PersonId
    name: PersonName
    roles: Roles
    locked: Annotated[bool, Field(description="Locked out: tokens and keys are void", examples=[False])]
    signs_in: Annotated[bool, Field(description="Whether there is a password", examples=[True])]
    lookalikes: Lookalikes


class ApiKey(Answered):
    """A key, without its secret."""

    prefix: Prefix
    person: PersonId
    scopes: Scopes
    expires_at: Annotated[datetime, Field(description="When it ends", examples=["2027-02-27T20:00:00Z"])]
    revoked: Annotated[bool, Field(description="Whether it was revoked", examples=[False])]
    used_at: Annotated[
        datetime | None,
        Field(description="When it was used last, to about ten minutes", examples=["2026-11-29T20:00:00Z"]),
    ]


class AddedKey(ApiKey):
    """A new key with its secret, which the house does not keep."""

    key: Annotated[str, Field(description="The whole key", examples=["9f86d081884c.c2VjcmV0"])]
