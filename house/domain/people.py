"""Who may do what: the roles of the trade, the scopes of each, and whoever acts.

A scope is needed for every command and every question; the table `ROLES` is the whole of the authority. Surveillance
and auditors write no money. Some commands need a second person as well, who must hold a scope of his own for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

PersonId = NewType("PersonId", str)


class Scope(StrEnum):
    """What may be done, by what it is done to."""

    PIT_READ = "pit:read"
    BOOKS_READ = "books:read"
    HISTORY_READ = "history:read"
    EQUIPMENT_READ = "equipment:read"
    INCIDENTS_READ = "incidents:read"
    PEOPLE_READ = "people:read"
    WAGERS_WRITE = "wagers:write"
    THROWS_WRITE = "throws:write"
    SEEDS_WRITE = "seeds:write"
    TABLES_WRITE = "tables:write"
    EQUIPMENT_WRITE = "equipment:write"
    EQUIPMENT_APPROVE = "equipment:approve"
    PLAYERS_WRITE = "players:write"
    LIMITS_WRITE = "limits:write"
    CAGE_WRITE = "cage:write"
    VAULT_WRITE = "vault:write"
    SLIPS_WRITE = "slips:write"
    SLIPS_APPROVE = "slips:approve"
    CORRECTIONS_WRITE = "corrections:write"
    CORRECTIONS_APPROVE = "corrections:approve"
    SCHEDULES_WRITE = "schedules:write"
    SCHEDULES_APPROVE = "schedules:approve"
    ROUNDS_WRITE = "rounds:write"
    INCIDENTS_WRITE = "incidents:write"
    LABORATORY_WRITE = "laboratory:write"
    PEOPLE_WRITE = "people:write"
    SELF_WRITE = "self:write"


MONEY = frozenset(
    {
        Scope.WAGERS_WRITE,
        Scope.THROWS_WRITE,
        Scope.TABLES_WRITE,
        Scope.CAGE_WRITE,
        Scope.VAULT_WRITE,
        Scope.SLIPS_WRITE,
        Scope.SLIPS_APPROVE,
        Scope.CORRECTIONS_WRITE,
        Scope.CORRECTIONS_APPROVE,
        Scope.ROUNDS_WRITE,
    }
)
"""Scopes by which money moves."""


class Role(StrEnum):
    """The roles of the trade."""

    DEALER = "dealer"
    BOXMAN = "boxman"
    STICKMAN = "stickman"
    FLOORMAN = "floorman"
    PIT_BOSS = "pit_boss"
    CAGE = "cage"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"
    INTEGRATION = "integration"
    ADMIN = "admin"


_FLOOR = frozenset({Scope.SELF_WRITE, Scope.PIT_READ, Scope.EQUIPMENT_READ})
_PLAY = _FLOOR | {Scope.WAGERS_WRITE, Scope.THROWS_WRITE, Scope.SEEDS_WRITE}
_FLOORMAN = _PLAY | {
    Scope.BOOKS_READ,
    Scope.HISTORY_READ,
    Scope.INCIDENTS_READ,
    Scope.INCIDENTS_WRITE,
    Scope.TABLES_WRITE,
    Scope.EQUIPMENT_WRITE,
    Scope.EQUIPMENT_APPROVE,
    Scope.PLAYERS_WRITE,
    Scope.LIMITS_WRITE,
    Scope.SLIPS_WRITE,
    Scope.CORRECTIONS_WRITE,
}
_WATCH = _FLOOR | {Scope.BOOKS_READ, Scope.HISTORY_READ, Scope.INCIDENTS_READ, Scope.PEOPLE_READ}

ROLES: Mapping[Role, frozenset[Scope]] = {
    Role.STICKMAN: _FLOOR | {Scope.THROWS_WRITE},
    Role.DEALER: _PLAY,
    Role.BOXMAN: _PLAY | {Scope.CORRECTIONS_WRITE, Scope.SLIPS_WRITE, Scope.EQUIPMENT_APPROVE},
    Role.FLOORMAN: _FLOORMAN,
    Role.PIT_BOSS: _FLOORMAN
    | {
        Scope.PEOPLE_READ,
        Scope.CORRECTIONS_APPROVE,
        Scope.SLIPS_APPROVE,
        Scope.SCHEDULES_WRITE,
        Scope.SCHEDULES_APPROVE,
        Scope.LABORATORY_WRITE,
    },
    Role.CAGE: _FLOOR
    | {
        Scope.BOOKS_READ,
        Scope.PLAYERS_WRITE,
        Scope.LIMITS_WRITE,
        Scope.CAGE_WRITE,
        Scope.SLIPS_WRITE,
        Scope.SLIPS_APPROVE,
    },
    Role.SURVEILLANCE: _WATCH | {Scope.INCIDENTS_WRITE, Scope.EQUIPMENT_APPROVE},
    Role.AUDITOR: _WATCH,
    Role.INTEGRATION: _PLAY | {Scope.PLAYERS_WRITE, Scope.ROUNDS_WRITE},
    Role.ADMIN: frozenset(Scope),
}
"""What each role may do."""

WATCHING = (Role.SURVEILLANCE, Role.AUDITOR)
"""Roles that watch the others: nobody holds one beside a role by which money moves."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Whoever does something, and what he may do."""

    id: PersonId
    scopes: frozenset[Scope]


@dataclass(frozen=True, slots=True)
class Second(Actor):
    """A second person, whose approval of one command is good once.

    Parameters
    ----------
    approval
        Id of the approval, which is used up in the command's own transaction.
    expires_s
        When it ends, in seconds since 1970; what was carried out before is answered again after it.
    """

    approval: str
    expires_s: int


HOUSE = Actor(PersonId("house"), frozenset(Scope))
"""The house itself: what is done at its own command line and when it starts, by nobody who signed in."""
