"""`floorman power`: the throws that an attack takes to see, or the smallest attack that a log can show."""

import sys
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.output import Json, print_json
from house.showing import console, table

if TYPE_CHECKING:
    from integrity.power import Answer

Attack = Annotated[
    str,
    typer.Option(
        help="load, tilt, flats, any, missing, doubled, few_faces, repeats, equal, seven, eleven, no_seven, "
        "crooked_box, crooked_hand, stakes, slot, magnet, switched or changed."
    ),
]


def power(
    *,
    attack: Attack,
    size: Annotated[float | None, typer.Option(help="Size of the attack; the answer is the throws needed.")] = None,
    throws: Annotated[int | None, typer.Option(min=1, help="Throws of each die; the answer is the size.")] = None,
    alpha: Annotated[float, typer.Option(help="Chance that any fair die is accused.")] = 0.01,
    power: Annotated[float, typer.Option(help="Chance that a crooked die is seen.")] = 0.9,
    dice: Annotated[int, typer.Option(min=1, help="Dice, pairs or hands judged together.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulated monitor.")] = 1,
    write_plan: Annotated[
        Path | None, typer.Option(help="Store the planned test here, for `floorman audit --plan`; never overwrites.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Throws needed for an attack, or the smallest size visible, by a planned test and by a watched monitor.

    Example: floorman power --attack load --size 0.05 --dice 10
    """
    import numpy as np

    from integrity.plan import plan_by_throws, plan_text
    from integrity.power import answer

    waiting = console(stderr=True).status("simulating the monitor") if sys.stderr.isatty() else nullcontext()
    with waiting:
        found = answer(
            attack, rng=np.random.default_rng(seed), size=size, throws=throws, alpha=alpha, power=power, dice=dice
        )
    if write_plan is not None and found.planned_throws is not None:
        stored = plan_by_throws(attack, found.planned_throws, alpha=alpha, power=power, subjects=dice)
        with write_plan.open("x", encoding="utf-8") as file:
            file.write(plan_text(stored))
    if as_json:
        print_json(asdict(found))
        return
    console().print(_table(found))


def _table(found: "Answer") -> object:
    """Lay out an answer."""
    title = f"{found.attack}: alpha {found.alpha:.4g}, seen {found.power:.0%} of the time, {found.dice} judged together"
    if found.planned_throws is not None and found.watched_throws is None:
        return table(title, ("what", "figure"), [("throws", f"{found.planned_throws:,}"), ("visible size", "none")])
    size = "of one size" if found.size is None else f"{found.size:.4g}"
    rows = [
        ("size: " + found.unit, size),
        (f"planned test ({found.test}), throws", f"{found.planned_throws:,}"),
        ("watched monitor, throws", f"{found.watched_throws:,}"),
        ("watched monitor, throws in half of the cases", f"{found.watched_median:,}"),
        ("price of being allowed to look after every throw", f"{found.price:.2f} times"),
    ]
    return table(title, ("what", "figure"), rows)
