"""`floorman token`: a key for a person, made on the database itself."""

import secrets
import sys
from typing import Annotated

import typer

from house.commands.output import DatabaseUrl, Json, print_json
from house.domain.people import Role
from house.settings import load_settings


def token(
    person: Annotated[str, typer.Argument(help="Opaque id of the person; added if the house does not know it.")],
    role: Annotated[list[Role], typer.Option(help="Role; may be given several times.")],
    days: Annotated[int, typer.Option(min=1, max=366, help="Days that the key lives.")] = 30,
    database: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Make a key for a program or for somebody who is locked out, and print it this once.

    Whoever has the database and its files can do this; so does an admin who forgot his password get in again: with the
    key of a new admin, PUT /v1/people/ID/password.

    Example: floorman token camera-1 --role integration --days 90
    """
    from house.app import open_settings
    from house.service.access import admit

    with open_settings(load_settings(options={"--database": database})) as house:
        added, key = admit(house, person, tuple(role), days, f"token-{secrets.token_hex(16)}")
    if as_json:
        print_json({"person": person, "key": key, "scopes": added.scopes, "expires_at": added.expires_at.isoformat()})
        return
    sys.stdout.write(f"{key}\n")
    sys.stderr.write(f"The key of {person}, until {added.expires_at:%Y-%m-%d %H:%M} UTC. It is shown this once.\n")
