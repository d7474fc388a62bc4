"""A throw as the table reads it: what each die showed and whether it counts."""

from dataclasses import dataclass
from enum import StrEnum

from house.domain.refusals import Refusal, Refused


class DieState(StrEnum):
    """How a die came to rest."""

    OK = "ok"
    COCKED = "cocked"  # leaning on chips, on the rail or on another die
    OFF = "off"  # left the table
    FOUL = "foul"  # thrown against the rules: short of the wall, slid, dropped
    VOID = "void"  # called no throw by the house for another reason


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw: a face and a state for each die, in the order of the dice's slots.

    Parameters
    ----------
    faces
        1 to 6 for a die that was read; None only for a die that is not ok and showed nothing.
    states
        As many as faces. One die that is not ok voids the whole throw.
    """

    faces: tuple[int | None, ...]
    states: tuple[DieState, ...]

    @property
    def counts(self) -> bool:
        """Whether the throw is valid; a void throw moves nothing and is thrown again."""
        return all(state is DieState.OK for state in self.states)

    @property
    def shown(self) -> tuple[int, ...]:
        """Faces of a throw that counts."""
        assert self.counts, "a void throw shows nothing"
        return tuple(face for face in self.faces if face is not None)


def read_throw(faces: tuple[int | None, ...], states: tuple[str, ...] | None, dice: int) -> Throw:
    """Read what a dealer or a camera reports about a throw of `dice` dice.

    Parameters
    ----------
    states
        One of "ok", "cocked", "off", "foul", "void" for each die; None: all ok.

    Raises
    ------
    Refused
        BAD_THROW, naming the field, when a count, a face or a state is wrong.

    Examples
    --------
    >>> read_throw((3, 4), None, dice=2).shown
    (3, 4)
    >>> read_throw((3, None), ("ok", "off"), dice=2).counts
    False
    """
    if len(faces) != dice:
        raise _bad("a throw reads every die of it once", "faces", str(len(faces)), str(dice))
    if states is not None and len(states) != dice:
        raise _bad("a throw gives a state for every die", "states", str(len(states)), str(dice))
    read: list[DieState] = []
    for slot, (face, state) in enumerate(zip(faces, states or ("ok",) * dice, strict=True)):
        if state not in _STATES:
            raise _bad("a die's state is one of the known words", f"states[{slot}]", state[:40], ", ".join(DieState))
        read.append(DieState(state))
        if (face is None and state == DieState.OK) or (face is not None and not _is_face(face)):
            raise _bad("a die that counts shows 1 to 6", f"faces[{slot}]", str(face)[:40], "1 to 6")
    return Throw(tuple(faces), tuple(read))


_STATES = frozenset(state.value for state in DieState)


def _is_face(face: object) -> bool:
    return type(face) is int and 1 <= face <= 6


def _bad(message: str, field: str, value: str, limit: str) -> Refused:
    return Refused(Refusal.BAD_THROW, message, field=field, value=value, limit=limit)
