"""Structured logs: one JSON object a line, for machines; no names, no secrets, no bodies.

Everything is logged by the standard library, events as messages and their fields as `extra`. An error is logged by its
type and its places in the code: its text may hold what somebody sent.
"""

import logging
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import structlog
from structlog.typing import EventDict

from house.settings import Level

HERE = Path(__file__).resolve().parent.parent


def configure(level: Level, stream: TextIO = sys.stderr) -> None:
    """Write logs to a stream from now on.

    Parameters
    ----------
    level
        Least severity that is written of the house's own; of libraries, warnings and errors are.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.stdlib.ExtraAdder(),
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _error,
                structlog.processors.JSONRenderer(sort_keys=True),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("floorman").setLevel(level.upper())


def _error(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Say of an error its type, its causes' types, and where in the code it was."""
    exc_info = event.pop("exc_info", None)
    error = exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if isinstance(error, BaseException):
        event["error"] = [type(one).__name__ for one in _causes(error)]
        event["places"] = [
            f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)[-12:]
        ]
    return event


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _short(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(HERE)) if path.is_relative_to(HERE) else path.name
