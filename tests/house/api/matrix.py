"""The authority matrix: every operation of the OpenAPI description x every role x every kind of token, as declared."""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any

from fastapi.testclient import TestClient

from house.domain.people import ROLES, PersonId, Role, Scope
from house.service import access, tokens
from house.service.desk import House, perform
from house.service.people import AddPerson

PUBLIC = {"signIn", "claimOwner", "showVerifier", "showHealth", "showReadiness"}
"""Operations that anybody may ask for, by name: one that is new must say what it needs, or be put here."""
BAD_TOKENS = ("none", "expired", "tampered", "alg none", "another audience", "ended")
EXAMPLES = {"integer": "1", "string": "x-1"}
_KEYS = count()


@dataclass(frozen=True)
class Operation:
    """An operation, and the scopes that it declares; None where it declares none."""

    id: str
    method: str
    path: str
    scopes: frozenset[Scope] | None
    answers: frozenset[int]

    def may(self, role: Role) -> bool:
        """Whether a role may, by the table of roles."""
        return self.scopes is not None and self.scopes <= ROLES[role]


@dataclass(frozen=True)
class Cell:
    """One cell: who asks for what with which token."""

    operation: Operation
    role: Role
    token: str

    @property
    def expected(self) -> str:
        """`not_signed_in`, `not_allowed`, or `let in`."""
        if self.operation.id in PUBLIC:
            return "let in"
        if self.token != "own":
            return "not_signed_in"
        return "let in" if self.operation.may(self.role) else "not_allowed"


def operations(description: Mapping[str, Any]) -> list[Operation]:
    """Every operation, with something in place of each path parameter; signing out comes last."""
    found = []
    for template, methods in description["paths"].items():
        for method, operation in methods.items():
            path = template
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    value = EXAMPLES.get(parameter["schema"].get("type", "string"), "x-1")
                    path = path.replace(f"{{{parameter['name']}}}", value)
            if "text/event-stream" in operation["responses"].get("200", {}).get("content", ()):
                path += "?after=no"  # who is let in is told that this is no number, and no stream begins
            declared = [scope for one in operation.get("security", ()) for scope in one.get("Floorman", ())]
            scopes = frozenset(Scope(scope) for scope in declared) if declared else None
            answers = frozenset(int(status) for status in operation["responses"])
            found.append(Operation(operation["operationId"], method.upper(), path, scopes, answers))
    return sorted(found, key=lambda one: one.id == "signOut")  # which ends the tokens that ask for all others


class Staff:
    """One person in each role of a house, and tokens of every kind for each."""

    def __init__(self, house: House) -> None:
        self._tokens: dict[tuple[Role, str], str | None] = {}
        now = house.now()
        for role in Role:
            person = PersonId(f"m-{role.value}")
            perform(house, AddPerson(person=person, name=role.value, roles=(role,)), f"matrix-{role.value}")

            def made(audience: str = access.ACCESS, at: Any = now, generation: int = 0, who: str = person) -> str:
                life = timedelta(hours=1)
                more = {"since": int(at.timestamp())}
                return tokens.make(house.secret, audience, who, generation, now=at, life=life, **more)[0]

            good = made()
            head, said, signature = good.split(".")
            other = {**json.loads(_decoded(said)), "sub": "m-admin", "more": 1}
            kinds = {
                "own": good,
                "none": None,
                "expired": made(at=now - timedelta(hours=1, seconds=1)),
                "tampered": f"{head}.{_encoded(other)}.{signature}",
                "alg none": f"{_encoded({'alg': 'none', 'typ': 'JWT'})}.{said}.",
                "another audience": made(audience=access.APPROVAL),
                "ended": made(generation=1_000),  # not one that `signOut` comes to
            }
            self._tokens |= {(role, kind): token for kind, token in kinds.items()}

    def headers(self, role: Role, kind: str) -> dict[str, str]:
        """The headers of a request of somebody with a kind of token, under an idempotency key of its own."""
        token = self._tokens[role, kind]
        key = {"Idempotency-Key": f"matrix-{next(_KEYS)}"}
        return key if token is None else {"Authorization": f"Bearer {token}", **key}


def _encoded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def asked(client: TestClient, staff: Staff, cell: Cell) -> str:
    """Ask the real application; what it said to who asked: `not_signed_in`, `not_allowed`, or `let in`."""
    operation = cell.operation
    headers = staff.headers(cell.role, cell.token)
    body = None if operation.method in ("GET", "DELETE") else {}
    answer = client.request(operation.method, operation.path, json=body, headers=headers)
    assert answer.status_code in operation.answers, (cell, answer.status_code, answer.text[:300])
    assert answer.status_code < 500, (cell, answer.text[:300])
    if answer.status_code not in (401, 403) or operation.id in PUBLIC:
        return "let in"
    code: str = answer.json()["code"]
    assert (code == "not_signed_in") == (answer.status_code == 401) == ("www-authenticate" in answer.headers), cell
    return "let in" if code == "second_person_needed" else code


def everything(found: list[Operation]) -> Iterator[Cell]:
    """Every cell."""
    for operation in found:
        for role in Role:
            for token in ("own", *BAD_TOKENS):
                yield Cell(operation, role, token)


def a_few(found: list[Operation]) -> Iterator[Cell]:
    """Of each operation: a role that may, one that may not, and every bad token, of roles that take turns."""
    for number, operation in enumerate(found):
        turned = [*Role][number % len(Role) :] + [*Role][: number % len(Role)]
        for allowed in (True, False):
            yield from [Cell(operation, role, "own") for role in turned if operation.may(role) is allowed][:1]
        for token, role in zip(BAD_TOKENS, turned, strict=False):
            yield Cell(operation, role, token)
