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
    from integrity.asked import Answer

Attack = Annotated[
    str,
    typer.Option(
        help="load, tilt, flats, any, missing, doubled, few_faces, repeats, order, equal, seven, eleven, no_seven, "
        "crooked_box, crooked_hand, stakes, slot, magnet, switched or changed; of the log itself voids, too_even, "
        "sorted, recycled, gaps, twice or refused."
    ),
]


def power(
    *,
    attack: Attack,
    size: Annotated[float | None, typer.Option(help="Size of the attack; the answer is the throws needed.")] = None,
    throws: Annotated[
        int | None, typer.Option(min=1, help="Throws of each die, or rows of a log; the answer is the size.")
    ] = None,
    alpha: Annotated[float, typer.Option(help="Chance that anybody fair is accused, or an honest log.")] = 0.01,
    power: Annotated[float, typer.Option(help="Chance that a crooked die is seen.")] = 0.9,
    dice: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Dice, pairs or hands judged together; for sorted faces the dice in a throw. 1 by default, or the "
            "fewest that can be compared.",
            show_default=False,
        ),
    ] = None,
    void_rate: Annotated[
        float | None,
        typer.Option(help="Share of throws void by accident, for --attack voids; 0.02 by default.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulated monitor.")] = 1,
    write_plan: Annotated[
        Path | None, typer.Option(help="Store the planned test here, for `floorman audit --plan`; never overwrites.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Throws needed for an attack, or the smallest size visible, by a planned test and by a watched monitor.

    Checks of the log itself are made once, without a monitor: the answer says on what it rests.

    Example: floorman power --attack load --size 0.05 --dice 10
    """
    import numpy as np

    from integrity.asked import answer
    from integrity.plan import check_plannable, plan_by_throws, plan_text

    if write_plan is not None:
        check_plannable(attack)
    waiting = console(stderr=True).status("simulating the monitor") if sys.stderr.isatty() else nullcontext()
    with waiting:
        found = answer(
            attack,
            rng=np.random.default_rng(seed),
            size=size,
            throws=throws,
            alpha=alpha,
            power=power,
            dice=dice,
            rate=void_rate,
        )
    if write_plan is not None and found.planned_throws is not None:
        stored = plan_by_throws(attack, found.planned_throws, alpha=alpha, power=power, subjects=found.dice)
        with write_plan.open("x", encoding="utf-8") as file:
            file.write(plan_text(stored))
    if as_json:
        print_json(asdict(found))
        return
    console().print(_log_table(found) if found.words else _table(found))
    for sentence in found.words:
        console().print(f"* {sentence}", soft_wrap=True)


def _table(found: "Answer") -> object:
    """Lay out an answer."""
    title = f"{found.attack}: alpha {found.alpha:.4g}, seen {found.power:.0%} of the time, {found.dice} judged together"
    if not found.seen:
        return table(title, ("what", "figure"), [("throws", f"{found.planned_throws:,}"), ("visible size", "none")])
    size = "of one size" if found.size is None else found.figure
    rows = [
        ("size: " + found.unit, size),
        (f"planned test ({found.test}), throws", f"{found.planned_throws:,}"),
        ("watched monitor, throws", f"{found.watched_throws:,}"),
        ("watched monitor, throws in half of the cases", f"{found.watched_median:,}"),
        ("price of being allowed to look after every throw", f"{found.price:.2f} times"),
    ]
    return table(title, ("what", "figure"), rows)


def _log_table(found: "Answer") -> object:
    """Lay out an answer on a check of the log itself."""
    from integrity.log_words import JUDGED

    spent = "" if found.attack == "recycled" else f"alpha {found.alpha:.4g}, "
    terms = "certain" if found.certain else f"{spent}seen {found.power:.0%} of the time"
    judged = f", {found.dice} {JUDGED[found.attack]}" if found.dice > 1 else ""
    size = "none is seen" if found.size is None else found.figure
    most = "at most " if found.attack == "recycled" else ""
    throws = "no number is enough" if found.planned_throws is None else f"{most}{found.planned_throws:,}"
    rows = [
        ("size: " + found.unit, size),
        (f"check ({found.test}), {found.counted}", throws),
        ("price of being allowed to look after every throw", "none: a log is checked whole"),
    ]
    return table(f"{found.attack}, of the log itself: {terms}{judged}", ("what", "figure"), rows)
