"""Tallies -> evidence on every subject: e-values of the attacks that can be seen in its counts.

A subject is (kind, code): a die, a box, a shooter, a table, a slot, a stake class, or a pair of dice. Its evidence is a
weighted average of e-processes, one an attack, and so is itself one. Counts decide it: live and batch give the same.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from integrity.locks import Lock, lock_battery, lock_log_e
from integrity.observations import FACES
from integrity.sequential import SHARES as FACE_SHARES
from integrity.sequential import face_battery, log_e, log_e_by_attack, restrict
from integrity.shared_blocks import ranks_of
from integrity.tallies import MOST_DICE, Tallies
from integrity.timeline import spell_log_e

Kind = Literal["die", "box", "shooter", "table", "pair", "slot", "stake_class"]
KINDS: Final[tuple[Kind, ...]] = ("die", "box", "shooter", "table", "pair", "slot", "stake_class")
Subject = tuple[Kind, int]
LOCKS: Final[tuple[Lock, ...]] = ("repeats", "equal", "seven", "eleven", "no_seven")

SHARES: Final[Mapping[Kind, Mapping[str, float]]] = {
    "die": {"faces": 0.62, "repeats": 0.22, "order": 0.04, "switched": 0.06, "changed": 0.06},
    "box": {"faces": 0.3, "repeats": 0.4, "equal": 0.1, "seven": 0.1, "eleven": 0.1},
    "shooter": {"faces": 0.3, "repeats": 0.2, "equal": 0.1, "seven": 0.1, "eleven": 0.1, "no_seven": 0.2},
    "table": {
        "faces": 0.36,
        "repeats": 0.17,
        "equal": 0.08,
        "seven": 0.08,
        "eleven": 0.08,
        "no_seven": 0.05,
        "switched": 0.18,
    },
    "pair": {"equal": 0.5, "seven": 0.28, "eleven": 0.17, "no_seven": 0.05},
    "slot": {"faces": 0.7, "repeats": 0.25, "order": 0.05},
    "stake_class": {"faces": 0.8, "seven": 0.1, "no_seven": 0.1},
}
"""How a subject's evidence is shared over what is looked at; each row adds to 1."""


DOUBT: Final[Mapping[Kind, float]] = {
    "die": 0,
    "box": 0,
    "pair": 0,
    "shooter": 1,
    "table": 2,
    "stake_class": 2,
    "slot": 4,
}
"""Nats of evidence that a kind must have in advance of others before it is blamed for rows that both explain."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The counts of a log by subject, with the code of each kind a row.

    `cells` (c, 7, 6), `pairs` (p, 6, 6), and `spells` (q, 7, 6): moves of a die at a place in one of `blocks` blocks of
    throws, numbered by `spell_block`. No throw has more than `most_dice` dice.
    """

    cells: NDArray[np.int64]
    pairs: NDArray[np.int64]
    cell_codes: Mapping[Kind, NDArray[np.int64]]
    pair_codes: Mapping[Kind, NDArray[np.int64]]
    pair_dice: tuple[NDArray[np.int64], NDArray[np.int64]]
    pair_names: tuple[tuple[int, int], ...]
    spells: NDArray[np.int64]
    spell_codes: Mapping[Kind, NDArray[np.int64]]
    spell_block: NDArray[np.int64]
    blocks: int
    most_dice: int


@dataclass(frozen=True, slots=True)
class Sums:
    """The counts of every code of one kind: `moves` (n, 7, 6), `togethers` (n, 6, 6), `spells` (n, blocks, 6).

    `dice` (n,) is the greatest number of dice whose pairs one throw may have added to `togethers`.
    """

    moves: NDArray[np.int64]
    togethers: NDArray[np.int64]
    spells: NDArray[np.int64]
    dice: NDArray[np.int64]

    @property
    def faces(self) -> NDArray[np.int64]:
        """Give the counts of faces, shape (codes, 6)."""
        return np.asarray(self.moves.sum(axis=1))


