"""Peak memory of an audit as the log grows to 100 million rows: it must stay flat.

Usage: python tests/bench/integrity_memory.py [ROWS]

A Parquet file of a tenth of the rows is read ten times on end, the throws numbered on, so that the disk holds little.
"""

import resource
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from integrity_tallies import TOGETHER, write

from integrity.audit import audit
from integrity.observations import Observations
from integrity.readers import read

TIMES = 10


def again(path: Path, rows: int, times: int) -> Iterator[Observations]:
    """Read a file of `rows` rows over and over, as one log."""
    for time in range(times):
        for batch in read(path).batches():
            yield replace(batch, throw=batch.throw + time * (rows // TOGETHER))


def peak_mib() -> float:
    """Give the greatest memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Audit a tenth, then all of the rows, in one process."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000_000
    part = rows // TIMES // TOGETHER * TOGETHER
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.parquet"
        write(path, part)
        for times in (1, TIMES):
            found = audit(again(path, part, times))
            print(f"{found.dice:,} rows, {found.missing:,} missing: peak memory {peak_mib():,.0f} MiB so far")


if __name__ == "__main__":
    main()
