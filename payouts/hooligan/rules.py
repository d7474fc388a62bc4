"""Hooligan as Scarne describes it: positions, legal choices, throws and scores.

A game is a position that changes by two kinds of event, a choice of the player (`choose`) and a throw of the dice
(`throw`). Both are pure functions. Dice keep their places: `Position.dice` are the faces that lie, by slot, and
`Position.aside` are the slots put aside; the next throw is of the other slots, in their order.

Source: John Scarne, "Scarne on Dice"; where the text is open, `HooliganRules` names the reading.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from itertools import combinations

from payouts.errors import MoveError, PayoutError

HOOLIGAN_POINTS = 20
NO_POINT = 0


class Natural(StrEnum):
    """What a straight on the first throw of a frame is while Hooligan is open."""

    AUTOMATIC = "automatic"  # credited, and the frame is the Hooligan frame
    OPTIONAL = "optional"  # the player may take it or play the throw as usual
    BONUS = "bonus"  # credited, and the frame goes on with the same throw


class HooliganKeep(StrEnum):
    """Which dice may be kept between the throws of a last frame with only Hooligan open."""

    ANY = "any"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class HooliganRules:
    """A reading of the rules.

    Parameters
    ----------
    throws_per_frame
        1 to 5.
    point_must_show
        Whether a number named must show, if any open number does.
    may_stop_early
        Whether the player may end a frame after any throw once the point is named.
    dice, faces
        2 to 5 and 2 to 6. The game has five dice of six faces; smaller ones exist for checks of the mathematics.

    Raises
    ------
    PayoutError
        When a number is out of its range.
    """

    throws_per_frame: int = 3
    natural: Natural = Natural.AUTOMATIC
    point_must_show: bool = False
    hooligan_keep: HooliganKeep = HooliganKeep.ANY
    may_stop_early: bool = False
    dice: int = 5
    faces: int = 6

    def __post_init__(self) -> None:
        for name, low, high in (("throws_per_frame", 1, 5), ("dice", 2, 5), ("faces", 2, 6)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise PayoutError(f"{name} must be from {low} to {high}, got {value}")

    @property
    def perfect_score(self) -> int:
        """Greatest score of a game: every throw all points, and Hooligan.

        >>> HooliganRules().perfect_score
        335
        """
        return self.dice * self.throws_per_frame * sum(range(1, self.faces + 1)) + HOOLIGAN_POINTS

    @classmethod
    def from_json(cls, values: Mapping[str, str | int | bool]) -> "HooliganRules":
        """Read what `to_json` wrote.

        >>> HooliganRules.from_json(HooliganRules(natural=Natural.BONUS).to_json()).natural
        <Natural.BONUS: 'bonus'>
        """
        words = {
            "natural": Natural(str(values["natural"])),
            "hooligan_keep": HooliganKeep(str(values["hooligan_keep"])),
        }
        return cls(**{**values, **words})  # type: ignore[arg-type]

    def to_json(self) -> dict[str, str | int | bool]:
        """Every reading by its name in the schedule file."""
        return {key: value.value if isinstance(value, StrEnum) else value for key, value in asdict(self).items()}


class ChoiceKind(StrEnum):
    """What a player may say between throws; the value is the word on the wire."""

    NAME = "name"  # an open number becomes the point
    TAKE_UP = "take_up"  # all dice are thrown again, nothing counts
    TAKE = "take"  # a natural Hooligan is taken
    DECLINE = "decline"  # a natural in the last frame is refused: the frame ends with 0
    KEEP = "keep"  # of the last frame: the slots kept; keeping all ends the frame
    STOP = "stop"  # the frame ends with what the point has made


@dataclass(frozen=True, slots=True, order=True)
class Choice:
    """A choice; as text "name 6", "take_up", "take", "decline", "keep 0 2 3", "keep", "stop"."""

    kind: ChoiceKind
    point: int = NO_POINT
    slots: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Choice":
        """Read a choice from its text.

        Raises
        ------
        MoveError
            With code "choice_unknown".

        Examples
        --------
        >>> Choice.parse("keep 0 2 3").slots
        (0, 2, 3)
        """
        word, *rest = text.split(" ") if text.isascii() else [text]
        numbers = tuple(int(part) for part in rest if len(part) == 1 and part.isdigit())
        if word in set(ChoiceKind) and len(numbers) == len(rest):
            kind = ChoiceKind(word)
            if kind is ChoiceKind.KEEP:
                return cls(kind, slots=tuple(sorted(numbers)))
            if len(numbers) == (kind is ChoiceKind.NAME):
                return cls(kind, point=numbers[0]) if numbers else cls(kind)
        raise MoveError("choice_unknown", f'choice must be like "name 6", "take_up" or "keep 0 2 3", got {text[:40]!r}')

    def __str__(self) -> str:
        numbers = self.slots if self.kind is ChoiceKind.KEEP else (self.point,) if self.point else ()
        return " ".join([str(self.kind), *map(str, numbers)])


TAKE_UP = Choice(ChoiceKind.TAKE_UP)
TAKE = Choice(ChoiceKind.TAKE)
DECLINE = Choice(ChoiceKind.DECLINE)
STOP = Choice(ChoiceKind.STOP)


def name(point: int) -> Choice:
    """Name a number as the point."""
    return Choice(ChoiceKind.NAME, point)


def keep(*slots: int) -> Choice:
    """Keep the dice of these slots in the last frame."""
    return Choice(ChoiceKind.KEEP, slots=tuple(sorted(slots)))


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two events.

    Parameters
    ----------
    sheet
        Points of each box, or None where it is open: Hooligan first, then the numbers from 1.
    throws_made
        Throws of the frame so far.
    dice
        Faces that lie, by slot; empty when no die lies.
    aside
        Slots put aside, which the next throw leaves alone.
    point
        The number named, or 0.
    count
        Dice that have shown the point since it was named.
    pending
        Whether the player must choose before anything else happens.
    """

    sheet: tuple[int | None, ...]
    throws_made: int = 0
    dice: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    point: int = NO_POINT
    count: int = 0
    pending: bool = False

    @property
    def open_numbers(self) -> tuple[int, ...]:
        """Numbers not yet played, the point of the running frame among them."""
        return tuple(number for number, points in enumerate(self.sheet) if number and points is None)

    @property
    def hooligan_open(self) -> bool:
        """Whether Hooligan is not yet played."""
        return self.sheet[0] is None

    @property
    def score(self) -> int:
        """Points of the frames that are over, and of a natural that is a bonus."""
        return sum(points for points in self.sheet if points is not None)

    @property
    def is_over(self) -> bool:
        """Whether every box has been played."""
        return None not in self.sheet


