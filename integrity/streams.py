"""The streams of faces in a log: what a die (or a slot, where dice have no serial) showed before."""

from dataclasses import dataclass, field, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.counts import narrowed, stable_order

DICE_FROM: Final = 16
NO_STREAM: Final = 15


def stream_of(die: NDArray[np.int64], slot: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number the stream of each row: 16 + code for a die with a serial, else its slot, 15 where that is not known."""
    if die.min(initial=0) >= 0:
        return die + DICE_FROM
    return np.where(die >= 0, die + DICE_FROM, np.where(slot < 0, NO_STREAM, slot))


def _blank() -> NDArray[np.int64]:
    return np.zeros(DICE_FROM, dtype=np.int64)


@dataclass(slots=True)
class Streams:
    """The first and the last counted row of every stream, columns int64 (streams,); face 0 says that none was seen."""

    first_face: NDArray[np.int64] = field(default_factory=_blank)
    first_slot: NDArray[np.int64] = field(default_factory=_blank)
    first_setting: NDArray[np.int64] = field(default_factory=_blank)
    last_face: NDArray[np.int64] = field(default_factory=_blank)
    last_setting: NDArray[np.int64] = field(default_factory=_blank)
    first_throw: NDArray[np.int64] = field(default_factory=_blank)

    def columns(self) -> tuple[NDArray[np.int64], ...]:
        """Give the columns, for whoever fills them in place."""
        return tuple(getattr(self, each.name) for each in fields(self))

    def grow(self, size: int) -> None:
        """Make room for `size` streams."""
        for each in fields(self):
            column = getattr(self, each.name)
            if len(column) < size:
                room = max(size, 2 * len(column)) - len(column)
                setattr(self, each.name, np.concatenate((column, np.zeros(room, dtype=np.int64))))

    def follow(
        self,
        stream: NDArray[np.int64],
        rows: tuple[NDArray[np.integer[Any]], ...],
        home: NDArray[np.integer[Any]],
        places: NDArray[np.int64],
    ) -> NDArray[np.integer[Any]]:
        """Find the previous face in its stream of every row (n,), 0 where the transition is broken.

        `rows` are their faces, slots, settings and throw numbers, (n,) each, and `home` (n,) the (table, box) of each,
        as `places` (settings,) numbers them: a change of place breaks a transition.
        """
        if not len(stream):
            return np.zeros(0, dtype=np.int64)
        self.grow(int(stream.max()) + 1)
        (face, _, setting, _), narrow = rows, narrowed(stream)
        order = stable_order(narrow)
        streams, faces, homes = narrow[order], face[order], home[order]
        starts = np.flatnonzero(np.concatenate(([True], streams[1:] != streams[:-1])))
        heads, ends = streams[starts].astype(np.int64) - 1, order[np.append(starts[1:], len(streams)) - 1]
        before, where = np.empty_like(faces), np.empty_like(homes)
        before[1:], where[1:] = faces[:-1], homes[:-1]
        before[starts], where[starts] = self.last_face[heads], places[self.last_setting[heads]]
        new = self.first_face[heads] == 0
        fresh, first = heads[new], order[starts[new]]
        for name, column in zip(("face", "slot", "setting", "throw"), rows, strict=True):
            getattr(self, f"first_{name}")[fresh] = column[first]
        self.last_face[heads], self.last_setting[heads] = face[ends], setting[ends]
        before[(where != homes) | (streams == NO_STREAM + 1)] = 0
        previous = np.empty_like(before)
        previous[order] = before
        return previous

    def recoded(self, die: NDArray[np.int64], setting: NDArray[np.int64]) -> tuple[NDArray[np.int64], "Streams"]:
        """Give the streams that were seen, shape (s,), and their columns in the codes of another log."""
        seen = np.flatnonzero(self.first_face)
        dice = np.append(die, -1)[np.minimum(np.maximum(seen - DICE_FROM, 0), len(die))]
        numbers = np.where(seen >= DICE_FROM, dice + DICE_FROM, seen)
        return numbers, Streams(
            self.first_face[seen],
            self.first_slot[seen],
            setting[self.first_setting[seen]],
            self.last_face[seen],
            setting[self.last_setting[seen]],
            self.first_throw[seen],
        )

    def join(self, stream: NDArray[np.int64], later: "Streams", places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Append the later columns of the streams (s,); give the face before each later first, 0 where broken."""
        if not len(stream):
            return np.zeros(0, dtype=np.int64)
        self.grow(int(stream.max()) + 1)
        same = places[self.last_setting[stream]] == places[later.first_setting]
        before = np.where(same & (stream != NO_STREAM), self.last_face[stream], 0)
        new = self.first_face[stream] == 0
        for name in ("first_face", "first_slot", "first_setting", "first_throw"):
            getattr(self, name)[stream[new]] = getattr(later, name)[new]
        self.last_face[stream], self.last_setting[stream] = later.last_face, later.last_setting
        return before
