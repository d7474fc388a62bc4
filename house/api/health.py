"""Whether the process lives and whether the house can take commands."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from house.api import problems
from house.api.deps import TheHouse, public
from house.api.metrics import Figures
from house.api.problems import Fault
from house.api.schemas.fields import Answered
from house.service import condition

router = APIRouter(tags=["health"])

NOT_READY = "not_ready"


class Health(Answered):
    """The state of the process."""

    status: Annotated[str, Field(description="ok", examples=["ok"])]


class Readiness(Answered):
    """The state of the house."""

    status: Annotated[str, Field(description="ready", examples=["ready"])]
    conditions: Annotated[
        dict[str, str],
        Field(
            description="What was found of writer, database, disk, checkpoint and books",
            examples=[{"writer": "carries out commands", "database": "answers"}],
        ),
    ]


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", **public(Health, "showHealth"))
async def show_health() -> Health:
    """Say that the process lives."""
    return Health(status="ok")


@router.get("/openapi.json", include_in_schema=False)
def show_description(request: Request) -> Response:
    """Describe the API; made on the first request, beside the event loop, which it would hold up for a second."""
    return JSONResponse(request.app.openapi())


@router.head("/readyz", include_in_schema=False, response_model=None)
@router.get("/readyz", **public(Readiness, "showReadiness", **{NOT_READY: 503}))
def show_readiness(request: Request, house: TheHouse) -> Readiness | Response:
    """Say that the house takes commands; else 503 with the code `not_ready` and every condition that is not met."""
    figures: Figures = request.app.state.figures
    found = condition.conditions(house, request.app.state.settings.reserve_mib << 20, figures.last_check)
    faults = [Fault(pointer=f"/{one.name}", code=NOT_READY, detail=one.found) for one in found if not one.met]
    if faults:
        detail = "; ".join(f"{one.pointer[1:]} {one.detail}" for one in faults)
        return problems.answer(request, 503, NOT_READY, detail, faults)
    return Readiness(status="ready", conditions={one.name: one.found for one in found})
