"""Synthetic evenings at a craps table and a Hooligan counter, with the two cheats of the demo rung in or not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrity.observations import Observations, concatenate, observations


@dataclass(frozen=True, slots=True)
class Cheats:
    """How strong the cheats are: extra chance of a six on the loaded die, share of throws in which a die repeats."""

    load: float = 0.10
    repeats: float = 0.25


def craps(rng: np.random.Generator, load: float, *, throws: int = 3400, set_every: int = 250) -> Observations:
    """Throw pairs of dice; from the middle on the first die of every set is the loaded one."""
    law = np.full(6, (1 - 1 / 6 - load) / 5)
    law[5] = 1 / 6 + load
    number = np.arange(throws)
    shooter = (np.cumsum(rng.random(throws) < 1 / 8.5) % 6).astype(int)
    faces = rng.integers(1, 7, (throws, 2))
    late = number >= throws // 2
    faces[late, 0] = rng.choice(6, late.sum(), p=law) + 1
    sets = (number // set_every) % 4
    dice = [
        name
        for row in range(throws)
        for name in ("L" if late[row] and load else f"C{2 * sets[row]}", f"C{2 * sets[row] + 1}")
    ]
    order = rng.random(throws) < 0.5
    turned = np.where(order[:, None], faces[:, ::-1], faces)
    names = [name for row in range(throws) for name in (dice[2 * row : 2 * row + 2][:: -1 if order[row] else 1])]
    return observations(
        turned,
        throw=number,
        die=names,
        table="craps-1",
        game="craps",
        method="hand",
        shooter=[f"S{code}" for code in shooter],
        stake_class=np.repeat(rng.integers(0, 4, throws), 2),
    )


def hooligan(rng: np.random.Generator, repeats: float, *, throws: int = 4200, swap_every: int = 300) -> Observations:
    """Throw five dice in frames of three throws, keeping some; two boxes in turn, the sets of dice crossing over."""
    last: dict[str, int] = {}
    rows: list[tuple[int, int, int, str, str, str]] = []
    thrown, point = 5, 0
    for number in range(throws):
        spell = number // swap_every
        box, crew = f"B{spell % 2}", (spell // 2) % 2
        thrown = 5 if number % 3 == 0 else thrown
        dice = [f"H{5 * crew + place}" for place in sorted(rng.permutation(5)[:thrown])]
        faces = rng.integers(1, 7, thrown)
        if box == "B1" and rng.random() < repeats:
            held = int(rng.integers(thrown))
            faces[held] = last.get(dice[held], int(faces[held]))
        point = int(np.bincount(faces).argmax()) if number % 3 == 0 else point
        for slot, (die, face) in enumerate(zip(dice, faces.tolist(), strict=True)):
            last[die] = face
            rows.append((number, face, slot, die, box, f"S{(number // 21) % 5}"))
        thrown = int((faces != point).sum()) or 5
    number, face, slot, die, box, shooter = (list(column) for column in zip(*rows, strict=True))
    return observations(
        face,
        throw=number,
        slot=slot,
        die=die,
        box=box,
        shooter=shooter,
        table="hooligan-1",
        game="hooligan",
        method="box",
    )


def evening(seed: int, cheats: Cheats | None = None) -> Observations:
    """Play one evening; `None` is a fair one."""
    rng = np.random.default_rng(seed)
    load, repeats = (cheats.load, cheats.repeats) if cheats else (0.0, 0.0)
    return concatenate([craps(rng, load), hooligan(rng, repeats)])


def faces_of(rng: np.random.Generator, law: NDArray[np.float64], throws: int) -> NDArray[np.int64]:
    """Throw one die of a given law."""
    return rng.choice(len(law), throws, p=law) + 1
