"""The web application, wired: the house is opened when it starts and closed when it stops."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from house.api import cage, equipment, health, play, problems, reports, tables
from house.api.door import Door
from house.service.desk import House, open_house, perform
from house.service.schedules import PublishSchedule
from house.settings import Settings
from payouts.header import Game
from payouts.schedule import load, shipped, shipped_names

VERSION = "1"
TITLE = "Floorman"
ROUTERS = (cage.router, equipment.router, tables.router, play.router, reports.router)


def create_app(settings: Settings) -> FastAPI:
    """Build the service on its settings; the database is opened when the application starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with open_settings(settings) as house:
            publish_shipped(house)
            app.state.house = house
            yield

    app = FastAPI(
        title=TITLE,
        version=VERSION,
        summary="A house that banks Hooligan and craps, keeps its books and logs every throw",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.add_middleware(Door, max_body_bytes=settings.max_body_bytes)
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router, prefix="/v1")
    app.include_router(health.router)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app


def open_settings(settings: Settings) -> House:
    """Open the house that the settings name, making the folder of a SQLite file."""
    prefix, _, file = settings.database.partition("///")
    if prefix == "sqlite:":
        Path(file).parent.mkdir(parents=True, exist_ok=True)
    return open_house(
        settings.database,
        zone=settings.zone,
        cut_over_hour=settings.cut_over_hour,
        currency=settings.currency,
        queue_limit=settings.queue_limit,
    )


def publish_shipped(house: House) -> None:
    """Publish every schedule of `config/schedules` into the house's history.

    Raises
    ------
    ScheduleError
        For a file with faults.
    Refused
        SCHEDULE_CHANGED: a published version stands with another fingerprint.
    """
    for game in Game:
        for name in shipped_names(game):
            schedule = load(shipped(game, name))
            key = f"publish-{game}-{name}-{schedule.header.version}-{schedule.fingerprint}"
            perform(house, PublishSchedule(body=schedule.canonical.decode("ascii")), key=key)


def describe(app: FastAPI) -> dict[str, Any]:
    """OpenAPI description of the service, made once."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        schema["components"]["schemas"] |= problems.schemas()
        app.openapi_schema = schema
    return app.openapi_schema
