"""The console: the pages of the pit, over the same service as the API, with the same refusals.

How a page family is made, say `craps`:

- `house/console/craps.py` has `router = APIRouter()`; its line in `ROUTERS` below includes it. Routes are plain `def`
  (they run beside the event loop) and take what they need from `session`: `house: TheHouse`, `visitor: Visitor`
  (whoever is signed in: `visitor.actor`, `visitor.may("tables:write")`), `form: Form` (a form that was sent: `Posted`,
  its token checked already). Questions begin with `check_allowed(visitor.actor, Scope...)`.
- `templates/craps/*.html` extend `base.html` (blocks `title`, `styles`, `main`) and are shown by
  `shell.page(request, visitor, "craps/table.html", **context)`, which sets the policy: no inline script, no `style=`.
- A form: `{% import "shell/fields.html" as fields with context %}`, `{% set f = form("buy-in") %}`,
  `{% call fields.form(f, "/cage/buy-ins", "Buy in", ("player", "amount_minor")) %} {{ fields.money(f, "amount_minor",
  "Amount") }} {% endcall %}`. Fields are called as the command's, so that a refusal finds its field; the names in the
  tuple are the fields that the form shows, any other fault stands on top of it. A control elsewhere on the page belongs
  to the form by `form="buy-in"` (the id of a form is its name).
- Its route is one call of `shell.carry_out(request, visitor, form, make_command, to="/cage", shows=page_with_form,
  said="Paid")`: the command with the form's idempotency key, then 303; refused, the same page as 422 with everything
  typed and the fault beside its field (`shows` is the function of the page itself, given the form; pass it on as
  `shell.page(..., posted=form)`). A command that needs two people takes the second's id and password from the fields of
  `{{ fields.second_person(f) }}`.
- Figures: the filters of `figures.FILTERS` (`money`, `priced`, `chips`, `typed`, `percent`, `count`, `time`, ...);
  cells with numbers have the class `figure`.
- Live parts: `<div data-live="pit">` holds a part of a page that depends on nobody in particular (no form in it; its
  buttons belong to forms outside by `form=`). `REGIONS` below names for each how it is made and who may see it;
  `data-live="table/craps-1"` is region `table` with the argument `craps-1`. Rendered once an event, for all viewers.
- Figures as you type: `fields.form(..., figures="/schedules/figures", into="figures")`: the form is sent there 120 ms
  after a keystroke, and the answer (a fragment) replaces what the element with the id `into` holds.
- Drawings are pure functions in `drawing/`, each gives SVG as `Markup`; a chart stands beside a table of its numbers.
"""

from collections.abc import Mapping

from fastapi import FastAPI

from house.console import (
    audits,
    cage,
    craps,
    errors,
    first_run,
    history,
    hooligan,
    incidents,
    laboratory,
    live,
    people,
    pit,
    schedules,
    shift,
    sign_in,
    standing,
    tables,
)
from house.console.assets import Assets
from house.console.regions import Region

ROUTERS = (
    sign_in.router,
    first_run.router,
    live.router,
    pit.router,
    tables.router,
    craps.router,
    hooligan.router,
    cage.router,
    shift.router,
    history.router,
    people.router,
    audits.router,
    laboratory.router,
    incidents.router,
    schedules.router,
)
REGIONS: Mapping[str, Region] = {"standing": standing.REGION, **pit.REGIONS, **craps.REGIONS, **hooligan.REGIONS}


def install(app: FastAPI, currency: str, zone: str) -> None:
    """Give an application its pages, after its API.

    Parameters
    ----------
    currency, zone
        In which amounts and times are shown.
    """
    app.state.regions = REGIONS
    app.state.currency, app.state.zone, app.state.sample = currency, zone, None
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False)
    app.mount("/static", Assets())
    errors.install(app)
