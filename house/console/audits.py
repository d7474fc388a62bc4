"""Audits in the browser: the house's own log, a file from elsewhere, and how many throws an attack takes to see."""

import math
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from starlette.datastructures import UploadFile

from house.console import figures, shell
from house.console.drawing import charts
from house.console.drawing.charts import Bar, Line, Share
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import laboratory, logs, tables
from house.service.desk import House, check_allowed
from integrity import report
from integrity.asked import STREAMS, Answer, ask
from integrity.audit import Audit
from integrity.errors import LaboratoryError
from integrity.evidence import frame_of
from integrity.findings import Finding, Sheets, Verdict
from integrity.intervals import simultaneous
from integrity.layouts import ALIASES, SETTINGS
from integrity.log_power import CHECKS
from integrity.log_words import JUDGED
from integrity.paths import paths
from integrity.power import ATTACKS

router = APIRouter(prefix="/laboratory")

SHOWN = 12
"""Subjects in the chart of evidence."""
PANELS = 4
"""Subjects whose faces and transitions are drawn."""


@router.get("/audit")
def audit_house(
    request: Request, house: TheHouse, visitor: Visitor, *, table: str = "", first: str = "", last: str = ""
) -> HTMLResponse:
    """Audit the house's own log, of a table and of gaming days if these are asked."""
    check_allowed(visitor.actor, Scope.INCIDENTS_READ)
    found = laboratory.audit_house(house, table or None, first or None, last or None)
    asked = {"table": table, "first": first, "last": last}
    every = [one.table for one in tables.tables(house)]
    return shell.page(request, visitor, "laboratory/audit.html", asked=asked, tables=every, **told(found))


