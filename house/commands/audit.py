"""`floorman audit`: the dice laboratory on a log."""

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.output import Exit, Json, give_up, print_json, without_password
from house.settings import load_monitors

if TYPE_CHECKING:
    from integrity.audit import Audit
    from integrity.counted import Start
    from integrity.plan import Plan


def audit(
    log: Annotated[str, typer.Argument(help="A log (CSV, JSON Lines, Parquet) or a house's database URL.")],
    alpha: Annotated[
        float | None, typer.Option(min=1e-6, max=0.1, help="Chance that anybody honest is accused; monitors.toml says.")
    ] = None,
    columns: Annotated[str | None, typer.Option(help="Which column is what: die=serial,face=pips.")] = None,
    *,
    plan: Annotated[
        Path | None,
        typer.Option(
            help="A planned test that `floorman power --write-plan` stored; its p decides.", exists=True, dir_okay=False
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Leave out what was before: a throw number, or a time like 2026-07-01T20:00Z.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write the report with pictures here as well.")] = None,
    as_json: Json = False,
) -> None:
    """Audit a log of throws: who is accused, on what evidence, and what could not have been seen.

    Exit code 1 when somebody is accused or the log itself is suspect.

    Example: floorman audit build/demo/throws.jsonl
    """
    from integrity.findings import Verdict
    from integrity.plan import read_plan
    from integrity.report import document
    from integrity.report import html as html_report
    from integrity.report import text as text_report
    from integrity.sparklines import signs_for

    if plan is not None and alpha is not None:
        give_up("--plan has an alpha of its own: leave out --alpha")
    if "://" in log and columns is not None:
        give_up("--columns is for files; a database has columns of its own")
    budget = float(load_monitors().alpha) if alpha is None else alpha
    held_to = None if plan is None else read_plan(plan.read_text(encoding="utf-8"))
    if "://" in log:
        found = _of_database(log, budget, held_to, _start(since))
    else:
        found = _of_file(Path(log), budget, _columns(columns), held_to, _start(since))
    if html is not None:
        html.write_text(html_report(found), encoding="utf-8")
    if as_json:
        print_json(document(found))
    else:
        sys.stdout.write(text_report(found, signs_for(sys.stdout.encoding)) + "\n")
    bad = found.verdict in (Verdict.CROOKED, Verdict.LOG_SUSPECT)
    raise typer.Exit(Exit.BAD_ANSWER if bad else Exit.DONE)


def _of_file(
    log: Path, alpha: float, columns: dict[str, str] | None, plan: "Plan | None", start: "Start | None"
) -> "Audit":
    from integrity.audit import audit as audit_log

    return audit_log(log, alpha, columns=columns, plan=plan, start=start)


def _of_database(url: str, alpha: float, plan: "Plan | None", start: "Start | None") -> "Audit":
    from house.app import open_existing
    from house.service.surveillance import observations
    from house.settings import load_settings
    from integrity.audit import audit as audit_log

    settings = load_settings(options={"--database": url})
    with open_existing(settings) as house:
        # a plan reads the log twice
        source = observations(house) if plan is None else list(observations(house))
        return audit_log(source, alpha, plan=plan, start=start, name=without_password(url))


def _start(since: str | None) -> "Start | None":
    """Read a throw number, or a time with its zone."""
    if since is None:
        return None
    if since.isascii() and since.isdigit() and len(since) <= 18:
        return int(since)
    try:
        found = datetime.fromisoformat(since)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        give_up(f"--since must be a throw number or a time with its zone like 2026-07-01T20:00Z, got {since!r}")
    return found


def _columns(declared: str | None) -> dict[str, str] | None:
    """Read "die=serial,face=pips"."""
    if declared is None:
        return None
    pairs = [part.partition("=") for part in declared.split(",")]
    wrong = [what + sign + column for what, sign, column in pairs if not (what and sign and column)]
    if wrong:
        give_up(f"--columns must be like die=serial,face=pips, got {wrong[0]!r}")
    return {what.strip(): column.strip() for what, _, column in pairs}
