"""Figures of the running house for Prometheus: what was asked, how the writer does, how the tables stand."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from time import monotonic
from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from house.api import problems
from house.api.authority import needs
from house.api.deps import OF_AUTHORITY
from house.domain.people import Scope
from house.service import condition
from house.service.desk import House
from house.service.feed import Feed
from house.store.writer import BOUNDS_S, Done

router = APIRouter(tags=["health"])

_EXAMPLE = "floorman_writer_waiting 0.0\nfloorman_history_records 1204.0\n"


class Figures:
    """The registry of one service, and the counts that its door keeps."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "floorman_requests", "Requests answered", ["method", "operation", "status"], registry=self.registry
        )
        self.last_check: condition.LastCheck | None = None
        """The last check of the books' invariants."""
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)

    def watch(self, house: House, feed: Feed) -> None:
        """Give the figures of a house too, as they are when they are asked for."""
        self.registry.register(_OfHouse(self, house, feed))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the figures are read from, at one moment."""

    done: Done
    waiting: int
    standing: condition.Standing
    following: int
    last_check: condition.LastCheck | None


class _OfHouse(Collector):
    """Figures of a house: those of its writer, of its history, of its tables."""

    def __init__(self, figures: Figures, house: House, feed: Feed) -> None:
        self._figures, self._house, self._feed = figures, house, feed

    def describe(self) -> Iterator[Metric]:
        """Say nothing beforehand: the house is asked when its figures are."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Ask the house."""
        writer, standing = self._house.writer, condition.standing(self._house)
        asked = _Asked(writer.done, writer.waiting, standing, self._feed.following, self._figures.last_check)
        yield _times(asked.done)
        for name, text, kind, value in _PLAIN:
            figure = value(asked)
            if figure is not None:
                yield kind(f"floorman_{name}", text, value=figure)
        for name, (text, of) in _OF_TABLES.items():
            family = GaugeMetricFamily(f"floorman_table_{name}", text, labels=["table"])
            for table in standing.tables:
                family.add_metric([table.table], of(table))
            yield family


def _times(done: Done) -> Metric:
    text = "Seconds from asking for a command to its answer after the commit"
    family = HistogramMetricFamily("floorman_command_seconds", text, labels=["command"])
    for name, times in done.times.copy().items():
        upto = [*accumulate(times.counts)]
        bounds = (*map(str, BOUNDS_S), "+Inf")
        family.add_metric([name], [*zip(bounds, upto, strict=True)], times.sum_s)
    return family


def _age_s(check: condition.LastCheck | None) -> float | None:
    return None if check is None else monotonic() - check.at_s


_G, _C = GaugeMetricFamily, CounterMetricFamily
_PLAIN: tuple[tuple[str, str, type[Any], Callable[[_Asked], float | None]], ...] = (
    ("writer_waiting", "Commands that wait for the writer", _G, lambda asked: asked.waiting),
    ("writer_groups", "Groups of commands that were committed", _C, lambda asked: asked.done.groups),
    ("writer_retries", "Groups carried out again: database busy or lost", _C, lambda asked: asked.done.retries),
    ("writer_failures", "Groups that were given up", _C, lambda asked: asked.done.failed),
    ("history_records", "Records of the history", _G, lambda asked: asked.standing.records),
    ("checkpoint_records", "Records that are signed", _G, lambda asked: asked.standing.signed),
    (
        "checkpoint_age_seconds",
        "Of the last checkpoint; 0: all is signed",
        _G,
        lambda asked: asked.standing.unsigned_s,
    ),
    ("check_age_seconds", "Since the books' invariants were checked", _G, lambda asked: _age_s(asked.last_check)),
    (
        "check_discrepancies",
        "What did not hold in that check",
        _G,
        lambda asked: None if asked.last_check is None else asked.last_check.discrepancies,
    ),
    ("incidents_open", "Alarms that nobody has closed", _G, lambda asked: asked.standing.incidents),
    ("feed_following", "Who follows the feed", _G, lambda asked: asked.following),
    ("disk_free_bytes", "Free bytes where the house writes", _G, lambda asked: asked.standing.free_bytes),
)
"""Figures without a label: name, what it is, kind, and where it comes from; None where the house has none."""

_OF_TABLES: dict[str, tuple[str, Callable[[Any], float]]] = {
    "float_minor": ("What the rack holds by the books, minor units", lambda table: table.float_minor),
    "exposure_minor": (
        "What the table may lose on what rides, minor units",
        lambda table: table.exposure_minor,
    ),
    "throws": ("Throws at the table", lambda table: table.throws),
}


def described() -> dict[str, Any]:
    """Describe the figures for OpenAPI."""
    text = {"schema": {"type": "string"}, "examples": {"metrics": {"value": _EXAMPLE}}}
    return {
        "response_class": Response,
        "operation_id": "showMetrics",
        "dependencies": needs(Scope.BOOKS_READ),
        "responses": {
            200: {"description": "Figures in Prometheus' text format", "content": {"text/plain": text}},
            **problems.documented(*OF_AUTHORITY),
        },
    }


@router.get("/metrics", **described())
def show_metrics(request: Request) -> Response:
    """Show the figures of this process for Prometheus; a scraper asks with a key of a person who may read the books."""
    figures: Figures = request.app.state.figures
    return Response(generate_latest(figures.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
