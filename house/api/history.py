"""The history over the wire: records, the last checkpoint, and proofs."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from house.api.bodies import Once
from house.api.deps import AfterNumber, Limit, TheHouse, page, reads, shown
from house.api.schemas import history as wire
from house.api.schemas.fields import GREATEST
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import proofs

router = APIRouter(prefix="/history", tags=["history"], route_class=Once)

Number = Annotated[int, Path(ge=0, le=GREATEST, description="Number of the record")]
Size = Annotated[
    int | None, Query(ge=1, le=GREATEST, description="Records in the tree; absent for the last checkpoint's")
]


@router.get("/checkpoint", **reads(wire.Checkpoint, "showCheckpoint", Refusal.NOT_FOUND, scope=Scope.HISTORY_READ))
def show_checkpoint(house: TheHouse) -> wire.Checkpoint:
    """Show the last signed checkpoint and the key that checks it."""
    return shown(wire.Checkpoint, proofs.checkpoint(house))


@router.get("/records", **reads(Page[wire.Record], "listRecords", scope=Scope.HISTORY_READ))
def list_records(request: Request, house: TheHouse, after: AfterNumber = -1, limit: Limit = PAGE) -> Page[wire.Record]:
    """List the records of the history, in order."""
    found = proofs.page(house, after, limit)
    cursor = found[-1].record if len(found) == limit else None
    return page(request, wire.Record, found, limit, cursor)


@router.get(
    "/records/{number}/inclusion",
    **reads(wire.Inclusion, "proveInclusion", Refusal.NOT_FOUND, scope=Scope.HISTORY_READ),
)
def prove_inclusion(house: TheHouse, number: Number, size: Size = None) -> wire.Inclusion:
    """Prove that a record is in the tree of a size."""
    return shown(wire.Inclusion, proofs.inclusion(house, number, size))


@router.get("/consistency", **reads(wire.Consistency, "proveConsistency", Refusal.NOT_FOUND, scope=Scope.HISTORY_READ))
def prove_consistency(
    house: TheHouse,
    old: Annotated[int, Query(ge=1, le=GREATEST, description="Records in the earlier tree")],
    new: Size = None,
) -> wire.Consistency:
    """Prove that a later tree begins with an earlier one."""
    return shown(wire.Consistency, proofs.consistency(house, old, new))
