"""The tallies on a cluster: a log in many files counted by the workers of Dask and merged in order, as in one pass.

A log is cut between throws only: into files by table, so that each keeps its order, or by time. A worker that dies
costs time and nothing else: its files are counted again, and no tally is changed once it has been handed on.
"""

from collections.abc import Sequence
from pathlib import Path

from distributed import Client, Future

from integrity.counted import Counted, count, joined
from integrity.errors import ReadError
from integrity.readers import read

TOGETHER = 8
"""Parts merged by one task."""


def count_files(client: Client, paths: Sequence[str | Path]) -> Counted:
    """Count a log that lies in several files, each on a worker that is free; hand the result to `audit`.

    Parameters
    ----------
    client
        A client of any Dask cluster; its workers must see the files under these paths.
    paths
        The files in the order of the log, whole throws in each, in any format that `readers.read` knows. The result is
        that of one pass over the files as listed, but for stretches that occur again over the edge of two files.

    Raises
    ------
    ReadError
        No path is given, or a file cannot be read at all.
    distributed.KilledWorker
        The same file took several workers with it.
    """
    if not paths:
        raise ReadError("paths must name at least one file, got none")
    parts: list[Future[Counted]] = [client.submit(_count_file, str(path), pure=False) for path in paths]
    while len(parts) > 1:
        groups = [parts[at : at + TOGETHER] for at in range(0, len(parts), TOGETHER)]
        parts = [client.submit(joined, group, pure=False) for group in groups]
    return parts[0].result()


def _count_file(path: str) -> Counted:
    """Count one file."""
    return count(read(path))
