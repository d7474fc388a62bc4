"""Dice and boxes, registered by serial before they may be put into play."""

from dataclasses import dataclass

from house.service.desk import Command, House


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """A die; `table` is where it is in play, or None."""

    serial: str
    table: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A dice box; `table` is where it is in play, or None."""

    serial: str
    table: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What a registration added."""

    dice: tuple[str, ...]
    boxes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEquipment(Command[Registered]):
    """Register dice and boxes by serial.

    Raises
    ------
    Refused
        ALREADY_EXISTS: a serial is known.
    """

    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()


def dice(house: House, after: str = "", limit: int = 500) -> tuple[Die, ...]:
    """List dice by serial."""
    raise NotImplementedError


def boxes(house: House, after: str = "", limit: int = 500) -> tuple[Box, ...]:
    """List boxes by serial."""
    raise NotImplementedError
