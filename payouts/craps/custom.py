"""Bets that a schedule file defines itself, of one of four shapes.

=============  =========================================================================================================
shape          keys
=============  =========================================================================================================
throw          `pays`: sets of throws and their prices; every other throw loses
race           `pays`: sets of throws and their prices; `loses`: a set of throws; any other throw leaves the bet
collection     `collect`: a list of sets of throws; `ends`: a set of throws; `pays`: prices by number of sets shown
count          `count`: a set of throws, with `ends`; or "points", "wins" or "throws" of a shooter's hand, without;
               `pays`: prices by number
=============  =========================================================================================================

A set of throws is text as `dice.throw_set` reads it: "7", "1-2", "hard", "2, 12".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from payouts.craps.bets import Group, Opens, Prices
from payouts.craps.decisions import Race, ends
from payouts.craps.hand import LINE_WINS, POINTS_MADE, THROWN, Collection, Count
from payouts.craps.shapes import Shape, Throws, counted_in_hand, numbered, one_throw, payment, single
from payouts.craps.terms import Bet
from payouts.dice import throw_set
from payouts.errors import PayoutError
from payouts.machine import LOSE
from payouts.odds import Odds
from payouts.reading import Section

_OF_A_HAND = {"points": POINTS_MADE, "wins": LINE_WINS, "throws": THROWN}
_THROWS = 'a set of throws like "7", "1-2", "hard" or "2, 12"'
_MOST_COUNTED = 100


class Known(StrEnum):
    """Shapes that a file may use."""

    THROW = "throw"
    RACE = "race"
    COLLECTION = "collection"
    COUNT = "count"


class OpensTo(StrEnum):
    """When a file may say that its bet is made."""

    ANY_TIME = "any_time"
    COME_OUT = "come_out"
    POINT_ON = "point_on"
    AFTER_SEVEN = "after_seven"
    NEW_HAND = "new_hand"


class ComeOut(StrEnum):
    """Whether a bet works on a come-out."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Defined:
    """A shape read from a file: its machine, its prices, and its definition in words that do not vary."""

    shape: Shape
    pays: Mapping[str, Odds]
    definition: str


def read_bet(terms: Section, name: str) -> tuple[Bet, Mapping[str, Odds]]:
    """Read the definition of a bet; faults are noted in its section."""
    kind = terms.choice("shape", Known)
    defined = _READERS[kind](terms)
    opens = Opens(terms.choice("opens", OpensTo, OpensTo.ANY_TIME).value)
    come_out = terms.choice("come_out", ComeOut, ComeOut.ON).value
    bet = Bet(
        name,
        (terms.text("printed", default=name.replace("_", " ")),),
        Group.OTHER,
        Prices(single=False),
        single(defined.shape),
        opens=opens,
        come_out=come_out,
        definition=f"{kind.value} {defined.definition} opens {opens.value} come-out {come_out}",
    )
    return bet, defined.pays


def _throw(terms: Section) -> Defined:
    prices, pays = _priced_throws(terms)
    return Defined(lambda _table, _terms, _spot: one_throw(prices), pays, "")


def _race(terms: Section) -> Defined:
    prices, pays = _priced_throws(terms)
    loses = _throws(terms, "loses")
    if loses & frozenset[tuple[int, int]]().union(*prices):
        terms.fault("loses", "throws that no price names")
        loses = frozenset()
    won = tuple((throws, payment(odds)) for throws, odds in prices.items())
    machine = Race(ends(*won, (loses, LOSE)))
    return Defined(lambda _table, _terms, _spot: machine, pays, f"loses {_named(loses)}")


def _collection(terms: Section) -> Defined:
    items, enders = _collected(terms), _throws(terms, "ends")
    if enders & frozenset[tuple[int, int]]().union(*items):
        terms.fault("ends", "throws that are not collected")
        items = ()
    pays = _numbered_prices(terms, max(len(items), 1))
    shape: Shape = lambda _table, terms, _spot: Collection(items, enders, numbered(terms.pays))  # noqa: E731
    return Defined(shape, pays, f"collect {' + '.join(map(_named, items))} ends {_named(enders)}")


def _count(terms: Section) -> Defined:
    pays = _numbered_prices(terms, _MOST_COUNTED)
    word = terms.raw("count")
    if isinstance(word, str) and word in _OF_A_HAND:
        return Defined(counted_in_hand(_OF_A_HAND[word]), pays, f"count {word}")
    counted, enders = _throws(terms, "count"), _throws(terms, "ends")
    if counted & enders:
        terms.fault("ends", "throws that are not counted")
    shape: Shape = lambda _table, terms, _spot: Count(counted, enders, numbered(terms.pays))  # noqa: E731
    return Defined(shape, pays, f"count {_named(counted)} ends {_named(enders)}")


_READERS: Mapping[Known, Callable[[Section], Defined]] = {
    Known.THROW: _throw,
    Known.RACE: _race,
    Known.COLLECTION: _collection,
    Known.COUNT: _count,
}


def _throws(terms: Section, key: str) -> Throws:
    try:
        return throw_set(terms.text(key, bound=_THROWS))
    except PayoutError:
        if isinstance(terms.raw(key), str):
            terms.fault(key, _THROWS)
        return frozenset()


def _priced_throws(terms: Section) -> tuple[dict[Throws, Odds], dict[str, Odds]]:
    section = terms.section("pays", required=True)
    prices: dict[Throws, Odds] = {}
    pays: dict[str, Odds] = {}
    for key in section.keys:
        odds = section.odds(key)
        try:
            throws = throw_set(key)
        except PayoutError:
            section.fault(key, f"keyed by {_THROWS}", key)
            continue
        if throws & frozenset[tuple[int, int]]().union(*prices):
            section.fault(key, "keyed by throws that no other price names", key)
            continue
        prices[throws] = pays[_named(throws)] = odds
    if not section.keys and terms.has("pays"):
        terms.fault("pays", "at least one price")
    return prices, pays


def _numbered_prices(terms: Section, most: int) -> dict[str, Odds]:
    section = terms.section("pays", required=True)
    pays: dict[str, Odds] = {}
    for key in section.keys:
        odds = section.odds(key)
        if key not in map(str, range(1, most + 1)):
            section.fault(key, f"keyed by a number from 1 to {most}", key)
            continue
        pays[key] = odds
    if not section.keys and terms.has("pays"):
        terms.fault("pays", "at least one price")
    return pays or {"1": Odds(1, 1)}


def _collected(terms: Section) -> tuple[Throws, ...]:
    listed = terms.raw("collect")
    try:
        items = tuple(throw_set(each) for each in listed) if isinstance(listed, list) else ()
    except (PayoutError, AttributeError):
        items = ()
    if not items or len(items) > 12 or sum(map(len, items)) != len(frozenset[tuple[int, int]]().union(*items)):
        terms.fault("collect", f"a list of 1 to 12 sets of throws that share none, each {_THROWS}")
        return ()
    return items


def _named(throws: Throws) -> str:
    return ",".join(f"{first}-{second}" for first, second in sorted(throws))