def start(rules: HooliganRules) -> Position:
    """Position of a game before its first throw."""
    return Position((None,) * (rules.faces + 1))


def is_straight(rules: HooliganRules, dice: tuple[int, ...]) -> bool:
    """Tell whether the dice show a straight.

    >>> is_straight(HooliganRules(), (3, 2, 6, 4, 5)), is_straight(HooliganRules(), (1, 2, 3, 4, 6))
    (True, False)
    """
    return len(set(dice)) == rules.dice and max(dice) - min(dice) == rules.dice - 1


def dice_to_throw(rules: HooliganRules, position: Position) -> tuple[int, ...]:
    """Slots that the next throw throws; none while a choice must come first, or when the game is over."""
    if position.is_over or position.pending:
        return ()
    return tuple(slot for slot in range(rules.dice) if slot not in position.aside)


def legal_choices(rules: HooliganRules, position: Position) -> tuple[Choice, ...]:
    """All choices that are open now; while one is pending it must come before the next throw."""
    if not position.pending:
        may_stop = rules.may_stop_early and position.point != NO_POINT
        return (STOP,) if may_stop else ()
    natural = position.throws_made == 1 and position.hooligan_open and is_straight(rules, position.dice)
    takes = (TAKE,) if natural and rules.natural is Natural.OPTIONAL else ()
    if not position.open_numbers:
        return (TAKE, DECLINE) if takes else _all_keeps(rules)
    again = (TAKE_UP,) if position.throws_made < rules.throws_per_frame else ()
    return takes + tuple(name(number) for number in _nameable(rules, position)) + again


def _nameable(rules: HooliganRules, position: Position) -> tuple[int, ...]:
    showing = tuple(number for number in position.open_numbers if number in position.dice)
    return showing if rules.point_must_show and showing else position.open_numbers


def _all_keeps(rules: HooliganRules) -> tuple[Choice, ...]:
    return tuple(keep(*slots) for size in range(rules.dice + 1) for slots in combinations(range(rules.dice), size))


