"""Columns of Parquet -> batches: what is taken as it stands, what is refused."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from integrity.observations import State, observations, whole_throws
from integrity.readers import read


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int32(), pa.uint64()])
def test_numbers_of_any_width_are_read(tmp_path: Path, kind: pa.DataType) -> None:
    columns = {"throw": [1, 1, 2], "face": [6, 1, 3], "slot": [0, 1, None], "stake_class": [3, 3, None]}
    path = tmp_path / "log.parquet"
    parquet.write_table(pa.table({name: pa.array(column, kind) for name, column in columns.items()}), path)
    batches = list(read(path).batches())
    assert [batch.throw.tolist() for batch in batches] == [[1, 1, 2]]
    assert batches[0].face.tolist() == [6, 1, 3]
    assert batches[0].slot.tolist() == [0, 1, 0]  # the only die of a throw has place 0
    assert batches[0].stake_class.tolist() == [3, 3, -1]


def test_serials_that_are_numbers_are_spelt(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    parquet.write_table(pa.table({"throw": [1, 1], "face": [6, 1], "die": [17, None], "box": ["B", None]}), path)
    (batch,) = read(path).batches()
    assert (batch.die.values(), batch.box.values()) == (["17", None], ["B", None])


@pytest.mark.parametrize("number", [1 << 63, (1 << 62) + 1])
def test_a_throw_number_too_large_is_refused(tmp_path: Path, number: int) -> None:
    path = tmp_path / "log.parquet"
    parquet.write_table(pa.table({"throw": pa.array([1, number], pa.uint64()), "face": [2, 3]}), path)
    reading = read(path)
    assert [batch.throw.tolist() for batch in reading.batches()] == [[1]]
    assert reading.refused == 1
    assert reading.refusals[0].startswith("line 2: ")


def test_batches_of_whole_throws_stay_as_they_are() -> None:
    batches = [observations([[1, 2], [3, 4]]), observations([[5, 6]], throw=[2]), observations([1, 1], throw=[3, 4])]
    assert [found is batch for found, batch in zip(whole_throws(batches), batches, strict=True)] == [True] * 3


def test_a_throw_over_three_batches_is_put_together() -> None:
    batches = [observations([face], throw=[number]) for face, number in ((1, 0), (2, 1), (3, 1), (4, 1), (5, 2))]
    assert [batch.face.tolist() for batch in whole_throws(batches)] == [[1], [2, 3, 4], [5]]


LONG = "a table's name that a writer may cut in its statistics"


@pytest.mark.parametrize(
    "tables",
    [
        ["T", "T", "T", "T"],  # one value everywhere: known from the statistics
        ["T", "T", "U", "U"],  # constant in each group of rows, not in the file
        ["T", "T", "T", None],
        [None, None, None, None],
        ["", "", "", ""],
        [LONG, LONG, LONG, LONG],
        ["T", "U", "T", "U"],
    ],
)
def test_a_column_of_one_value_reads_as_any_other(tmp_path: Path, tables: list[str | None]) -> None:
    path = tmp_path / "log.parquet"
    columns = {"throw": [0, 1, 2, 3], "face": [6, 1, 2, 3], "table": pa.array(tables, "string")}
    parquet.write_table(pa.table(columns), path, row_group_size=2)
    found = [value for batch in read(path).batches() for value in batch.table.values()]
    assert found == tables


def test_a_void_word_in_every_row_is_not_lost_with_its_column(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    parquet.write_table(pa.table({"throw": [0, 1], "face": [6, 1], "state": ["cocked", "cocked"]}), path)
    (batch,) = read(path).batches()
    assert [int(state) for state in batch.state] == [int(State.COCKED)] * 2


def test_a_log_without_rows_has_no_batches(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    parquet.write_table(pa.table({"throw": pa.array([], "int64"), "face": pa.array([], "int64")}), path)
    assert sum(len(batch.face) for batch in read(path).batches()) == 0