def frame_of(tallies: Tallies) -> Frame:
    """Lay a tally out for the tests.

    All pairs of dice without a serial are one pair, (-1, -1). The rows of a pair's table are the faces of the die whose
    serial comes first in order of letters.
    """
    cells, pairs = tallies.spelt_cells(), tallies.spelt_pairs()
    known = (pairs.die_a >= 0) == (pairs.die_b >= 0)
    both = np.stack((pairs.die_a, pairs.die_b), axis=1)
    distinct, inverse = np.unique(both[known], axis=0, return_inverse=True)
    pair = np.full(len(both), -1, dtype=np.int64)
    pair[known] = inverse.reshape(-1)
    shared = {"box": "box", "shooter": "shooter", "table": "table", "stake_class": "stake_class"}
    cell_kinds: dict[Kind, NDArray[np.int64]] = {"die": cells.die, "slot": cells.slot}
    pair_kinds: dict[Kind, NDArray[np.int64]] = {"pair": pair}
    for kind in KINDS:
        if kind in shared:
            cell_kinds[kind], pair_kinds[kind] = getattr(cells, kind), getattr(pairs, kind)
    names = tuple((int(a), int(b)) for a, b in distinct.tolist())
    spell_die, place, block = tallies.timeline.spelt()
    homes = np.array(list(tallies.places), dtype=np.int64).reshape(-1, 2)
    spell_kinds: dict[Kind, NDArray[np.int64]] = {"die": spell_die, "table": homes[place, 0], "box": homes[place, 1]}
    return Frame(
        cells.counts,
        by_name(tallies, (pairs.die_a, pairs.die_b), pairs.counts),
        cell_kinds,
        pair_kinds,
        (pairs.die_a, pairs.die_b),
        names,
        tallies.timeline.counts.counts,
        spell_kinds,
        block,
        int(block.max(initial=-1)) + 1,
        MOST_DICE if tallies.unordered else int(np.flatnonzero(tallies.orders[:, 0]).max(initial=0)),
    )


