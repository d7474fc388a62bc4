"""The schedule desk: what each schedule keeps, edited with its exact percentages in sight, and saved by two people."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse
from starlette.responses import Response

from house.console import desk, drafts, figures, shell
from house.console.desk import Draft, HooliganFigures
from house.console.drawing import charts
from house.console.drawing.charts import Band
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import pit, schedules
from house.service.desk import Command, House, check_allowed
from house.service.schedules import Published
from payouts.design import Design, Grid, design, schedule_text
from payouts.errors import Fault, PayoutError
from payouts.hooligan.schedule import HooliganSchedule
from payouts.par import par_sheet
from payouts.par.document import Sheet
from payouts.reading import Percentage
from payouts.schedule import parse

router = APIRouter(prefix="/schedules")


@router.get("")
def show_schedules(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """List the newest version of every schedule, and where it is in play."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    newest = {(one.game, one.name): one for one in schedules.schedules(house)}
    used = [(table.game, table.schedule, table.table) for table in pit.glances(house) if table.open]
    found = [
        (one, parse(one.body, one.name).header, [table for game, name, table in used if (game, name) == key])
        for key, one in newest.items()
    ]
    return shell.page(request, visitor, "schedules/list.html", schedules=found)


@router.get("/{game}/{name}")
def show_desk(
    request: Request, house: TheHouse, visitor: Visitor, game: str, name: str, *, version: int | None = None
) -> HTMLResponse:
    """Show a version with its figures, ready to be edited."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    base = _found(house, game, name, version)
    return _desk(request, house, visitor, base, base.body)


def _found(house: House, game: str, name: str, version: int | None) -> Published:
    """Find a version, or the newest. Refused: NOT_FOUND."""
    with house.read() as connection:
        return schedules.find(connection, game, name, version)


def _desk(
    request: Request,
    house: House,
    visitor: Visit,
    base: Published,
    text: str,
    *,
    posted: Posted | None = None,
    **more: Any,
) -> HTMLResponse:
    """Show the desk with a draft on it."""
    table = drafts.read(text) or drafts.read(base.body)
    versions = _versions(house, base)
    context: dict[str, Any] = {
        "base": base,
        "versions": versions[::-1],
        "following": max(versions) + 1,
        "text": text,
        "table": table,
        "at": shell.address("/schedules", base.game, base.name),
        "draft": desk.judged(text),
        "rules": drafts.RULES,
        "rows": min(drafts.ROWS, len(drafts.bands(table)) + drafts.BLANK),
        "values": drafts.hooligan_fields(table) if base.game == "hooligan" else {},
        "bets": drafts.craps_fields(table) if base.game == "craps" else [],
        "odds": drafts.odds_limits(table),
        "design": None,
        "other": text != base.body,
    }
    return shell.page(request, visitor, "schedules/desk.html", posted=posted, **context | more)


@router.post("/{game}/{name}/figures")
def show_figures(
    request: Request, house: TheHouse, visitor: Visitor, form: Form, *, game: str, name: str
) -> HTMLResponse:
    """Work out a draft as it is typed: the figures alone, to stand in the desk."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    base = _found(house, game, name, _version(form))
    try:
        draft = desk.judged(_text(base, form))
    except Refused as refused:
        draft = _as_fault(refused)
    body = shell.fragment("schedules/figures.html", **shell.spoken(request), draft=draft, base=base)
    return HTMLResponse(body, 200 if draft.figures else 422, dict(shell.HEADERS))


def _as_fault(refused: Refused) -> Draft:
    return Draft(None, (Fault("draft", refused.field, refused.value, refused.limit or refused.message),))


def _version(form: Posted) -> int | None:
    """The version that a draft began from."""
    return form.whole("base") if form.optional("base") else None


def _text(base: Published, form: Posted) -> str:
    """The text of a draft: as it was typed, or made of the fields. Refused: BAD_VALUE."""
    if form.name != "fields":
        return form.optional("body").replace("\r\n", "\n") + "\n"
    of = drafts.of_hooligan if base.game == "hooligan" else drafts.of_craps
    return drafts.write(of(drafts.read(base.body), form))


