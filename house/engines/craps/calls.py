"""What the stickman says of a throw, and what the house tells a player about a wager."""

from house.engines.protocol import Movement, Result
from payouts.craps.puck import Event
from payouts.currency import DECIMALS, money_text

_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = dict(enumerate(_WORDS, 2))
_NAMES = {**_NUMBERS, 2: "aces", 3: "ace-deuce", 11: "yo-leven", 12: "boxcars"}
_CRAPS = {2: "craps two", 3: "craps three", 12: "craps twelve"}
_CALLS = {
    Event.NATURAL: ("{thrown}, front line winner",),
    Event.CRAPS: ("{craps}, line away",),
    Event.POINT_SET: ("{thrown}", "point is {total}"),
    Event.POINT_MADE: ("{thrown}", "point made, {total}, front line winner", "same shooter coming out"),
    Event.SEVEN_OUT: ("seven-out, line away", "new shooter coming out"),
    Event.NUMBER: ("{thrown}",),
}


def call_throw(event: Event, faces: tuple[int, int]) -> tuple[str, ...]:
    """Call a valid throw.

    Parameters
    ----------
    event
        What the throw was to the puck.

    Examples
    --------
    >>> call_throw(Event.POINT_SET, (3, 3))
    ('six, the hard way', 'point is six')
    >>> call_throw(Event.CRAPS, (1, 1))
    ('craps two, line away',)
    """
    total = sum(faces)
    way = ("", f", the {'hard' if faces[0] == faces[1] else 'easy'} way")[total in (4, 6, 8, 10)]
    words = {"thrown": _NAMES[total] + way, "total": _NUMBERS[total], "craps": _CRAPS.get(total, "")}
    return tuple(text.format_map(words) for text in _CALLS[event])


_SENTENCES = {
    Result.STAKED: "{what}: {staked} staked",
    Result.WON: "{what}: {winnings} won at {odds}",
    Result.LOST: "{what}: {lost} lost",
    Result.TIED: "{what}: tied",
    Result.RETURNED: "{what}: no decision",
}
_FURTHER = (
    ("returned", "{returned} returned"),
    ("commission", "{commission} commission"),
    ("commission_back", "{commission_back} commission returned"),
    ("held", "{held} held at the greatest winnings"),
)


def tell(movement: Movement, currency: str) -> str:
    """Say what happened to a wager, from its movement alone, so that words and money agree.

    Examples
    --------
    >>> from house.domain.ids import PlayerId, WagerId
    >>> tell(Movement(wager=WagerId("w"), player=PlayerId("ann"), bet="place", spot="6", result=Result.WON,
    ...     winnings=1400, odds="7 to 6"), "USD")
    'place 6: 14.00 won at 7 to 6'
    """
    names = ("staked", "returned", "lost", "winnings", "commission", "commission_back", "held")
    amounts = {name: money_text(getattr(movement, name), DECIMALS[currency]) for name in names}
    values = {**amounts, "what": f"{movement.bet} {movement.spot}".rstrip(), "odds": movement.odds}
    further = [text for name, text in _FURTHER if getattr(movement, name)]
    if movement.result is Result.WON and movement.lost:
        further.insert(0, "{lost} lost")
    return ", ".join(text.format_map(values) for text in (_SENTENCES[movement.result], *further))
