"""All tallies of a large log against one grouped count of the same file by DuckDB, one thread each, in one run.

Usage: python tests/bench/integrity_tallies.py [ROWS]

Wanted for 10 million rows (20 dice, 4 boxes, 50 shooters): tallies at most 4 times the grouped count with numba (7
without), the full audit with evidence paths at most 15 times with it; at most 1 GiB. The grouped count is that of the
faces by die, box and shooter, the factors that the target names: 24,000 groups, where the tallies hold the transitions
and pairs of 80,000 cells by table, slot and stake class as well. The count by die alone stands beside it, for scale.
The file is written by a process of its own, so that its memory is not in the peak; DuckDB's is. What is compared takes
turns, and the best of each counts: on a machine that others use too, a reference timed once would be of another one.
"""

import math
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from pyarrow import parquet

import integrity.tallies
from integrity.audit import audit
from integrity.readers import read
from integrity.tallies import tally

DICE, BOXES, SHOOTERS, TOGETHER = 20, 4, 50, 5
ROUNDS = 4
REFERENCE = "DuckDB's grouped count"
CHUNK_THROWS = 1 << 18


def write(path: Path, rows: int, seed: int = 1) -> None:
    """Write fair throws of five dice, drawn anew for every 20 throws and read in any order; turns of ten throws."""
    rng = np.random.default_rng(seed)
    writer, throw = None, 0
    while throw * TOGETHER < rows:
        n = min(CHUNK_THROWS, -(-rows // TOGETHER) - throw)
        number = np.arange(throw, throw + n)
        box = rng.integers(0, BOXES, n // 200 + 1).repeat(200)[:n]
        shooter = rng.integers(0, SHOOTERS, n // 10 + 1).repeat(10)[:n]
        slot = np.tile(np.arange(TOGETHER), n)
        sets = rng.permuted(np.tile(np.arange(DICE), (n // 20 + 1, 1)), axis=1)[:, :TOGETHER]
        die = rng.permuted(sets.repeat(20, axis=0)[:n], axis=1).ravel()
        columns = {
            "throw": number.repeat(TOGETHER),
            "at": pa.array(number.repeat(TOGETHER) * 30_000_000, pa.timestamp("us", "UTC")),
            "table": names(np.zeros(n * TOGETHER, np.int32), "T", 1),
            "box": names(box.repeat(TOGETHER), "B", BOXES),
            "shooter": names(shooter.repeat(TOGETHER), "S", SHOOTERS),
            "slot": slot.astype(np.int8),
            "die": names(die, "D", DICE),
            "face": rng.integers(1, 7, n * TOGETHER).astype(np.int8),
            "state": names(np.zeros(n * TOGETHER, np.int32), "", 1, ["ok"]),
            "stake_class": rng.integers(0, 4, n).repeat(TOGETHER).astype(np.int8),
        }
        batch = pa.table(columns)
        writer = writer or parquet.ParquetWriter(path, batch.schema, compression="zstd")
        writer.write_table(batch)
        throw += n
    assert writer is not None
    writer.close()


def names(codes: np.ndarray, prefix: str, count: int, spelt: list[str] | None = None) -> pa.Array:
    """Spell codes as a text column."""
    return pa.DictionaryArray.from_arrays(
        codes.astype(np.int32), spelt or [f"{prefix}{each}" for each in range(count)]
    ).cast("string")


def seconds(work: object) -> float:
    """Time one call, in seconds of processor time."""
    assert callable(work)
    start = time.process_time()
    work()
    return time.process_time() - start


def grouped_count(base: duckdb.DuckDBPyConnection, path: Path, columns: str) -> float:
    """Time the count of a file's rows by some columns, in seconds of processor time."""
    query = f"SELECT {columns}, count(*) FROM '{path}' GROUP BY {columns}"
    return seconds(lambda: base.execute(query).fetchall())


def tallied(path: Path, kernel: Callable[[], Any]) -> float:
    """Time all tallies of a file, compiled or not, in seconds of processor time."""
    kept, integrity.tallies._kernel = integrity.tallies._kernel, kernel
    try:
        return seconds(lambda: tally(read(path).batches()))
    finally:
        integrity.tallies._kernel = kept


def main() -> None:
    """Print each ratio."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.parquet"
        writer = multiprocessing.get_context("spawn").Process(target=write, args=(path, rows))
        writer.start()
        writer.join()
        pa.set_cpu_count(1)
        pa.set_io_thread_count(1)
        base = duckdb.connect()
        base.execute("SET threads = 1")
        compiled = integrity.tallies._kernel
        tallied(path, compiled)  # compiles
        compared: dict[str, tuple[Callable[[], float], int]] = {
            REFERENCE: (lambda: grouped_count(base, path, "die, box, shooter, face"), 1),
            "tallies, numba": (lambda: tallied(path, compiled), 4),
            "tallies, numpy": (lambda: tallied(path, lambda: None), 7),
            "audit": (lambda: seconds(lambda: audit(path)), 15),
        }
        best = dict.fromkeys(compared, math.inf)
        for _ in range(ROUNDS):
            best = {what: min(best[what], work()) for what, (work, _) in compared.items()}
        baseline, least = best.pop(REFERENCE), grouped_count(base, path, "die, face")
        print(f"{rows:,} rows, {path.stat().st_size / 2**20:.0f} MiB; {REFERENCE} {baseline:.2f} s")
        print(f"(by die and face alone {least:.2f} s)")
        for what, spent in best.items():
            print(f"{what}: {spent:.2f} s, {spent / baseline:.1f} times (wanted at most {compared[what][1]})")
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB (wanted at most 1)")


if __name__ == "__main__":
    main()
