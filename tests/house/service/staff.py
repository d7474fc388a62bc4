"""People for tests: hired in a few words, with a password and a token."""

from house.domain.people import Actor, Role
from house.service import access
from house.service.people import AddPerson
from tests.house.pits import Pit

PASSWORD = "ankle deep in chips"


def hire(pit: Pit, person: str, *roles: Role, password: str | None = PASSWORD) -> None:
    """Add somebody with roles and, unless it is None, a password."""
    given = None if password is None else access.hashed(pit.house, password, person, f"hire-{person}")
    pit.do(AddPerson(person=person, name=person.title(), roles=roles, password_hash=given), f"hire-{person}")


def token_of(pit: Pit, person: str, password: str = PASSWORD) -> str:
    """Sign somebody in."""
    return access.sign_in(pit.house, person, password).token


def signed_in(pit: Pit, person: str, *roles: Role) -> Actor:
    """Hire somebody and sign him in."""
    hire(pit, person, *roles)
    return access.actor(pit.house, token_of(pit, person))
