"""R19: every version of the schema with ten thousand records is brought up to date and keeps all that it held."""

import pytest

from house.store import database
from tests.figures import Figure
from tests.house.old_schemas import due_foreign_keys, look, make, revisions

pytestmark = pytest.mark.soak

ROWS = 10_000


@pytest.mark.parametrize("revision", revisions())
def test_r19_every_older_schema_with_ten_thousand_records(database_url: str, revision: str, figure: Figure) -> None:
    engine = database.write_engine(database_url)
    make(engine, revision, ROWS)
    before = look(engine)
    database.upgrade(engine)
    after = look(engine)
    engine.dispose()
    assert (before.revision, after.revision) == (revision, revisions()[-1])
    assert after.missing == ()
    assert after.foreign_keys == due_foreign_keys()
    assert (after.counts, after.frontier) == (before.counts, before.frontier)
    figure("R19", rows=ROWS, schemas=revisions(), root_equal=True, guards_missing=0)
