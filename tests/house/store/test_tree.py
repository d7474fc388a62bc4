"""The tree in the database: the same roots, edges and proofs as the tree held in memory, whatever the size."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text

from house.domain.gaming_day import GamingDays
from house.store import database, records, tree
from house.store.tree import TreeBroken
from house.store.unit_of_work import Unit, moment
from integrity.proof.tree import consistency_proof, inclusion_proof, nodes_of, root_at

SIZE = 700
"""Past two subtrees of level 8, so that every kind of look-up occurs."""


@pytest.fixture(scope="module")
def engine(lasting_url: str) -> Iterator[Engine]:
    made = database.write_engine(lasting_url)
    with made.begin() as connection:
        unit = Unit(connection, GamingDays("UTC", 6), moment(1_800_000_000_000_000))
        for number in range(SIZE):
            assert records.append(unit, "note", None, {"text": f"note {number}"}) == number
    yield made
    made.dispose()


def test_roots_edges_and_proofs_are_those_of_the_tree_in_memory(engine: Engine) -> None:
    with engine.begin() as connection:
        leaves = [bytes.fromhex(record.leaf) for record in records.stored(connection)]
        memory, kept = nodes_of(leaves), tree.lookup(connection)
        for size in (1, 2, 255, 256, 257, 511, 512, 513, SIZE):
            assert tree.frontier(connection, size).root == root_at(size, kept) == root_at(size, memory)
            for number in (0, size // 3, size - 1):
                assert inclusion_proof(number, size, kept) == inclusion_proof(number, size, memory)
            old = max(1, size // 2)
            assert consistency_proof(old, size, kept) == consistency_proof(old, size, memory)
        assert len(leaves) == SIZE


def test_only_every_eighth_level_is_written(engine: Engine) -> None:
    with engine.connect() as connection:
        found = connection.execute(text("SELECT level, place FROM tree_node ORDER BY level, place")).all()
    assert [tuple(row) for row in found] == [(8, 0), (8, 1)]  # 700 records complete two subtrees of 256


def test_a_unit_takes_up_the_tree_where_another_process_left_it(engine: Engine) -> None:
    days, at = GamingDays("UTC", 6), moment(1_800_000_000_000_000)
    with engine.begin() as connection:
        edge = tree.frontier(connection, SIZE)
        stale = tree.frontier(connection, 300)
        assert Unit(connection, days, at, stale).frontier == edge
        assert Unit(connection, days, at).frontier == edge


def test_a_record_that_is_undone_leaves_the_edge_as_it_was(engine: Engine) -> None:
    with engine.begin() as connection:
        unit = Unit(connection, GamingDays("UTC", 6), moment(1_800_000_000_000_000))
        before = unit.frontier
        with pytest.raises(ZeroDivisionError), unit.savepoint():
            1 // (records.append(unit, "note", None, {}) - SIZE)
        assert unit.frontier == before


def test_hashes_that_are_missing_are_named(engine: Engine) -> None:
    with engine.connect() as connection, pytest.raises(TreeBroken, match="hashes 512 to 700 of level 0"):
        tree.frontier(connection, SIZE + 1)
    with engine.connect() as connection, pytest.raises(TreeBroken, match="hashes 7 to 7 of level 8"):
        tree.lookup(connection)(8, 7)