def by_name(
    tallies: Tallies, dice: tuple[NDArray[np.int64], NDArray[np.int64]], counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Turn the tables (n, 6, 6) of pairs of dice (n,) so that their rows are the faces of the one named first."""
    ranks = ranks_of(tuple(tallies.names["die"]))
    turned = ranks[dice[0] + 1] > ranks[dice[1] + 1]
    return np.where(turned[:, None, None], counts.transpose(0, 2, 1), counts)


def blind(frame: Frame, kinds: Collection[Kind]) -> Frame:
    """Make some kinds unknown in every row."""
    cells = {kind: np.full_like(codes, -1) if kind in kinds else codes for kind, codes in frame.cell_codes.items()}
    pairs = {kind: np.full_like(codes, -1) if kind in kinds else codes for kind, codes in frame.pair_codes.items()}
    spells = {kind: np.full_like(codes, -1) if kind in kinds else codes for kind, codes in frame.spell_codes.items()}
    return replace(frame, cell_codes=cells, pair_codes=pairs, spell_codes=spells)


@dataclass(frozen=True, slots=True)
class View:
    """The rows of a frame that still speak: masks over its cells, its pairs and its spells."""

    cells: NDArray[np.bool_]
    pairs: NDArray[np.bool_]
    spells: NDArray[np.bool_]

    @classmethod
    def of(cls, frame: Frame) -> "View":
        """See everything."""
        return cls(*(np.ones(len(each), dtype=np.bool_) for each in (frame.cells, frame.pairs, frame.spells)))

    def without(self, frame: Frame, subject: Subject) -> "View":
        """Take a subject's rows out; a pair of dice takes the faces of both with it, which it may have chosen.

        Spells know dice, tables and boxes alone: for any other subject, all spells of the dice that it touched go.
        """
        kind, code = subject
        rows = View.only(frame, subject)
        cells = np.isin(frame.cell_codes["die"], frame.pair_names[code]) if kind == "pair" else rows.cells
        spells = rows.spells
        if kind not in frame.spell_codes:
            spells = np.isin(frame.spell_codes["die"], np.unique(frame.cell_codes["die"][cells]))
        return View(self.cells & ~cells, self.pairs & ~rows.pairs, self.spells & ~spells)

    def within(self, frame: Frame, subject: Subject) -> "View":
        """Keep a subject's rows alone."""
        rows = View.only(frame, subject)
        return View(self.cells & rows.cells, self.pairs & rows.pairs, self.spells & rows.spells)

    @staticmethod
    def only(frame: Frame, subject: Subject) -> "View":
        """Find a subject's rows."""
        kind, code = subject
        cells, pairs, spells = (
            codes[kind] == code if kind in codes else np.zeros(len(counts), dtype=np.bool_)
            for codes, counts in (
                (frame.cell_codes, frame.cells),
                (frame.pair_codes, frame.pairs),
                (frame.spell_codes, frame.spells),
            )
        )
        if kind == "die":
            pairs = (frame.pair_dice[0] == code) | (frame.pair_dice[1] == code)
        return View(cells, pairs, spells)


def sums(frame: Frame, view: View, kind: Kind) -> Sums:
    """Add up what a view shows of every code of a kind."""
    codes = [table[kind] for table in (frame.cell_codes, frame.pair_codes) if kind in table]
    size = max((int(column.max(initial=-1)) + 1 for column in codes), default=0)
    spells = np.zeros((size, 0, FACES), dtype=np.int64)
    if "switched" in SHARES[kind]:
        code = frame.spell_codes[kind]
        place = np.where(code < 0, -1, code * frame.blocks + frame.spell_block)
        faces = frame.spells.sum(axis=1)
        spells = _grouped(faces, place, view.spells, size * frame.blocks).reshape(size, frame.blocks, FACES)
    return Sums(
        _grouped(frame.cells, frame.cell_codes.get(kind), view.cells, size),
        _grouped(frame.pairs, frame.pair_codes.get(kind), view.pairs, size),
        spells,
        most_dice(frame, kind, size),
    )


def most_dice(frame: Frame, kind: Kind, size: int) -> NDArray[np.int64]:
    """Bound the dice in a throw of every code, by the places in the throw where these are known."""
    if kind == "pair":
        nameless = np.array([names == (-1, -1) for names in frame.pair_names], dtype=np.bool_)[:size]
        return np.where(nameless, frame.most_dice, 2)
    slot, code = frame.cell_codes["slot"], frame.cell_codes[kind]
    places = np.where(slot < 0, frame.most_dice, np.minimum(slot + 1, frame.most_dice))
    most = np.zeros(size, dtype=np.int64)
    np.maximum.at(most, code[code >= 0], places[code >= 0])
    return most


def _grouped(
    counts: NDArray[np.int64], codes: NDArray[np.int64] | None, mask: NDArray[np.bool_], size: int
) -> NDArray[np.int64]:
    """Sum the rows of every code: the product of a sparse matrix, one number a row, with the counts."""
    shape, rows = (size, *counts.shape[1:]), len(counts)
    if codes is None or not size or not rows:
        return np.zeros(shape, dtype=np.int64)
    chosen = mask & (codes >= 0)
    belongs = csc_array((chosen.astype(np.int64), np.where(chosen, codes, 0), np.arange(rows + 1)), shape=(size, rows))
    return np.asarray(belongs @ counts.reshape(rows, -1)).reshape(shape)


def attack_log_e(kind: Kind, found: Sums, null: tuple[float, ...]) -> dict[str, NDArray[np.float64]]:
    """Weigh every attack on every code: ln(weight x e), each of shape (codes,)."""
    shares = SHARES[kind]
    result: dict[str, NDArray[np.float64]] = {}
    if "faces" in shares:
        by_attack = log_e_by_attack(face_battery(null), found.faces)
        for attack, values in by_attack.items():
            result[attack] = values + np.log(shares["faces"] * FACE_SHARES[attack])
    if "order" in shares:
        result["order"] = order_log_e(found.moves[:, 1:], null) + np.log(shares["order"])
    for lock in LOCKS:
        if lock in shares:
            battery = lock_battery(lock, null)
            if lock == "repeats":
                weighed = lock_log_e(battery, found.moves[:, 1:])
            else:
                weighed = lock_log_e(battery, found.togethers, dice=found.dice)
            result[lock] = weighed + np.log(shares[lock])
    for spell, values in spell_log_e(found.spells, null).items():
        if spell in shares:
            result[spell] = values + np.log(shares[spell])
    return result


def together(counts: NDArray[np.int64], law: NDArray[np.float64]) -> dict[str, tuple[NDArray[np.int64], float]]:
    """Count, in tables (..., 6, 6), pairs that are equal, add to seven, add to eleven; with the fair chance of each."""
    a, b = np.indices((FACES, FACES)) + 1
    joint = np.outer(law, law)
    wanted = {"equal": a == b, "seven": a + b == 7, "eleven": a + b == 11}
    return {name: (counts[..., cells].sum(axis=-1), float(joint[cells].sum())) for name, cells in wanted.items()}


def order_log_e(moves: NDArray[np.int64], null: tuple[float, ...]) -> NDArray[np.float64]:
    """Weigh that a face follows from the one before, in tables (..., 6, 6): a law of its own after each face."""
    return np.asarray(log_e(restrict(face_battery(null), "any"), moves).sum(axis=-1))
