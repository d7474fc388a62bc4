"""R1: every invariant of the money after each of five thousand random steps, and of a thousand on PostgreSQL."""

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.figures import Figure
from tests.house.pits import new_database
from tests.house.service.test_money_model import Evening, settings_of

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]


def test_r1_the_books_hold_through_five_thousand_steps_on_sqlite(figure: Figure) -> None:
    class OnSqlite(Evening):
        steps = 0

    run_state_machine_as_test(OnSqlite, settings=settings_of(examples=110, steps=50))
    assert OnSqlite.steps >= 5_000
    figure("R1", sqlite_steps=OnSqlite.steps, broken=0)


def test_r1_the_books_hold_through_a_thousand_steps_on_postgresql(
    figure: Figure, postgresql_server: str, house_template: str
) -> None:
    class OnPostgresql(Evening):
        steps = 0

        def new_url(self) -> str:
            return new_database(postgresql_server, house_template)

    run_state_machine_as_test(OnPostgresql, settings=settings_of(examples=22, steps=50))
    assert OnPostgresql.steps >= 1_000
    figure("R1", postgresql_steps=OnPostgresql.steps, broken=0)