@router.post("/{game}/{name}/draft")
def review(request: Request, house: TheHouse, visitor: Visitor, form: Form, *, game: str, name: str) -> HTMLResponse:
    """Show a draft worked out in full, with the form that publishes it; with faults, the desk as it was."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    base = _found(house, game, name, _version(form))
    try:
        text = _text(base, form)
        if form.name == "fields":
            text = _claiming(text)
        draft = desk.judged(text)
    except Refused as refused:
        return _desk(request, house, visitor, base, base.body, posted=form.refusing(refused), draft=_as_fault(refused))
    if draft.figures is None:
        first = draft.faults[0]
        wrong = Refused(Refusal.BAD_VALUE, "the draft has faults", _field(first.key), first.value[:80], first.bound)
        return _desk(request, house, visitor, base, text, posted=form.refusing(wrong))
    return _review(request, visitor, base, text)


def _claiming(text: str) -> str:
    """Let a Hooligan draft state the percentage against the best player that it has."""
    figures = desk.judged(text).figures
    if not isinstance(figures, HooliganFigures):
        return text
    edge = Percentage.of(Fraction(figures.players[0][2].house_edge), 2)
    return drafts.write({**drafts.read(text), "declared": {"optimal": str(edge)}})


def _field(key: str) -> str:
    """The field of the form for a key of the file: "pays[2].score" is the band's first field.

    >>> _field("pays[2].score"), _field("bets.place.4"), _field("bets.pass.limits.max"), _field("stake")
    ('low.2', 'pays.place.4', 'max.pass', 'stake')
    """
    parts = key.replace("[", ".").replace("]", "").split(".")
    match parts:
        case ["pays", row, "score"]:
            return f"low.{row}"
        case ["pays", row, "pays"]:
            return f"pays.{row}"
        case ["bets", bet, "limits", name, *_]:
            return f"{name}.{bet}"
        case ["bets", bet, "pays", spot] | ["bets", bet, spot]:
            return f"pays.{bet}.{'' if spot == 'pays' else spot}"
    return key


def _review(request: Request, visitor: Visit, base: Published, text: str, posted: Posted | None = None) -> HTMLResponse:
    draft = desk.judged(text)
    assert draft.figures is not None
    return shell.page(
        request,
        visitor,
        "schedules/review.html",
        posted=posted,
        base=base,
        text=text,
        draft=draft,
        head=draft.figures.schedule.header,
        fingerprint=draft.figures.schedule.fingerprint,
        sensitive=desk.sensitive(text),
        shown=figures.reported,
        at=shell.address("/schedules", base.game, base.name),
    )


@router.post("/{game}/{name}/versions")
def publish(request: Request, house: TheHouse, visitor: Visitor, form: Form, *, game: str, name: str) -> Response:
    """Publish a draft that was reviewed, with a second person."""
    base = _found(house, game, name, _version(form))
    text = _text(base, form)

    def command(form: Posted) -> Command[Published]:
        check_allowed(visitor.actor, Scope.SCHEDULES_WRITE)
        return schedules.PublishSchedule(body=text)

    def shows(posted: Posted) -> HTMLResponse:
        return _review(request, visitor, base, text, posted)

    def to(new: Published) -> str:
        return shell.address("/schedules", new.game, new.name)

    def said(new: Published) -> str:
        return f"{new.name} version {new.version} is published. Tables take it when their schedule is changed."

    if desk.judged(text).figures is None:
        refused = Refused(Refusal.BAD_VALUE, "the draft has faults", "body")
        return _desk(request, house, visitor, base, text, posted=form.refusing(refused))
    return shell.carry_out(request, visitor, form, command, to=to, said=said, shows=shows)


@router.post("/hooligan/{name}/design")
def show_design(request: Request, house: TheHouse, visitor: Visitor, form: Form, *, name: str) -> HTMLResponse:
    """Find the schedule of a grid whose percentage is closest to a target, and put it on the desk."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    base = _found(house, "hooligan", name, _version(form))
    schedule = parse(base.body, base.name)
    assert isinstance(schedule, HooliganSchedule)
    try:
        grid, found = _designed(schedule, form)
    except Refused as refused:
        return _desk(request, house, visitor, base, base.body, posted=form.refusing(refused))
    head = schedule.header
    text = base.body if found.best is None else schedule_text(grid, found.best, head.name, head.currency)
    if found.best is not None:
        table = drafts.read(text) | {
            "version": 1 + max(_versions(house, base)),
            "notes": f"Designed for {form.optional('target')} %.",
        }
        text = drafts.write(table)
    return _desk(request, house, visitor, base, text, posted=form, design=found, grid=grid)


