"""Logs from elsewhere: an audit of a file that somebody brings, which the house does not keep."""

from collections.abc import Mapping
from pathlib import Path

from house.domain.refusals import Refusal, Refused
from house.domain.watching import DEFAULT
from house.service.desk import House
from integrity.audit import Audit, audit
from integrity.errors import LaboratoryError

ENDINGS = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet")
"""Ends of the names of files that are read; the end says the form."""


def audit_log(house: House, path: Path, name: str, columns: Mapping[str, str]) -> Audit:
    """Audit a throw log on the house's budget of false alarms.

    Parameters
    ----------
    path
        Where it lies for as long as it is read.
    name
        What it is called in the report.
    columns
        Which column is which, as `integrity.readers.read` takes them.

    Raises
    ------
    Refused
        BAD_VALUE, naming the field `log`: it cannot be read at all.
    """
    alpha = float((house.watching or DEFAULT).alpha)
    try:
        return audit(path, alpha, columns=columns, name=name)
    except LaboratoryError as error:
        raise Refused(Refusal.BAD_VALUE, str(error).replace(path.name, name), "log", name[:64]) from None
