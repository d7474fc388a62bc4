"""The command line: `floorman COMMAND`."""

import sys
import traceback

import typer

from house.commands.advise import advise
from house.commands.audit import audit
from house.commands.certificate import certificate
from house.commands.claim import claim
from house.commands.db import db
from house.commands.demo import demo
from house.commands.design import design
from house.commands.edge import edge
from house.commands.export import export
from house.commands.output import Exit
from house.commands.power import power
from house.commands.readings import readings
from house.commands.report import report
from house.commands.serve import serve
from house.commands.simulate import simulate
from house.commands.token import token
from house.commands.verify import verify
from house.domain.refusals import Refused

app = typer.Typer(
    name="floorman",
    help="Casino banking and dice integrity: Hooligan and craps, exact percentages, a log that is watched.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (demo, serve, token, claim, readings, advise, audit, power, export, verify):
    app.command()(command)
app.add_typer(edge, name="edge")
app.add_typer(report, name="report")
app.add_typer(design, name="design")
app.add_typer(simulate, name="simulate")
app.add_typer(certificate, name="certificate")
app.add_typer(db, name="db")


def main() -> None:
    """Run the command line: exit code 0 done, 1 done and the answer is bad, 2 could not be done."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
    except (ValueError, OSError, Refused) as error:
        sys.stderr.write(f"floorman: {error}\n")
        sys.exit(Exit.NOT_DONE)
    except Exception as error:
        from sqlalchemy.exc import DatabaseError, OperationalError

        if isinstance(error, OperationalError) or type(error) is DatabaseError:  # the latter: it is no database
            sys.stderr.write(f"floorman: the database cannot be used: {str(error.orig).strip().splitlines()[0]}\n")
        else:
            traceback.print_exc()
        sys.exit(Exit.NOT_DONE)


if __name__ == "__main__":
    main()
