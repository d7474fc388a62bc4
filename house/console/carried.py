"""A form that came from somebody whose session had ended: what was typed is carried through the door and sent again.

It goes as one hidden field of the sign-in page, then as hidden fields of a form to where it was going, with the key
that it had, so that it is carried out once. Passwords are never carried, they are typed again; files are chosen again.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import Request
from starlette.exceptions import HTTPException

from house.console import session
from house.console.session import KEY_FIELD, NAME_FIELD, PASSWORDS, Posted

FIELD = "carried"
"""Hidden field of the sign-in page."""
DOORS = ("/sign-in", "/sign-out", "/first-run")
"""Addresses whose forms are not carried."""
SHOWN = 200
"""Characters of a value that the page shows before it is sent."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A form on its way through the door.

    Parameters
    ----------
    to
        Address where it goes.
    fields
        Names and values, hidden ones too.
    again
        Names of passwords that must be typed again.
    files
        Names of files that must be chosen again.
    """

    to: str
    fields: tuple[tuple[str, str], ...]
    again: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def text(self) -> str:
        """Write it as the value of a hidden field."""
        return json.dumps([self.to, self.fields, self.again, self.files])

    @property
    def typed(self) -> Iterator[tuple[str, str]]:
        """What a person recognises of it: names and values, shortened."""
        for name, value in self.fields:
            if value and name not in (KEY_FIELD, NAME_FIELD):
                words = name.removesuffix("_minor").replace("_", " ").replace(".", " ")
                yield words, value if len(value) <= SHOWN else f"{value[:SHOWN]}…"


async def take(request: Request) -> Carried | None:
    """Take the form of a request whose sender is not signed in; None where there is none of this house's own."""
    if request.method != "POST" or request.url.path.startswith(DOORS):
        return None
    try:
        posted = await session.posted(request, await session.passer_by(request))
    except HTTPException:
        return None
    for file in posted.files.values():
        await file.close()
    query = f"?{request.url.query}" if request.url.query else ""
    return of(f"{request.url.path}{query}", posted)


def of(to: str, posted: Posted) -> Carried:
    """Carry a form to an address."""
    fields = [(KEY_FIELD, posted.key), (NAME_FIELD, posted.name)]
    fields += [(name, value) for name, values in posted.fields.items() if name not in PASSWORDS for value in values]
    again = tuple(name for name in posted.fields if name in PASSWORDS)
    return Carried(to, tuple(fields), again, tuple(posted.files))


def read(text: str) -> Carried | None:
    """Read a form that was carried; None for what is none.

    >>> read(Carried("/cage/buy-ins", (("player", "ann"),)).text())
    Carried(to='/cage/buy-ins', fields=(('player', 'ann'),), again=(), files=())
    >>> read("[]"), read('["//elsewhere.example", [], [], []]')
    (None, None)
    """
    try:
        to, fields, again, files = json.loads(text)
        pairs = tuple((str(name), str(value)) for name, value in fields)
        found = Carried(str(to), pairs, tuple(map(str, again)), tuple(map(str, files)))
    except (ValueError, TypeError, RecursionError):
        return None
    return found if found.to.startswith("/") and not found.to.startswith(("//", "/\\")) else None