def choose(rules: HooliganRules, position: Position, choice: Choice) -> Position:
    """Apply a choice of the player.

    Raises
    ------
    MoveError
        With code "choice_not_open" when the choice is not open; the message names it and what is.

    Examples
    --------
    >>> deuces = throw(HooliganRules(), start(HooliganRules()), (2, 2, 2, 3, 3))
    >>> choose(HooliganRules(), deuces, name(2)).aside
    (0, 1, 2)
    """
    legal = legal_choices(rules, position)
    if choice not in legal:
        open_now = ", ".join(f'"{each}"' for each in legal) or "none now"
        message = f'choice must be one of the open choices ({open_now}), got "{str(choice)[:40]}"'
        raise MoveError("choice_not_open", message)
    match choice.kind:
        case ChoiceKind.NAME:
            return _put_aside(rules, replace(position, point=choice.point, pending=False), range(rules.dice))
        case ChoiceKind.TAKE_UP:
            return replace(position, dice=(), pending=False)
        case ChoiceKind.STOP:
            return _close(position, position.point, position.point * position.count)
        case ChoiceKind.TAKE:
            return _close(position, 0, HOOLIGAN_POINTS)
        case ChoiceKind.DECLINE:
            return _close(position, 0, 0)
        case ChoiceKind.KEEP if len(choice.slots) == rules.dice:
            return _close(position, 0, HOOLIGAN_POINTS * is_straight(rules, position.dice))
        case ChoiceKind.KEEP:
            return replace(position, aside=choice.slots, pending=False)


def throw(rules: HooliganRules, position: Position, faces: tuple[int, ...]) -> Position:
    """Apply a throw.

    Parameters
    ----------
    faces
        1 to `rules.faces` for each slot of `dice_to_throw`, in its order.

    Raises
    ------
    MoveError
        With code "game_over", "choice_pending" or "bad_faces".
    """
    slots = dice_to_throw(rules, position)
    if position.is_over:
        raise MoveError("game_over", "throw must be of a game that is running, got one that is over")
    if position.pending:
        raise MoveError("choice_pending", "throw must follow the choice that is open, got no choice")
    if len(faces) != len(slots) or not all(1 <= face <= rules.faces for face in faces):
        raise MoveError("bad_faces", f"faces must be {len(slots)} from 1 to {rules.faces}, got {list(faces)[:10]}")
    thrown = dict(zip(slots, faces, strict=True))
    lying = tuple(thrown[slot] if slot in thrown else position.dice[slot] for slot in range(rules.dice))
    after = replace(position, dice=lying, throws_made=position.throws_made + 1)
    if after.point:
        return _put_aside(rules, after, slots)
    if not after.open_numbers:
        return _last_frame_thrown(rules, after)
    if after.throws_made == 1 and after.hooligan_open and is_straight(rules, lying):
        return _natural_thrown(rules, after)
    return replace(after, pending=True)


def _put_aside(rules: HooliganRules, position: Position, slots: Iterable[int]) -> Position:
    """Put aside the dice among `slots` that show the point; take all five up again when all lie aside."""
    hits = tuple(slot for slot in slots if position.dice[slot] == position.point)
    aside = tuple(sorted(position.aside + hits))
    count = position.count + len(hits)
    if position.throws_made == rules.throws_per_frame:
        return _close(position, position.point, position.point * count)
    return replace(position, aside=aside if len(aside) < rules.dice else (), count=count)


def _natural_thrown(rules: HooliganRules, position: Position) -> Position:
    match rules.natural:
        case Natural.AUTOMATIC:
            return _close(position, 0, HOOLIGAN_POINTS)
        case Natural.OPTIONAL:
            return replace(position, pending=True)
        case Natural.BONUS:
            return replace(position, sheet=(HOOLIGAN_POINTS, *position.sheet[1:]), pending=True)


def _last_frame_thrown(rules: HooliganRules, position: Position) -> Position:
    """Go on with a last frame for Hooligan: a natural is credited, except where it may be declined."""
    straight = is_straight(rules, position.dice)
    first, last = position.throws_made == 1, position.throws_made == rules.throws_per_frame
    free = rules.hooligan_keep is HooliganKeep.ANY
    declinable = straight and first and free and rules.natural is Natural.OPTIONAL
    credited = straight and not declinable and (first or last or not free)
    if credited or (last and not declinable):
        return _close(position, 0, HOOLIGAN_POINTS * credited)
    return replace(position, aside=(), pending=True) if free else replace(position, aside=())


def _close(position: Position, box: int, points: int) -> Position:
    """End the frame with `points` in a box of the sheet."""
    return Position((*position.sheet[:box], points, *position.sheet[box + 1 :]))
