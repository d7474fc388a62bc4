"""The table of roles, held against what the trade asks of it."""

import pytest

import house.app  # noqa: F401 - brings in every command
from house.domain.people import MONEY, ROLES, Role, Scope
from house.service.desk import Command


@pytest.mark.parametrize("role", [Role.SURVEILLANCE, Role.AUDITOR])
def test_who_watches_never_writes_money(role: Role) -> None:
    assert not ROLES[role] & MONEY


def test_every_role_has_its_scopes_and_an_admin_all() -> None:
    assert set(ROLES) == set(Role)
    assert ROLES[Role.ADMIN] == set(Scope)
    assert all(Scope.SELF_WRITE in scopes for scopes in ROLES.values())


def test_only_an_admin_writes_people_and_takes_from_the_vault() -> None:
    for scope in (Scope.PEOPLE_WRITE, Scope.VAULT_WRITE):
        assert [role for role, scopes in ROLES.items() if scope in scopes] == [Role.ADMIN]


@pytest.mark.parametrize(
    "scope", [Scope.SLIPS_APPROVE, Scope.CORRECTIONS_APPROVE, Scope.SCHEDULES_APPROVE, Scope.EQUIPMENT_APPROVE]
)
def test_what_needs_two_can_be_approved_by_somebody_who_is_no_admin(scope: Scope) -> None:
    assert [role for role, scopes in ROLES.items() if scope in scopes and role is not Role.ADMIN]


def commands() -> list[type[Command[object]]]:
    found, waiting = [], [*Command.__subclasses__()]
    while waiting:
        command = waiting.pop()
        waiting += command.__subclasses__()
        found.append(command)
    found = [command for command in found if command.__module__.startswith("house.") and command.__name__[0] != "_"]
    return list({f"{command.__module__}.{command.__name__}": command for command in found}.values())


def test_every_command_says_what_it_needs() -> None:
    assert "ChangeSchedule" in {command.__name__ for command in commands()}
    for command in commands():
        assert isinstance(command.scope, Scope), command
        assert command.approval is None or isinstance(command.approval, Scope), command


def test_commands_have_names_of_their_own_since_approvals_go_by_them() -> None:
    names = [command.__name__ for command in commands()]
    assert len(names) == len(set(names))
