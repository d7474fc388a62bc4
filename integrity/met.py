"""The names and settings that a log has shown, numbered, and how many throws each setting had.

A *setting* is what a throw's dice share: (table, box, shooter, stake class). A *place* is its table and box.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.counts import MOST_NAMES, MOST_SETTINGS
from integrity.errors import TallyError
from integrity.observations import STATES, Names, State

NAMED: Final = ("die", "table", "box", "shooter")
SETTING: Final = ("table", "box", "shooter", "stake_class")
THROWS: Final = ("counted", *STATES[State.COCKED : State.KEPT])
MOST_BITS: Final = 20
"""Bits of a setting in mixed radix up to which its number is looked up in a table."""
_STAKE_BITS: Final = 3

Codes = NDArray[np.int64]


@dataclass(slots=True)
class Met:
    """What was met. `names` spell the codes; `settings` maps (table, box, shooter, stake class) to its number.

    `throws` int64 (settings, 5) counts throws by setting: counted, then void by reason (`THROWS`). `places` number the
    (table, box) of settings, `place_of` gives the place of each setting. `number_of` gives the number of settings that
    were met by their key, whose bits `radix` shares out.
    """

    names: dict[str, dict[str, int]] = field(default_factory=lambda: {name: {} for name in NAMED})
    settings: dict[tuple[int, int, int, int], int] = field(default_factory=dict)
    throws: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, len(THROWS)), dtype=np.int64))
    places: dict[tuple[int, int], int] = field(default_factory=dict)
    place_of: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    radix: tuple[int, ...] = ()
    number_of: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def _lookup(self, name: str, column: Names) -> NDArray[np.int64]:
        """Give the codes in this tally of a column's names and, last, of null; names not met before are added."""
        known = self.names[name]
        lookup = np.array([*(known.setdefault(each, len(known)) for each in column.names), -1], dtype=np.int64)
        if len(known) >= MOST_NAMES:
            raise TallyError(f"{name} must have fewer than {MOST_NAMES} names, got {len(known)}")
        return lookup

    def _setting_codes(self, codes: dict[str, Codes], lookups: dict[str, Codes], stakes: NDArray[np.int8]) -> Codes:
        """Number the setting of every throw (throws,) by the batch's codes, adding settings not met before."""
        radix = tuple(len(self.names[name]).bit_length() for name in SETTING[:3])
        short = sum(radix) + _STAKE_BITS <= MOST_BITS
        key, shift = stakes.astype(np.int64) + 1, _STAKE_BITS
        for name, bits in zip(reversed(SETTING[:3]), reversed(radix if short else (20, 20, 20)), strict=True):
            key += ((lookups[name] + 1) << shift)[codes[name]]
            shift += bits
        if short and radix != self.radix:
            self.radix, self.number_of = radix, np.full(1 << sum(radix) + _STAKE_BITS, -1, dtype=np.int64)
        number = self.number_of[key] if short else np.full(len(key), -1, dtype=np.int64)
        new = np.flatnonzero(number < 0)
        if len(new):
            columns = [*(lookups[name][codes[name][new]] for name in SETTING[:3]), stakes[new].astype(np.int64)]
            number[new] = self._numbered(key[new], columns)
        if short:
            self.number_of[key[new]] = number[new]
        return number

    def _numbered(self, key: NDArray[np.int64], columns: list[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Number settings (n,) by key, adding those not met before in the order of their first rows."""
        distinct, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        numbers = np.empty(len(distinct), dtype=np.int64)
        for place in np.argsort(first).tolist():
            numbers[place] = self._setting(tuple(int(column[first[place]]) for column in columns))
        return numbers[inverse]

    def _setting(self, setting: tuple[int, ...]) -> int:
        """Number one setting, and its place."""
        known = len(self.settings)
        number = self.settings.setdefault((setting[0], setting[1], setting[2], setting[3]), known)
        if number < known:
            return number
        if number >= MOST_SETTINGS:
            raise TallyError(f"combinations of table, box, shooter and stakes must be at most {MOST_SETTINGS}")
        if number >= len(self.throws):
            room = max(8, number)
            self.throws = np.concatenate((self.throws, np.zeros((room, len(THROWS)), dtype=np.int64)))
            self.place_of = np.concatenate((self.place_of, np.zeros(room, dtype=np.int64)))
        self.place_of[number] = self.places.setdefault((setting[0], setting[1]), len(self.places))
        return number

    def _count_throws(
        self, setting: NDArray[np.int64], void: NDArray[np.int64], weight: NDArray[np.int64] | None = None
    ) -> None:
        """Count throws by setting and by what voids them."""
        counts = np.bincount(setting * len(THROWS) + void, weight, minlength=self.throws.size)
        self.throws += np.rint(counts).astype(np.int64).reshape(self.throws.shape)

    def throws_by_setting(self) -> NDArray[np.int64]:
        """Give the throws counted and void by reason, shape (settings, 5), in the order of `settings`."""
        return self.throws[: len(self.settings)]

    def name_of(self, column: str, code: int) -> str:
        """Spell one code."""
        return tuple(self.names[column])[code]

    def setting_table(self) -> NDArray[np.int64]:
        """Give the settings as codes, shape (settings, 4)."""
        return np.array(list(self.settings), dtype=np.int64).reshape(-1, len(SETTING))