@router.get("/logs")
def ask_for_log(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Ask for a log file."""
    return _logs(request, house, visitor)


def _logs(request: Request, house: House, visitor: Visit, posted: Posted | None = None, **told: Any) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.INCIDENTS_READ)
    endings, most_mib = ", ".join(logs.ENDINGS), request.app.state.settings.max_upload_mib
    return shell.page(
        request,
        visitor,
        "laboratory/logs.html",
        413 if request.scope.get("too_large") else 200,
        posted=posted,
        endings=endings,
        most_mib=most_mib,
        **{"audit": None, **told},
    )


@router.post("/logs")
def audit_log(request: Request, house: TheHouse, visitor: Visitor, form: Form) -> HTMLResponse:
    """Read a log file and show its audit; the file is forgotten after it."""
    check_allowed(visitor.actor, Scope.INCIDENTS_READ)
    try:
        name, file = _file(form)
        _check_size(request, name, file)
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"log{PurePosixPath(name).suffix.lower()}"
            with path.open("wb") as copy:
                shutil.copyfileobj(file.file, copy)
            found = logs.audit_log(house, path, name, _columns(form))
    except Refused as refused:
        return _logs(request, house, visitor, form.refusing(refused))
    finally:
        for each in form.files.values():
            each.file.close()
    return _logs(request, house, visitor, form, **told(found))


def _file(form: Posted) -> tuple[str, UploadFile]:
    """The file of a form and its own name, without folders. Refused: BAD_VALUE."""
    file = form.files.get("log")
    name = PurePosixPath((file.filename or "").replace("\\", "/")).name[:100] if file is not None else ""
    if file is None or not name:
        raise Refused(Refusal.BAD_VALUE, "log must be a file", "log")
    if PurePosixPath(name).suffix.lower() not in logs.ENDINGS:
        raise Refused(
            Refusal.BAD_VALUE, "log must have a name that says its form", "log", name, ", ".join(logs.ENDINGS)
        )
    return name, file


def _check_size(request: Request, name: str, file: UploadFile) -> None:
    """Refuse a file that is larger than the house reads, of which the door may have cut off the rest: BAD_VALUE."""
    most_mib = request.app.state.settings.max_upload_mib
    if request.scope.get("too_large") or (file.size or 0) > most_mib * 2**20:
        message = f"{name} is larger than {most_mib} MiB, which is what the house reads. Choose a smaller one."
        raise Refused(Refusal.BAD_VALUE, message, "log", name)


DECLARED = tuple(dict.fromkeys((*ALIASES.values(), *SETTINGS)))
"""What may be said of a file's columns."""


def _columns(form: Posted) -> Mapping[str, str]:
    """Read "die=serial, face=pips". Refused: BAD_VALUE."""
    said = {}
    for part in filter(None, (each.strip() for each in form.optional("columns").split(","))):
        what, sign, column = (each.strip() for each in part.partition("="))
        if not sign or what not in DECLARED or not column:
            example = "die=serial, face=pips"
            raise Refused(
                Refusal.BAD_VALUE, f"columns must be like {example}", "columns", part[:40], ", ".join(DECLARED)
            )
        said[what] = column
    return said


@dataclass(frozen=True, slots=True)
class Panel:
    """What is drawn of one subject: its faces with their numbers, and what followed what."""

    finding: Finding
    faces: Markup
    rows: tuple[Share, ...]
    counts: tuple[int, ...]
    moves: Markup | None
    table: tuple[tuple[int, ...], ...]


def told(audit: Audit) -> Mapping[str, Any]:
    """What the pages show of an audit."""
    bad = [each for each in audit.findings if each.verdict in (Verdict.CROOKED, Verdict.LOG_SUSPECT)]
    judged = sorted((each for each in audit.findings if each.kind != "log"), key=lambda each: -each.log10_evalue)
    sheets = Sheets(frame_of(audit.tallies)) if audit.findings else None
    return {
        "audit": audit,
        "verdict": report.verdict(audit),
        "bad": bad,
        "findings": judged,
        "budget": report.budget(audit) if audit.findings else "",
        "unseen": report.unseen(audit) if audit.findings else "",
        "evidence": _evidence(judged),
        "over_time": _over_time(audit, sheets) if sheets is not None else None,
        "panels": [] if sheets is None else _panels(audit, sheets),
    }


def _evidence(judged: list[Finding]) -> Markup | None:
    shown = [each for each in judged if each.n][:SHOWN]
    if not shown:
        return None
    rows = [
        Bar(f"{each.kind.replace('_', ' ')} {each.id}"[:28], each.log10_evalue, figures.log10(each.log10_evalue))
        for each in shown
    ]
    said = f"Most is on {rows[0].label}: log10 e {shown[0].log10_evalue:.1f}."
    return charts.bars("Evidence by subject, log10 e", said, rows)


def _over_time(audit: Audit, sheets: Sheets) -> Markup | None:
    found = paths(audit, sheets)[:PANELS]
    if not found:
        return None
    accused = [each for each in found if each.finding.verdict is Verdict.CROOKED]
    alarms = [
        f"{each.name} over {each.bar:.1f} by throw {at:,}" for each in accused if (at := each.first_over()) is not None
    ]
    said = f"Accused: {', '.join(alarms) or 'nobody'}."
    drawn = [
        Line(each.name, [(0.0, 0.0), *zip(each.throws.tolist(), each.log10_evalues.tolist(), strict=True)])
        for each in found
    ]
    title = "Evidence over time"
    return charts.lines(title, said, drawn, bar=found[0].bar, x_title="Throw number", y_title="log10 e")


def _panels(audit: Audit, sheets: Sheets) -> list[Panel]:
    """Draw the subjects with most evidence whose faces can be told apart: dice, or else places."""
    for kind in ("die", "slot"):
        found = [each for each in audit.findings if each.kind == kind and (each.n or each.set_aside)]
        if found:
            found.sort(key=lambda each: (each.verdict is not Verdict.CROOKED, -each.log10_evalue))
            return [_panel(audit, sheets, each) for each in found[:PANELS]]
    return []


def _panel(audit: Audit, sheets: Sheets, finding: Finding) -> Panel:
    assert finding.kind != "log"
    moves = sheets.of(sheets.everything, finding.kind).moves[finding.code]
    counts = moves.sum(axis=0)
    low, high = simultaneous(counts, audit.alpha)
    seen = counts / max(int(counts.sum()), 1)
    rows = tuple(
        Share(str(face), float(share), float(least), float(most), odd=not least <= null <= most)
        for face, share, least, most, null in zip(range(1, 7), seen, low, high, audit.null, strict=True)
    )
    odd = [row.label for row in rows if row.odd]
    said = f"Face {' and '.join(odd)} cannot be what it should." if odd else "All bounds hold what is expected."
    name = finding.subject
    heat = None
    if moves[1:].any():
        held = f"{int(np.trace(moves[1:])):,} of {int(moves[1:].sum()):,} faces repeat the one before."
        heat = charts.heat(f"Transitions of {name}", held, moves[1:].tolist(), rows="Face before", columns="Face")
    drawn = charts.shares(f"Faces of {name}", said, rows, expected=1 / 6)
    table = tuple(tuple(row) for row in moves[1:].tolist())
    return Panel(finding, drawn, rows, tuple(counts.tolist()), heat, table)


@router.get("/power")
def show_power(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Answer how many throws an attack takes to see, or how small an attack is seen in so many throws."""
    check_allowed(visitor.actor, Scope.INCIDENTS_READ)
    asked = {name: request.query_params.get(name, otherwise).strip()[:20] for name, otherwise in ASKED.items()}
    fault, answer = ("", ""), None
    if "attack" in request.query_params:
        try:
            answer = _answer(asked)
        except Refused as refused:
            fault = refused.field, refused.message
        except LaboratoryError as error:
            fault = str(error).partition(" ")[0], str(error)
    return shell.page(
        request,
        visitor,
        "laboratory/power.html",
        422 if fault[0] else 200,
        attacks=[(name, f"{name.replace('_', ' ')}: {each.unit}") for name, each in (ATTACKS | CHECKS).items()],
        judged=JUDGED,
        streams=STREAMS,
        asked=asked,
        answer=answer,
        fault=fault,
    )


ASKED: Mapping[str, str] = {
    "attack": "load",
    "size": "",
    "throws": "",
    "alpha": "1",
    "power": "90",
    "dice": "1",
}
"""What the power page asks, and what stands there at first; alpha and power are percentages."""


def _answer(asked: Mapping[str, str]) -> Answer:
    """Answer the question of the page. Refused: BAD_VALUE."""
    largest = max(1.0, CHECKS[asked["attack"]].most if asked["attack"] in CHECKS else 1.0)
    size = _number(asked, "size", 1e-3, largest) if asked["size"] else None
    throws = round(_number(asked, "throws", 1, 10**8)) if asked["throws"] else None
    alpha, wanted = (_number(asked, name, 1e-4, 99.9) / 100 for name in ("alpha", "power"))
    dice = round(_number(asked, "dice", 1, 100_000))
    return ask(asked["attack"], size=size, throws=throws, alpha=alpha, power=wanted, dice=dice)


def _number(asked: Mapping[str, str], name: str, least: float, most: float) -> float:
    try:
        value = float(asked[name].rstrip("% "))
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise Refused(Refusal.BAD_VALUE, f"{name} must be a number from {least:g} to {most:g}", name, asked[name])
    return value
