"""The throw log as the laboratory and outside readers get it."""

import json
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from house.domain.throws import DieState
from house.service import surveillance
from house.service.hooligan import StartGame
from house.service.throws import Throw, Thrown
from integrity.observations import Observations, State, concatenate
from integrity.readers import read
from tests.house.pits import Pit


@pytest.fixture(scope="module")
def evening(lasting_pit: Pit) -> Pit:
    """A few throws at two tables, one of them void."""
    lasting_pit.open_craps()
    lasting_pit.open_hooligan()
    for number in range(30):
        lasting_pit.throw(1 + number % 6, 1 + number // 6)
    cocked = Thrown(die="c1-d1", face=None, state=DieState.COCKED)
    lasting_pit.do(Throw(table="c1", dice=(Thrown(die="c1-d0", face=4), cocked)))
    lasting_pit.do(StartGame(table="h1", player="bob"))
    lasting_pit.throw(2, 2, 2, 3, 3, table="h1")
    lasting_pit.throw(6, 1, table="h1", slots=(3, 4), choice="name 2")
    return lasting_pit


FOR_TALLIES = ("table", "box", "shooter", "die")
"""Text columns that the reader of our own Parquet decodes."""


def same(one: Observations, other: Observations, texts: tuple[str, ...] = surveillance.COLUMNS) -> None:
    for name in ("throw", "face", "state", "slot", "stake_class", "at"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    for name in texts:
        assert getattr(one, name).values() == getattr(other, name).values(), name


def test_the_laboratory_gets_every_row_by_table_and_throw(evening: Pit) -> None:
    log = concatenate(list(surveillance.observations(evening.house)))
    assert len(log) == 31 * 2 + 5 + 2
    assert log.table.values() == ["c1"] * 62 + ["h1"] * 7
    assert log.throw.tolist() == [throw for throw in range(31) for _ in range(2)] + [0] * 5 + [1] * 2
    assert (log.face[61], log.state[61]) == (0, State.COCKED)
    assert log.face[-2:].tolist() == [6, 1]
    assert log.die.values()[-2:] == ["h1-d3", "h1-d4"]
    assert set(log.game.values()) == {"craps", "hooligan"}


@pytest.mark.parametrize("size", [1, 2, 5, 7, 1000])
def test_a_batch_never_divides_a_throw_and_all_batches_are_the_log(evening: Pit, size: int) -> None:
    batches = list(surveillance.observations(evening.house, batch_rows=size))
    same(concatenate(batches), concatenate(list(surveillance.observations(evening.house))))
    throws = [
        {(table, int(number)) for table, number in zip(batch.table.values(), batch.throw, strict=True)}
        for batch in batches
    ]
    assert sum(map(len, throws)) == len(set().union(*throws)) == 33


@pytest.mark.parametrize(
    ("suffix", "texts"),
    [(".jsonl", surveillance.COLUMNS), (".csv", surveillance.COLUMNS), (".parquet", FOR_TALLIES)],
    ids=["jsonl", "csv", "parquet"],
)
def test_an_export_is_read_back_as_it_was(evening: Pit, tmp_path: Path, suffix: str, texts: tuple[str, ...]) -> None:
    path = tmp_path / f"log{suffix}"
    assert surveillance.export(evening.house, path) == 69
    reading = read(path)
    batches = list(reading.batches())
    assert (reading.refused, list(reading.refusals)) == (0, [])
    same(concatenate(batches), concatenate(list(surveillance.observations(evening.house))), texts)


def test_parquet_holds_the_same_rows_as_json_lines(evening: Pit, tmp_path: Path) -> None:
    for suffix in (".jsonl", ".parquet"):
        surveillance.export(evening.house, tmp_path / f"log{suffix}")
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = parquet.read_table(tmp_path / "log.parquet").to_pylist()
    assert [row | {"at": row["at"].isoformat(timespec="microseconds")} for row in rows] == lines


def test_one_table_is_exported_alone_and_another_kind_of_file_is_refused(evening: Pit, tmp_path: Path) -> None:
    assert surveillance.export(evening.house, tmp_path / "h1.csv", "h1") == 7
    with pytest.raises(ValueError, match=r"must end in one of \.jsonl, \.csv, \.parquet"):
        surveillance.export(evening.house, tmp_path / "log.xlsx")


def test_the_log_is_listed_in_pages_of_throws(evening: Pit) -> None:
    first = surveillance.throws(evening.house, "c1", limit=20)
    rest = surveillance.throws(evening.house, "c1", after=first[-1].throw, limit=20)
    assert [row.throw for row in (*first, *rest)] == [throw for throw in range(31) for _ in range(2)]