def _versions(house: House, base: Published) -> list[int]:
    """Numbers of all versions of a schedule, rising."""
    return [one.version for one in schedules.schedules(house) if (one.game, one.name) == (base.game, base.name)]


def _designed(schedule: HooliganSchedule, form: Posted) -> tuple[Grid, Design]:
    """Search the grid that a form asks for. Refused: BAD_VALUE."""
    top = schedule.rules.perfect_score
    thresholds = form.many("thresholds")
    if not thresholds or not all(each.isascii() and each.isdigit() and int(each) <= top for each in thresholds):
        raise Refused(Refusal.BAD_VALUE, "thresholds must be scores", "thresholds", "", f"rising, from 0 to {top}")
    target = Percentage.parse(f"{form.optional('target').rstrip('% ')} %")
    if target is None or target.value >= 1:
        raise Refused(Refusal.BAD_VALUE, "target must be a percentage below 100, like 15", "target")
    step, most = form.money("step"), form.money("most")
    if not 0 < step <= most <= 400 * step:
        raise Refused(Refusal.BAD_VALUE, "most must be a multiple of the step, up to 400 of them", "most")
    try:
        grid = Grid(
            stake_minor=schedule.stake_minor,
            thresholds=tuple(map(int, thresholds)),
            prices_minor=tuple(range(step, most + 1, step)),
            trade_cost=schedule.trade_cost,
            rules=schedule.rules,
        )
        return grid, design(grid, float(target.value), most_solves=100)
    except PayoutError as error:
        field = "thresholds" if "thresholds" in str(error) else "most"
        raise Refused(Refusal.BAD_VALUE, str(error)[:300], field) from None


@router.get("/{game}/{name}/file")
def give_file(house: TheHouse, visitor: Visitor, game: str, name: str, version: int | None = None) -> PlainTextResponse:
    """Give the file of a version as it was published."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    found = _found(house, game, name, version)
    file = f'attachment; filename="{found.name}-{found.version}.toml"'
    return PlainTextResponse(found.body, headers={**shell.HEADERS, "Content-Disposition": file})


@router.get("/{game}/{name}/report")
def show_report(
    request: Request, house: TheHouse, visitor: Visitor, game: str, name: str, *, version: int | None = None
) -> HTMLResponse:
    """Show the mathematics report of a version, to be printed."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    found = _found(house, game, name, version)
    sheet = _sheet(found.body)
    return shell.page(
        request, visitor, "schedules/report.html", sheet=sheet, base=found, shown=figures.reported, **_picture(sheet)
    )


@lru_cache(maxsize=8)
def _sheet(body: str) -> Sheet:
    return par_sheet(parse(body, "schedule"))


def _picture(sheet: Sheet) -> Mapping[str, Any]:
    if sheet.score_law is None:
        return {"law": None}
    player, law = sheet.score_law.laws[0]
    bands = [Band(low, high, pays.partition(" ")[0]) for low, high, pays in sheet.score_law.bands]
    return {"law": charts.score_law(f"Scores of the player '{player}' against the bands", sheet.title, law, bands)}
