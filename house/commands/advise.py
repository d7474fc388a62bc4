"""`floorman advise`: the best choice in a position of Hooligan, and what every other one costs."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.asked import OnePlayer, Schedule, hooligan_schedule, integers, player_of
from house.commands.output import Json, give_up, print_json, working
from house.showing import console, table

if TYPE_CHECKING:
    from payouts.hooligan.rules import HooliganRules, Position


def advise(
    dice: Annotated[str, typer.Argument(help="Faces that lie, all dice of the game, like 22233.")],
    *,
    schedule: Schedule = "scarne-quarter",
    player: OnePlayer = "optimal",
    numbers: Annotated[str, typer.Option("--open", help='Open numbers like 6,5,4; "" for none.')] = "1,2,3,4,5,6",
    closed: Annotated[bool, typer.Option("--hooligan-closed", help="Hooligan has been played.")] = False,
    score: Annotated[int, typer.Option(min=0, max=10_000, help="Points of the frames that are over.")] = 0,
    throw: Annotated[int, typer.Option(min=1, max=5, help="Which throw of the frame lies.")] = 1,
    point: Annotated[int, typer.Option(min=0, max=6, help="Number named, where the frame may be stopped.")] = 0,
    count: Annotated[int, typer.Option(min=0, max=25, help="Dice that have shown the point in this frame.")] = 0,
    as_json: Json = False,
) -> None:
    """Value every choice that is open to a player: mean payout from here on, and its cost against his own choice.

    Example: floorman advise 22233 --schedule quarter-ladder --open 6,5,2 --score 41
    """
    from payouts.hooligan.advice import advise as value_choices
    from payouts.hooligan.solver import solve

    terms, kind = hooligan_schedule(schedule), player_of(player)
    rules = terms.rules
    left = integers("--open", numbers, 1, rules.faces) if numbers else ()
    boxes = _boxes(rules, left, closed, score)
    position = _named(rules, boxes, _dice(rules, dice), throws=throw, point=point, count=count)
    with working("solving the schedule"):
        valued = value_choices(solve(rules, terms.law, kind), position)
    unit = 10**terms.header.decimals
    choices = [("throw" if each.choice is None else str(each.choice), each) for each in valued]
    if as_json:
        found = [
            {"choice": said, "return": each.mean_minor / unit, "cost": each.cost_minor / unit} for said, each in choices
        ]
        named = {"schedule": terms.header.name, "fingerprint": terms.fingerprint, "player": kind.value}
        print_json(named | {"choices": found})
        return
    rows = ((said, f"{each.mean_minor / unit:.8f}", f"{each.cost_minor / unit:.8f}") for said, each in choices)
    title = f"{terms.header.name}, fingerprint {terms.fingerprint[:16]}, {kind.value} player; {terms.header.currency}"
    console().print(table(title, ("choice", "mean payout", "cost"), rows))


def _dice(rules: "HooliganRules", text: str) -> tuple[int, ...]:
    """Read the faces that lie."""
    faces = "123456"[: rules.faces]
    if len(text) != rules.dice or not set(text) <= set(faces):
        give_up(f"DICE must be {rules.dice} faces from 1 to {rules.faces}, got {text!r}")
    return tuple(map(int, text))


def _boxes(rules: "HooliganRules", numbers: tuple[int, ...], closed: bool, score: int) -> "Position":
    """A game between frames, with all its points in one closed box: which one does not matter."""
    from payouts.hooligan.rules import Position

    opened = (not closed, *(number in numbers for number in range(1, rules.faces + 1)))
    shut = [box for box, is_open in enumerate(opened) if not is_open]
    if score and not shut:
        give_up(f"--score must be 0 while every box is open, got {score}")
    first = shut[0] if shut else None
    return Position(tuple(None if is_open else score * (box == first) for box, is_open in enumerate(opened)))


def _named(
    rules: "HooliganRules", boxes: "Position", dice: tuple[int, ...], *, throws: int, point: int, count: int
) -> "Position":
    """The game in its frame, after so many throws, the last of which lies; with a point named or without."""
    from payouts.hooligan.rules import throw

    if throws > rules.throws_per_frame:
        give_up(f"--throw must be from 1 to {rules.throws_per_frame}, got {throws}")
    if not point:
        if count:
            give_up(f"--count must come with --point, got {count}")
        return throw(rules, replace(boxes, throws_made=throws - 1), dice)
    if point not in boxes.open_numbers:
        give_up(f"--point must be one of the open numbers, got {point}")
    if not rules.may_stop_early or throws == rules.throws_per_frame:
        give_up(f"--point must be left out where the frame cannot be stopped any more, got {point}")
    lying = dice.count(point)
    if not lying <= count <= rules.dice * throws:
        give_up(f"--count must be from {lying} to {rules.dice * throws}, got {count}")
    return replace(boxes, throws_made=throws, dice=dice, point=point, count=count)
