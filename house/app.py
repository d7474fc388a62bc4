"""The web application, wired: the house is opened when it starts and closed when it stops."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from house.api import (
    cage,
    corrections,
    dice_reports,
    equipment,
    fairness,
    feed,
    health,
    history,
    incidents,
    laboratory,
    metrics,
    people,
    play,
    player_limits,
    problems,
    reports,
    rounds,
    shifts,
    slips,
    tables,
)
from house.api.door import Door
from house.api.limits import Limit, Limits
from house.api.metrics import Figures
from house.api.people import credentials
from house.console import install as install_console
from house.console.errors import turned_away
from house.service import condition, watch
from house.service.desk import House, HouseBusy, Sealing, StorageFull, inspect_house, open_house
from house.service.feed import Feed
from house.service.rounds import recover
from house.service.schedules import publish
from house.settings import Settings, load_equipment, load_monitors
from house.store.database import make_private
from payouts.errors import ScheduleError
from payouts.header import Game
from payouts.reading import read_file, read_toml
from payouts.schedule import load, shipped, shipped_names

log = logging.getLogger("floorman")

VERSION = "1"
TITLE = "Floorman"
ROUTERS = (
    play.router,
    people.router,
    cage.router,
    equipment.router,
    tables.router,
    fairness.router,
    reports.router,
    history.router,
    feed.router,
    incidents.router,
    laboratory.router,
    dice_reports.router,
    corrections.router,
    rounds.router,
    slips.router,
    player_limits.router,
    shifts.router,
)
"""In the order in which an address is looked for: what is asked with every throw comes first."""


def create_app(settings: Settings, house: House | None = None) -> FastAPI:
    """Build the service on its settings.

    Parameters
    ----------
    house
        An open house, which the caller closes; without it the application opens the one of the settings when it starts,
        and closes it when it stops.
    """

    figures = Figures()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.settings, app.state.figures = settings, figures
        with nullcontext(house) if house is not None else open_settings(settings) as app.state.house:
            async with Feed(app.state.house, settings.followers) as app.state.feed:
                figures.watch(app.state.house, app.state.feed)
                checks = asyncio.create_task(_check(app.state.house, figures, settings.check_minutes))
                recoveries = asyncio.create_task(_recover(app.state.house))
                yield
                checks.cancel()
                recoveries.cancel()

    app = FastAPI(
        title=TITLE,
        version=VERSION,
        summary="A house that banks Hooligan and craps, keeps its books and logs every throw",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    _guard(app, settings, figures)
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router, prefix="/v1")
    app.include_router(health.router)
    app.include_router(metrics.router)
    install_console(app, settings.currency, settings.zone)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app


def _guard(app: FastAPI, settings: Settings, figures: Figures) -> None:
    """Put the door before an application."""
    limits = Limits(
        requests=Limit(settings.requests_per_s, 2 * settings.requests_per_s),
        sign_ins=Limit(settings.sign_ins_per_min / 60, settings.sign_ins_per_min),
    )
    upload = settings.max_upload_mib * 2**20 + settings.max_body_bytes  # a file, and what is typed beside it
    app.add_middleware(
        Door,
        max_body_bytes=settings.max_body_bytes,
        max_upload_bytes=upload,
        limits=limits,
        figures=figures,
        page=turned_away,
    )


RECOVERY_S = 60
"""Seconds between two looks for rounds whose lease ran out."""


async def _recover(house: House) -> None:
    """Return what hangs in rounds of other systems whose lease ran out, every minute."""
    while True:
        await asyncio.sleep(RECOVERY_S)
        try:
            await asyncio.to_thread(recover, house)
        except (HouseBusy, StorageFull, SQLAlchemyError) as error:
            log.warning("rounds could not be recovered: %s", type(error).__name__)


async def _check(house: House, figures: Figures, minutes: int) -> None:
    """Ask the database every so many minutes whether the invariants of the books hold."""
    while minutes:
        await asyncio.sleep(60 * minutes)
        try:
            figures.last_check = await asyncio.to_thread(condition.check_invariants, house)
        except SQLAlchemyError as error:
            log.warning("the books could not be checked: %s", type(error).__name__)
            continue
        if figures.last_check.discrepancies:
            log.error("%d invariants of the books do not hold: run floorman db check", figures.last_check.discrepancies)


def open_settings(settings: Settings) -> House:
    """Open the house that the settings name, making the folder of a SQLite file, and publish what is shipped.

    Rounds of other systems whose lease ran out meanwhile are recovered.

    Schedules in another currency than the house's are left alone.

    Raises
    ------
    ScheduleError
        For a schedule file with faults.
    Refused
        SCHEDULE_CHANGED: a published version stands with another fingerprint.
    HistoryBroken
        When the history is not the one that was signed last.
    ValueError
        For a database of another currency.
    """
    file = _sqlite_file(settings)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        make_private(file)
    house = _open(settings)
    try:
        for game in Game:
            for name in shipped_names(game):
                _publish(house, shipped(game, name), settings.currency)
        recover(house)
    except BaseException:
        house.close()
        raise
    watch.warm_up()
    return house


def open_existing(settings: Settings) -> House:
    """Open a house that is there already, to look at it, whatever state it is in; nothing is written.

    Raises
    ------
    ValueError
        For a SQLite file that does not exist, or a key that is missing or open to others.
    """
    file = _sqlite_file(settings)
    if file is not None and not file.is_file():
        raise ValueError(f"database must be a file that exists, got {settings.database}")
    return inspect_house(settings.database, sealing(settings))


def sealing(settings: Settings) -> Sealing:
    """Where and how often the history is signed."""
    file = _sqlite_file(settings)
    beside = Path("build/history", make_url(settings.database).database or "house") if file is None else file
    place = Path(settings.history_folder, beside.name) if settings.history_folder else beside
    return Sealing(
        place=place,
        name=settings.history_name,
        records=settings.checkpoint_records,
        seconds=settings.checkpoint_seconds,
    )


def _sqlite_file(settings: Settings) -> Path | None:
    prefix, _, file = settings.database.partition("///")
    return Path(file) if prefix == "sqlite:" else None


def _open(settings: Settings) -> House:
    return open_house(
        settings.database,
        zone=settings.zone,
        cut_over_hour=settings.cut_over_hour,
        currency=settings.currency,
        queue_limit=settings.queue_limit,
        sealing=sealing(settings),
        equipment=load_equipment(),
        watching=load_monitors(),
    )


def _publish(house: House, file: Path, currency: str) -> None:
    text = read_file(file)
    if read_toml(text, str(file)).raw("currency") != currency:
        return
    try:
        publish(house, text)
    except ScheduleError:
        load(file)  # the same faults, under the file's own name
        raise


def describe(app: FastAPI) -> dict[str, Any]:
    """OpenAPI description of the service, made once."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        schema["components"]["schemas"] |= problems.schemas() | credentials()
        app.openapi_schema = schema
    return app.openapi_schema
