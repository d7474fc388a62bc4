"""Rows of text -> observations: one builder that fills batches, and refuses a bad row with its line number."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from integrity.layouts import Layout
from integrity.observations import NO_TIME, TEXT_COLUMNS, Names, Observations, State
from integrity.tokens import TokenError, face_of, face_or_state, number_of, state_of, time_of

MOST_KEPT: Final = 1000
"""Refused rows that are kept in words; all are counted."""
MOST_THROWS: Final = 1 << 62

Record = tuple[int, int, int, int, int, int, int]


@dataclass(slots=True)
class Ledger:
    """What a reader refused and noticed; `totals` int64 (11,) counts totals of two dice, 2 to 12."""

    refused: int = 0
    refusals: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    totals: NDArray[np.int64] = field(default_factory=lambda: np.zeros(11, dtype=np.int64))

    def refuse(self, line: int, why: object) -> None:
        """Count a refused row, keeping the first thousand in words."""
        self.refused += 1
        if len(self.refusals) < MOST_KEPT:
            self.refusals.append(f"line {line}: {why}")

    def note(self, text: str) -> None:
        """Keep a remark once."""
        if text not in self.notes:
            self.notes.append(text)


@dataclass(slots=True)
class Builder:
    """Turn rows of a layout into batches of observations.

    Rows without a throw number count on from 0, a throw a row. `base` is the file's lowest face, `zone` that of times
    which name none. Totals of two dice are no dice: they are counted in the ledger.
    """

    layout: Layout
    ledger: Ledger
    base: int = 1
    zone: ZoneInfo | None = None
    next_throw: int = 0
    rebuilt: int = 0
    decimals: int = 0
    records: list[Record] = field(default_factory=list)
    text: dict[str, list[str | None]] = field(default_factory=lambda: {name: [] for name in TEXT_COLUMNS})

    def add(self, line: int, cells: Sequence[str]) -> None:
        """Read one row, or refuse it."""
        places = self.layout.places
        row = {name: cells[place].strip() for name, place in places.items() if place < len(cells)}
        try:
            self._forms()[self.layout.form](row, cells)
        except TokenError as error:
            self.ledger.refuse(line, error)

    def _forms(self) -> Mapping[str, Callable[[dict[str, str], Sequence[str]], None]]:
        """Give the reading of each form of row."""
        return {
            "dice": self._die,
            "throws": self._throw,
            "counts": self._count,
            "joint": self._joint,
            "totals": self._total,
        }

    def _die(self, row: dict[str, str], cells: Sequence[str]) -> None:
        """Read one die of a throw."""
        word, token = row.get("state", ""), row.get("face", "")
        if word and state_of(word) is not State.OK:
            state, face = state_of(word), self._face_if_any(token, state_of(word))
        else:
            face, state = face_or_state(token, self.base)
        self._append(self._throw_number(row), face, state, self._slot(row, -1), row=row, die=self._die_name(row))

    def _face_if_any(self, token: str, state: State) -> int:
        """Read the face of a die that does not count; only one put aside must show something."""
        if state is State.KEPT:
            return face_of(token, self.base)
        try:
            return face_of(token, self.base)
        except TokenError:
            return 0

    def _throw(self, row: dict[str, str], cells: Sequence[str]) -> None:
        """Read all dice of a throw; a bad cell refuses the throw."""
        if len(cells) <= max(self.layout.faces):
            raise TokenError(f"a throw must have {len(self.layout.faces)} faces, got {len(cells)} cells")
        shown = [face_or_state(cells[place], self.base) for place in self.layout.faces]
        throw = self._throw_number(row)
        for slot, (face, state) in enumerate(shown):
            die = self.layout.names[slot] or self._die_name(row)
            self._append(throw, face, state, slot, row=row, die=die)

    def _count(self, row: dict[str, str], cells: Sequence[str]) -> None:
        """Read how often a die showed a face."""
        if "sides" in row:
            number_of(row["sides"], "sides", 6, 6)
        if "share" in row:
            self.rebuilt += self._weight(row)
            self.decimals = max(self.decimals, len(row["share"].partition(".")[2]))
        face = face_of(row["face"], self.base)
        weight = self._weight(row)
        self._append(self._throw_number({}), face, State.OK, 0, row=row, die=self._die_name(row), weight=weight)

    def _joint(self, row: dict[str, str], cells: Sequence[str]) -> None:
        """Read how often two dice showed two faces together."""
        shown = [face_of(cells[place], self.base) for place in self.layout.faces]
        weight, throw = self._weight(row), self._throw_number({})
        for slot, face in enumerate(shown):
            self._append(throw, face, State.OK, slot, row=row, die=self.layout.names[slot], weight=weight)

    def _total(self, row: dict[str, str], cells: Sequence[str]) -> None:
        """Read how often two dice added to a total."""
        self.ledger.totals[number_of(row["total"], "total", 2, 12) - 2] += self._weight(row)

    @staticmethod
    def _weight(row: Mapping[str, str]) -> int:
        """Read a count: a whole number, never a share."""
        return number_of(row["count"], "count", 0, MOST_THROWS)

    def _throw_number(self, row: Mapping[str, str]) -> int:
        """Read the number of the throw, or count on."""
        if "throw" in row:
            return number_of(row["throw"], "throw", 0, MOST_THROWS)
        self.next_throw += 1
        return self.next_throw - 1

    @staticmethod
    def _slot(row: Mapping[str, str], default: int) -> int:
        """Read the place in the throw."""
        return number_of(row["slot"], "slot", -1, 14) if row.get("slot") else default

    @staticmethod
    def _die_name(row: Mapping[str, str]) -> str | None:
        """Name a die by its serial, and by when it was issued if the file tells."""
        die = row.get("die") or None
        return f"{die} issued {row['issued']}" if die and row.get("issued") else die

    def _append(
        self,
        throw: int,
        face: int,
        state: State,
        slot: int,
        *,
        row: Mapping[str, str],
        die: str | None,
        weight: int = 1,
    ) -> None:
        """Add a row to the batch."""
        stakes = number_of(row["stake_class"], "stake_class", 0, 3) if row.get("stake_class") else -1
        at = time_of(row["at"], self.zone) if row.get("at") else NO_TIME
        if at is None:
            self.ledger.note("times without a zone were not used: declare zone=..., as in zone=Europe/London")
        self.records.append((throw, face, state, slot, stakes, NO_TIME if at is None else at, weight))
        for name, column in self.text.items():
            column.append(die if name == "die" else row.get(name) or None)

    def close(self) -> None:
        """Note by how much counts may be off that were rebuilt from rounded shares: half a unit of the last place."""
        if self.rebuilt:
            band = self.rebuilt * 0.5 / 10**self.decimals
            self.ledger.note(f"counts were rebuilt from rounded shares of {self.decimals} decimals: each +-{band:.0f}")

    def take(self) -> Observations | None:
        """Give the rows so far as a batch and start the next."""
        if not self.records:
            return None
        table = np.array(self.records, dtype=np.int64)
        ordered = self.layout.form in {"dice", "throws"}
        batch = Observations(
            table[:, 0],
            table[:, 1].astype(np.int8),
            table[:, 2].astype(np.int8),
            table[:, 3].astype(np.int8),
            table[:, 4].astype(np.int8),
            table[:, 5],
            **{name: Names.of(column) for name, column in self.text.items()},
            weight=None if ordered else table[:, 6],
            ordered=ordered,
        )
        self.records = []
        self.text = {name: [] for name in TEXT_COLUMNS}
        return batch


def in_order(batch: Observations, ledger: Ledger) -> Observations:
    """Put rows in the order of their throw numbers where they stand out of it; equal numbers keep their order.

    A file may number throws by table or by die; it is out of order if it goes backward both ways.
    """
    if not batch.ordered or bool((batch.throw[1:] >= batch.throw[:-1]).all()):
        return batch
    if not (_backward(batch.table.codes, batch.throw) and _backward(batch.die.codes, batch.throw)):
        return batch
    ledger.note("rows stood out of the order of their throw numbers and were sorted by them")
    return batch.take(np.lexsort((batch.throw, batch.table.codes)))


def _backward(key: NDArray[np.int32], number: NDArray[np.int64]) -> bool:
    """Tell whether some key's numbers go backward."""
    order = np.argsort(key, kind="stable")
    keys, numbers = key[order], number[order]
    return bool(((numbers[1:] < numbers[:-1]) & (keys[1:] == keys[:-1])).any())


def told_apart(batch: Observations) -> Observations:
    """Give the only die of a throw place 0 where the source named neither die nor place."""
    if not len(batch) or batch.slot.min() >= 0 or batch.die.codes.min() >= 0:
        return batch
    nameless = (batch.die.codes < 0) & (batch.slot < 0)
    starts = batch.starts()
    sizes = np.diff(np.append(starts, len(batch)))
    alone = np.repeat(sizes == 1, sizes) & nameless
    return replace(batch, slot=np.where(alone, 0, batch.slot).astype(np.int8)) if alone.any() else batch
