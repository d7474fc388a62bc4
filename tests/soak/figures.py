"""The figures of `make soak` as a table; with `--keep`, also copied to a dated file of the repository.

`python -m tests.soak.figures [--keep]` reads build/soak/figures.json, which the long checks write.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from house.showing import console, table
from tests.figures import FIGURES

KEPT = Path(__file__).resolve().parent


def rows(figures: dict[str, dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Number, day and figures of each property."""
    order = sorted(figures, key=lambda number: (number.rstrip("abcdefghijklmnopqrstuvwxyz").zfill(4), number))
    return [
        (
            number,
            figures[number]["date"],
            ", ".join(f"{name} {value}" for name, value in figures[number].items() if name != "date"),
        )
        for number in order
    ]


def main() -> int:
    """Print the table; keep the figures if that is asked."""
    if not FIGURES.exists():
        sys.stderr.write(f"{FIGURES} is not there: run make soak first\n")
        return 2
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    console().print(table("Figures of the long checks", ("property", "day", "figures"), rows(figures), left=3))
    if "--keep" in sys.argv[1:]:
        kept = KEPT / f"figures-{datetime.now(UTC).date().isoformat()}.json"
        kept.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        sys.stdout.write(f"kept in {kept.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
