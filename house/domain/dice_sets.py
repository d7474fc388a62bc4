"""Dice and a box in play at a table: what may be thrown there."""

from collections.abc import Iterable
from dataclasses import dataclass

from house.domain.ids import BoxSerial, DieSerial
from house.domain.refusals import Refusal, Refused


@dataclass(frozen=True, slots=True)
class InPlay:
    """The dice in play at a table, and the box from which they are thrown; None where they are thrown without one."""

    dice: tuple[DieSerial, ...]
    box: BoxSerial | None = None

    def __post_init__(self) -> None:
        assert len(set(self.dice)) == len(self.dice), "a die is in play once"

    def check_thrown(self, thrown: Iterable[str]) -> None:
        """Check that every die of a throw is in play here, and thrown once.

        Raises
        ------
        Refused
            NOT_IN_PLAY, naming the slot.

        Examples
        --------
        >>> InPlay((DieSerial("a"), DieSerial("b"))).check_thrown(["b", "a"])
        """
        seen: set[str] = set()
        for slot, die in enumerate(thrown):
            if die not in self.dice:
                raise _not_in_play("the die is not in play at this table", slot, die)
            if die in seen:
                raise _not_in_play("a die is thrown once in a throw", slot, die)
            seen.add(die)


def read_set(dice: tuple[str, ...], box: str | None, least: int) -> InPlay:
    """Read the set that is to be put into play.

    Parameters
    ----------
    least
        Dice that a throw of the game takes.

    Raises
    ------
    Refused
        NOT_IN_PLAY: too few dice, or a serial twice.
    """
    for index, die in enumerate(dice):
        if die in dice[:index]:
            raise _not_in_play("a die is put into play once", index, die)
    if len(dice) < least:
        message = f"this game is thrown with {least} dice"
        raise Refused(Refusal.NOT_IN_PLAY, message, field="dice", value=str(len(dice)), limit=f"at least {least}")
    return InPlay(tuple(DieSerial(die) for die in dice), None if box is None else BoxSerial(box))


def _not_in_play(message: str, index: int, die: str) -> Refused:
    return Refused(Refusal.NOT_IN_PLAY, message, field=f"dice[{index}]", value=die[:40])
