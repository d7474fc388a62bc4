"""What may be live on a page: how a part is made, who may see it, and what changes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from house.domain.people import Scope
from house.service.desk import House
from house.store.records import StoredRecord


@dataclass(frozen=True, slots=True)
class Region:
    """How parts of one kind are made.

    Parameters
    ----------
    scope
        What whoever looks must be allowed.
    template
        Template of the part alone.
    context
        What the template shows, for the argument of the part's name ("" for none).
    touched
        Whether a record may change the part with an argument; by default every record may.
    """

    scope: Scope
    template: str
    context: Callable[[House, str], Mapping[str, Any]]
    touched: Callable[[StoredRecord, str], bool] = lambda record, argument: True


def at_table(record: StoredRecord, argument: str) -> bool:
    """Whether a record is of the table that a part shows."""
    return record.table == argument
