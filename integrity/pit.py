"""The board of a pit: every monitor of every table, one stated budget of false alarms over all of them.

Accusations come from Holm on 1 / max e with the weights of the budget: the chance that anybody honest is ever accused
is at most alpha. The work list comes from e-BH on current e: of those listed, a share of at most alpha is honest, on
average.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from integrity.change import HORIZON
from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6
from integrity.kernel import State
from integrity.monitors import Panel, log10_evalues, max_log10_evalues, panel
from integrity.multiplicity import anytime_log10_pvalue, e_benjamini_hochberg, holm
from integrity.tails import LN10


@dataclass(frozen=True, slots=True)
class Line:
    """One monitor on the board.

    Attributes
    ----------
    table, kind, dice
        Which: a table and a monitor of its panel.
    weight
        Its share of the pit's budget; all shares add to 1.
    bar_log10_evalue
        log10 e at which it alarms by itself.
    log10_evalue, max_log10_evalue
        Evidence now, and the most that it has been.
    adjusted_log10_pvalue
        Holm's adjusted anytime p.
    accused, listed
        Whether it accuses, and whether it is on the work list.
    """

    table: str
    kind: str
    dice: tuple[int, ...]
    weight: float
    bar_log10_evalue: float
    log10_evalue: float
    max_log10_evalue: float
    adjusted_log10_pvalue: float
    accused: bool
    listed: bool


def pit_panels(
    dice: Mapping[str, int],
    shares: Mapping[str, float] | None = None,
    *,
    alpha: float = 0.01,
    null: tuple[float, ...] = FAIR_D6,
    horizon: int = HORIZON,
) -> dict[str, Panel]:
    """Build the panels of a pit on one budget.

    Parameters
    ----------
    dice
        Dice in play by table.
    shares
        Share of the budget by table, adding to at most 1; equal shares if not given. A pit that will open further
        tables keeps something back: shares given out are never changed while a table is watched.
    alpha
        Chance that any monitor of the pit ever alarms falsely.
    """
    given = dict(shares) if shares is not None else {table: 1 / len(dice) for table in dice}
    if given.keys() != dice.keys():
        raise LaboratoryError(f"shares must be of the tables {', '.join(sorted(dice))}, got {', '.join(sorted(given))}")
    total = sum(given.values())
    if any(share <= 0.0 for share in given.values()) or total > 1.0 + 1e-9:
        raise LaboratoryError(f"shares must be positive and add to at most 1, got a total of {total:g}")
    return {table: panel(count, null, alpha=alpha * given[table], horizon=horizon) for table, count in dice.items()}


def board(watched: Mapping[str, tuple[Panel, State]], alpha: float = 0.01) -> tuple[Line, ...]:
    """Judge all monitors of a pit together.

    Parameters
    ----------
    watched
        Panel and state by table.
    alpha
        The pit's budget, as given to `pit_panels`.

    Returns
    -------
    tuple of Line
        The accused first, then by greatest evidence.
    """
    names = [(table, *name) for table, (of, _) in watched.items() for name in of.names]
    if not names:
        return ()
    bars = np.concatenate([of.bars for of, _ in watched.values()])
    # a bar is -ln(weight x alpha)
    weights = np.exp(-bars) / alpha
    now = np.concatenate([log10_evalues(of, state) for of, state in watched.values()])
    most = np.concatenate([max_log10_evalues(of, state) for of, state in watched.values()])
    if weights.sum() > 1.0 + 1e-9:
        raise LaboratoryError(f"panels must share the budget {alpha}, got {weights.sum():.3g} times as much")
    # what the tables leave of the budget stays unused
    total = float(weights.sum())
    adjusted = np.minimum(holm(anytime_log10_pvalue(most), weights) - np.log10(total), 0.0)
    listed = e_benjamini_hochberg(now, alpha * total, weights)
    lines = [
        Line(
            *names[i],
            weight=float(weights[i]),
            bar_log10_evalue=float(bars[i] / LN10),
            log10_evalue=float(now[i]),
            max_log10_evalue=float(most[i]),
            adjusted_log10_pvalue=float(adjusted[i]),
            accused=bool(adjusted[i] <= np.log10(alpha)),
            listed=bool(listed[i]),
        )
        for i in range(len(names))
    ]
    return tuple(sorted(lines, key=lambda line: (not line.accused, -line.max_log10_evalue)))
