"""Who works in the demo's evening: people of the house, hired on its database, and which of them does what."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from house.app import open_settings
from house.demo.script import Ask
from house.domain.people import Role
from house.service.access import admit, hashed
from house.service.desk import perform
from house.service.people import ResetPassword
from house.settings import load_settings

STAFF: Mapping[str, Role] = {
    "owner": Role.ADMIN,
    "cage-1": Role.CAGE,
    "floor-1": Role.FLOORMAN,
    "boss-1": Role.PIT_BOSS,
    "dealer-1": Role.DEALER,
    "eye-1": Role.SURVEILLANCE,
    "audit-1": Role.AUDITOR,
}
"""People by their ids."""

DUTIES: tuple[tuple[str, str], ...] = (
    (r"POST /funds.*", "owner"),
    (r"\w+ /players(/[^/]+(/(buy-ins|cash-outs))?)?", "cage-1"),
    (r"GET /(reports|funds|history).*", "audit-1"),
    (r"POST /tables(/[^/]+/(closings|dice-changes))?|POST /(equipment|approvals).*", "floor-1"),
    (r"\w+ /(tables|players)/.*", "dealer-1"),
)
"""Whose work a request is, by method and path: the first line that fits."""

SECOND = "eye-1"
"""Who approves what two must want."""

DAYS = 1


@dataclass(frozen=True, slots=True)
class Employee:
    """A person, the key with which the demo acts for him, and the password with which he signs in."""

    id: str
    key: str
    password: str


def on_duty(ask: Ask) -> str:
    """Id of the person whose work a request is; the floorman does what is nobody's.

    Examples
    --------
    >>> on_duty(Ask("POST", "/players/ann/buy-ins")), on_duty(Ask("POST", "/tables/craps-1/throws"))
    ('cage-1', 'dealer-1')
    """
    line = f"{ask.method} {ask.path}"
    return next((person for pattern, person in DUTIES if re.fullmatch(pattern, line)), "floor-1")


def hire(database: Path) -> dict[str, Employee]:
    """Open the house on a SQLite file, add its people with keys and passwords of chance, and close it."""
    staff = {}
    with open_settings(load_settings(options={"--database": f"sqlite:///{database}"})) as house:
        for person, role in STAFF.items():
            _, key = admit(house, person, (role,), DAYS, f"hire-{person}")
            password = secrets.token_urlsafe(18)
            given = ResetPassword(person=person, password_hash=hashed(house, password, person, f"password-{person}"))
            perform(house, given, f"password-{person}")
            staff[person] = Employee(person, key, password)
    return staff
