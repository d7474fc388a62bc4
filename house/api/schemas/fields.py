"""Fields that many models share: bounded, strict, described once."""

import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

GREATEST = 2**53 - 1
"""Largest integer on the wire: every JSON reader holds it exactly."""

ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
WAGER = r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$"
WORD = r"^[a-z][a-z0-9_]{0,63}$"
DAY = r"^\d{4}-\d{2}-\d{2}$"


class Asked(BaseModel):
    """The body of a request: unknown fields are refused, nothing is coerced."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Answered(BaseModel):
    """The body of an answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def normal_name(name: str) -> str:
    """Bring a name to NFKC, once.

    Raises
    ------
    ValueError
        When it holds characters that cannot be seen, or is longer than 200 bytes of UTF-8.

    Examples
    --------
    >>> normal_name("ᴮᴵᴳ ᴮᴵᴿᴰ")
    'BIG BIRD'
    """
    normal = unicodedata.normalize("NFKC", name)
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs") for character in normal):
        raise ValueError("must hold only characters that can be seen")
    if len(normal.encode()) > 200:
        raise ValueError("must be at most 200 bytes of UTF-8 after NFKC")
    return normal


def _text(pattern: str, description: str, example: str) -> Any:
    return Field(pattern=pattern, min_length=1, max_length=64, description=description, examples=[example])


def _whole(low: int, high: int, description: str, example: int) -> Any:
    return Field(strict=True, ge=low, le=high, description=description, examples=[example])


PlayerId = Annotated[str, _text(ID, "Opaque id of a player", "ann")]
TableId = Annotated[str, _text(ID, "Id of a table or counter", "craps-1")]
WagerId = Annotated[str, _text(WAGER, "Id of a wager, as the house gave it", "craps-1-17")]
DieSerial = Annotated[str, _text(ID, "Serial of a die", "R-0017")]
BoxSerial = Annotated[str, _text(ID, "Serial of a dice box", "B-03")]
ScheduleName = Annotated[str, _text(ID, "Name of a published schedule", "strip-345x")]
BetId = Annotated[str, _text(WORD, "Id of a bet, as its schedule names it", "place")]
Spot = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{0,16}$",
        max_length=16,
        description='Where on the layout: a number, a hop ("2-3"), or "" for a bet with one place',
        examples=["6"],
    ),
]
Lookalikes = Annotated[
    list[str], Field(description="Ids of others whose name looks the same: be sure who it is", examples=[[]])
]
PersonName = Annotated[
    str,
    Field(min_length=1, max_length=80, description="Name of a person, kept apart from play", examples=["Ann Archer"]),
    AfterValidator(normal_name),
]

Amount = Annotated[int, _whole(1, GREATEST, "An amount in minor units (cents)", 2500)]
Balance = Annotated[int, _whole(-GREATEST, GREATEST, "An amount in minor units (cents), signed", 97500)]
Total = Annotated[
    int,
    Field(strict=True, description="Amounts in minor units added up; may pass the bound of one", examples=[97500]),
]
"""Of answers alone: what each account holds has a bound, what went through it over days has none."""
Count = Annotated[int, _whole(0, GREATEST, "How many", 17)]
Version = Annotated[int, _whole(1, GREATEST, "Version of a schedule, from 1", 1)]
Face = Annotated[int, _whole(1, 6, "Face that a die shows", 5)]
Fingerprint = Annotated[str, Field(description="SHA-256 of the canonical form, in hex", examples=["9f86d081884c7d65"])]
EngineState = Annotated[
    dict[str, Any],
    Field(description="State of the game's engine", examples=[{"point": 6, "rail": ["ann"], "hand": 3}]),
]
Calls = Annotated[list[str], Field(description="What the stickman says", examples=[["seven-out"]])]
RoundId = Annotated[
    str, Field(description="Round: a throw with its betting window, or a player's game", examples=["craps-1-104"])
]
