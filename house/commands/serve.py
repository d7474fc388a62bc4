"""`floorman serve`: the service on a socket."""

import gc
import json
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from house.commands.output import DatabaseUrl, Exit, Json, give_up, without_password

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from house.service.desk import House
    from house.settings import Settings

BACKLOG = 2048
SAMPLE = Path("build/sample")
"""Where a sample house lies that the first-run page begins."""


def serve(
    config: Annotated[Path | None, typer.Option(help="Settings file.", exists=True, dir_okay=False)] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = None,
    database: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Run the service until it is told to stop (SIGINT or SIGTERM); requests under way are finished.

    Example: floorman serve --port 8000 --database sqlite:///build/house/house.db
    """
    import uvicorn

    from house import logs
    from house.app import create_app, open_settings
    from house.demo.sample import Sample
    from house.service.access import first_run_code
    from house.settings import load_settings

    settings = load_settings(config, options={"--host": host, "--port": port, "--database": database})
    logs.configure(settings.log_level)
    listener = _listen(settings.host, settings.port)
    with open_settings(settings) as house, closing(Sample(SAMPLE)) as sample:
        said = {
            "address": f"http://{settings.host}:{listener.getsockname()[1]}",
            "database": without_password(settings.database),
        }
        line = "Floorman serves {database} at {address}\n".format(**said)
        if (code := first_run_code(house)) is not None:
            said["first_run_code"] = code
            line += f"Nobody may enter yet: claim the house at its first page, with the code {code}\n"
        sys.stdout.write(json.dumps(said) + "\n" if as_json else line)
        sys.stdout.flush()
        for told in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises the signal again when it has stopped
            signal.signal(told, _leave)
        app = create_app(settings, house)
        app.state.sample = sample
        _read_ahead(house)
        gc.collect()
        gc.freeze()  # what was made to begin with stays: no collection need look at it again
        gc.set_threshold(10_000, 20, 20)  # a command makes some thousand objects: not ten collections for each
        server = uvicorn.Server(_config(app, settings))
        server.shutdown = partial(_shut_down, app, server.shutdown)  # type: ignore[method-assign]
        server.run(sockets=[listener])


def _read_ahead(house: "House") -> None:
    """Read in the background what the first to come would wait for: schedules in play, and the pages of the floor."""
    from house.console import shell
    from house.service import schedules, tables

    schedules.read_ahead(house, tables.in_play(house))
    Thread(target=shell.read_ahead, name="floorman-templates", daemon=True).start()


def _config(app: "FastAPI", settings: "Settings") -> "uvicorn.Config":
    """Settings of the server; the application itself logs and counts requests."""
    import uvicorn

    return uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        log_level=None,
        proxy_headers=settings.behind_proxy,
        timeout_graceful_shutdown=settings.grace_s,
        server_header=False,
    )


async def _shut_down(app: "FastAPI", shut_down: Callable[..., Awaitable[None]], **given: Any) -> None:
    """End the feeds first: they are requests under way, and would be waited for."""
    app.state.feed.close()
    await shut_down(**given)


def _leave(*_: object) -> NoReturn:
    """End the process, and let the house close before."""
    sys.exit(Exit.DONE)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        give_up(f"cannot listen on {host} port {port}: {error.strerror or error}")
    return listener
