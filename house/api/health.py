"""Whether the process lives and whether the house can take commands."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from house.api.deps import TheHouse, public
from house.api.schemas.fields import Answered
from house.service import cage

router = APIRouter(tags=["health"])


class Health(Answered):
    """The state of the process or of the house."""

    status: Annotated[str, Field(description="ok or ready", examples=["ok"])]


@router.get("/healthz", **public(Health, "showHealth"))
async def show_health() -> Health:
    """Say that the process lives."""
    return Health(status="ok")


@router.get("/readyz", **public(Health, "showReadiness"))
def show_readiness(house: TheHouse) -> Health:
    """Say that the house is open: its database answers."""
    cage.vault(house)
    return Health(status="ready")
