"""Evidence over time in one line of text: a row of signs, its scale, and where it crossed the bar."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from integrity.paths import Path

BLOCKS: Final = "▁▂▃▄▅▆▇█"
ASCII: Final = "_.-:=+*#"
"""Eight heights each, the second for output that cannot say the first."""
WIDTH: Final = 32
LONGEST: Final = 28
"""Signs of a name that are shown at most."""


def signs_for(encoding: str | None) -> str:
    """Choose the signs that an output can say.

    >>> signs_for("utf-8"), signs_for("ascii")
    ('▁▂▃▄▅▆▇█', '_.-:=+*#')
    """
    try:
        BLOCKS.encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return BLOCKS


def sparkline(values: Sequence[float], top: float, signs: str = BLOCKS, width: int = WIDTH) -> str:
    """Draw values from 0 to `top` in at most so many signs, each the last value of its stretch.

    >>> sparkline([-1.0, 0.0, 2.0, 4.0], 4.0, "01234567")
    '0047'
    """
    shown = np.asarray(values, dtype=np.float64)
    columns = min(width, len(shown))
    at = (np.arange(1, columns + 1) * len(shown)) // columns - 1
    heights = np.clip(np.rint(shown[at] / top * (len(signs) - 1)), 0, len(signs) - 1).astype(int)
    return "".join(signs[height] for height in heights.tolist())


def crossing(path: Path) -> str:
    """Say where a path crossed the bar at which its subject is accused, and what it holds besides the finding."""
    throw, time = path.first_over(), path.time_over()
    when = f", {time:%Y-%m-%d %H:%M} UTC" if time is not None else ""
    said = f"not over {path.bar:.1f}" if throw is None else f"over {path.bar:.1f} by throw {throw:,}{when}"
    if path.exact:
        return said
    return (
        f"{said}; drawn with what others accused touched, to {path.log10_evalues[-1]:.1f}: without that the finding "
        f"has {path.finding.log10_evalue:.1f}"
    )


def told(paths: Sequence[Path], signs: str = BLOCKS) -> list[str]:
    """Write the paths of the accused, one a line under a title; nothing where nobody is accused."""
    accused = [each for each in paths if each.accused]
    if not accused:
        return []
    name = min(LONGEST, max(len(each.name) for each in accused))
    last = max(int(each.throws[-1]) for each in accused)
    lines = [f"Evidence over time, throws 0 to {last:,}: log10 e from 0 to the number beside it"]
    for each in accused:
        top = max(float(each.log10_evalues.max()), each.bar)
        drawn = sparkline(each.log10_evalues.tolist(), top, signs).ljust(WIDTH)
        lines.append(f"  {each.name[:LONGEST]:{name}}  {drawn}  {top:5.1f}  {crossing(each)}")
    return lines
