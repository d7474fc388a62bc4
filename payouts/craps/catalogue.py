"""The catalogue: every bet of craps, once."""

from payouts.craps import shapes
from payouts.craps.bets import Group, Opens, Prices
from payouts.craps.hand import LINE_WINS, POINTS_MADE, THROWN
from payouts.craps.shapes import by_spot, by_throws, on_throws, parts, single, throws_by_name
from payouts.craps.terms import Bet, CrapsSchedule, SpotsOf
from payouts.dice import EASY, FACES, HARD, pair, throw_set, totals

COME_OUT_WORDS = {
    "place": False,
    "buy": False,
    "lay": True,
    "place_to_lose": True,
    "hardway": False,
    "come_odds": False,
}
"""Words of the option `come_out`, and whether bets under them work on a come-out where a table does not say."""

PAIRS = tuple(f"{low}-{high}" for low in FACES for high in FACES if low <= high)
"""Spots of the hop: the 21 pairs of faces."""


def _at_points(points: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, points))


def _how_many_points(points: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, range(1, len(points) + 1)))


def _replay_keys(points: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"{prefix}{times}" for prefix in ("", *(f"{point}x" for point in points)) for times in range(1, 10))


def _points(schedule: CrapsSchedule, _bet: str) -> tuple[str, ...]:
    return _at_points(schedule.table.points)


def _priced(schedule: CrapsSchedule, bet: str) -> tuple[str, ...]:
    return tuple(schedule.bets[bet].pays)


def _hops(schedule: CrapsSchedule, bet: str) -> tuple[str, ...]:
    return tuple(each for each in PAIRS if ("hard" if each[0] == each[2] else "easy") in schedule.bets[bet].pays)


def _fixed(*spots: str) -> SpotsOf:
    return lambda _schedule, _bet: spots


def _some(*keys: str) -> Prices:
    return Prices(single=False, keys=lambda _points: keys)


def _every(*keys: str, single: bool = False) -> Prices:
    return Prices(single=single, keys=lambda _points: keys, every=True)


def _numbers(low: int, high: int) -> Prices:
    return _some(*map(str, range(low, high + 1)))


ONE = Prices(single=True)
ORDER = Prices(single=False)
EVERY_POINT = Prices(single=False, keys=_at_points, every=True)
SOME_POINTS = Prices(single=False, keys=_at_points)

_FIELD = throws_by_name("2", "3", "4", "9", "10", "11", "12")
_LOW, _HIGH = throws_by_name("2", "3", "4", "5", "6"), throws_by_name("8", "9", "10", "11", "12")
_MIDWAY = {str(total): totals(total) & EASY for total in (6, 7, 8)} | {"hard": totals(6, 8) & HARD}
_HORN = throws_by_name("2", "3", "11", "12")
_WHIRL = throws_by_name("2", "3", "7", "11", "12")
_THREE_WAY, _HI_LO = throws_by_name("2", "3", "12"), throws_by_name("2", "12")
_C_AND_E, _SEVENS = throws_by_name("craps", "11"), throws_by_name("1-6", "2-5", "3-4")
_SMALL = tuple(totals(total) for total in range(2, 7))
_TALL = tuple(totals(total) for total in range(8, 13))
_DOUBLES = tuple(pair(face, face) for face in FACES)
_FLATS = ("pass", "come", "put")

_LINE = (
    Bet(
        "pass", ("pass line", "front line"), Group.LINE, ONE, single(shapes.right), opens=Opens.COME_OUT, contract=True
    ),
    Bet("dont_pass", ("don't pass", "back line"), Group.LINE, ONE, single(shapes.wrong), opens=Opens.COME_OUT),
    Bet("come", ("come",), Group.LINE, ONE, single(shapes.right), opens=Opens.POINT_ON, contract=True),
    Bet("dont_come", ("don't come",), Group.LINE, ONE, single(shapes.wrong), opens=Opens.POINT_ON),
    Bet("put", ("put",), Group.LINE, ONE, single(shapes.right), _points, opens=Opens.POINT_ON, contract=True),
    Bet(
        "odds",
        ("odds", "free odds", "taking the odds"),
        Group.ODDS,
        EVERY_POINT,
        single(shapes.before_seven),
        _points,
        opens=Opens.BEHIND,
        come_out="come_odds",
        parents=_FLATS,
    ),
    Bet(
        "lay_odds",
        ("laid odds", "laying the odds"),
        Group.ODDS,
        EVERY_POINT,
        single(shapes.seven_before),
        _points,
        opens=Opens.BEHIND,
        parents=("dont_pass", "dont_come"),
    ),
)

_NUMBERS = (
    Bet(
        "place",
        ("place", "place to win"),
        Group.PLACE,
        SOME_POINTS,
        single(shapes.before_seven),
        _priced,
        come_out="place",
    ),
    Bet(
        "place_to_lose",
        ("place to lose",),
        Group.PLACE,
        SOME_POINTS,
        single(shapes.seven_before),
        _priced,
        come_out="place_to_lose",
    ),
    Bet("buy", ("buy",), Group.BUY_LAY, SOME_POINTS, single(shapes.before_seven), _priced, come_out="buy"),
    Bet("lay", ("lay",), Group.BUY_LAY, SOME_POINTS, single(shapes.seven_before), _priced, come_out="lay"),
    Bet(
        "big",
        ("big six", "big eight"),
        Group.BIG,
        _every("6", "8", single=True),
        single(shapes.before_seven),
        _fixed("6", "8"),
    ),
    Bet(
        "hardway",
        ("hardway", "hard way"),
        Group.HARDWAY,
        _some("4", "6", "8", "10"),
        single(shapes.hardway),
        _priced,
        come_out="hardway",
    ),
)

_ONE_THROW = (
    Bet("field", ("field",), Group.ONE_THROW, _every(*_FIELD), single(by_throws(_FIELD))),
    Bet("any_seven", ("any seven", "big red"), Group.ONE_THROW, ONE, single(on_throws(totals(7)))),
    Bet("any_craps", ("any craps",), Group.ONE_THROW, ONE, single(on_throws(shapes.CRAPS))),
    Bet("aces", ("aces", "snake eyes"), Group.ONE_THROW, ONE, single(on_throws(totals(2)))),
    Bet("ace_deuce", ("ace-deuce",), Group.ONE_THROW, ONE, single(on_throws(totals(3)))),
    Bet("yo", ("yo", "yo-leven", "eleven"), Group.ONE_THROW, ONE, single(on_throws(totals(11)))),
    Bet("boxcars", ("boxcars", "midnight"), Group.ONE_THROW, ONE, single(on_throws(totals(12)))),
    Bet("hi_lo", ("hi-lo",), Group.ONE_THROW, _every(*_HI_LO, single=True), parts(_HI_LO)),
    Bet("c_and_e", ("C & E", "craps-eleven"), Group.ONE_THROW, _every(*_C_AND_E), parts(_C_AND_E)),
    Bet("horn", ("horn",), Group.ONE_THROW, _every(*_HORN), parts(_HORN)),
    Bet("horn_high", ("horn high",), Group.ONE_THROW, _every(*_HORN), parts(_HORN, doubled=True), _fixed(*_HORN)),
    Bet("whirl", ("whirl", "world"), Group.ONE_THROW, _every(*_WHIRL), parts(_WHIRL)),
    Bet("three_way", ("three-way craps",), Group.ONE_THROW, _every(*_THREE_WAY), parts(_THREE_WAY)),
    Bet("hop", ("hop", "hopping"), Group.ONE_THROW, _some("easy", "hard"), single(shapes.hop), _hops),
    Bet("hop_sevens", ("hop the sevens",), Group.ONE_THROW, _every(*_SEVENS, single=True), parts(_SEVENS)),
)

_COMPOSITE = tuple(
    Bet(name, (name,), Group.COMPOSITE, ORDER, shapes.ordered, orders=orders)
    for name, orders in {
        "buffalo": (*(("hardway", spot, 1) for spot in ("4", "6", "8", "10")), ("any_seven", "", 1)),
        "inside": tuple(("place", spot, 6 if spot in "68" else 5) for spot in ("5", "6", "8", "9")),
        "outside": tuple(("place", spot, 1) for spot in ("4", "5", "9", "10")),
        "across": tuple(("place", spot, 6 if spot in "68" else 5) for spot in ("4", "5", "6", "8", "9", "10")),
    }.items()
)

_HAND = (
    Bet("small", ("small",), Group.HAND, ONE, single(shapes.collection(*_SMALL)), opens=Opens.AFTER_SEVEN),
    Bet("tall", ("tall",), Group.HAND, ONE, single(shapes.collection(*_TALL)), opens=Opens.AFTER_SEVEN),
    Bet(
        "all",
        ("all", "make 'em all"),
        Group.HAND,
        ONE,
        single(shapes.collection(*_SMALL, *_TALL)),
        opens=Opens.AFTER_SEVEN,
    ),
    Bet(
        "fire",
        ("fire",),
        Group.HAND,
        Prices(single=False, keys=_how_many_points),
        single(shapes.fire),
        opens=Opens.NEW_HAND,
    ),
    Bet(
        "repeater",
        ("repeater",),
        Group.HAND,
        _some(*map(str, shapes.REPEATS)),
        single(shapes.repeater),
        _priced,
        opens=Opens.AFTER_SEVEN,
    ),
    Bet(
        "ride_the_line",
        ("ride the line",),
        Group.HAND,
        _numbers(0, 40),
        single(shapes.counted_in_hand(LINE_WINS)),
        opens=Opens.NEW_HAND,
    ),
    Bet(
        "hot_shooter",
        ("hot shooter",),
        Group.HAND,
        _numbers(1, 200),
        single(shapes.counted_in_hand(THROWN)),
        opens=Opens.NEW_HAND,
    ),
    Bet(
        "sharp_shooter",
        ("sharp shooter",),
        Group.HAND,
        _numbers(0, 40),
        single(shapes.counted_in_hand(POINTS_MADE)),
        opens=Opens.NEW_HAND,
    ),
    Bet(
        "different_doubles",
        ("different doubles",),
        Group.HAND,
        _numbers(1, 6),
        single(shapes.collected(*_DOUBLES)),
        opens=Opens.AFTER_SEVEN,
    ),
    Bet(
        "replay",
        ("replay",),
        Group.HAND,
        Prices(single=False, keys=_replay_keys),
        single(shapes.replay),
        opens=Opens.NEW_HAND,
    ),
    Bet("point_seven", ("point-7",), Group.HAND, ONE, single(shapes.point_seven), opens=Opens.COME_OUT),
    Bet("seven_point", ("7-point",), Group.HAND, ONE, single(shapes.seven_point), opens=Opens.COME_OUT),
    Bet(
        "seven_point_seven",
        ("7-point-7", "Muggsy's corner"),
        Group.HAND,
        _every("seven", "point_seven"),
        single(shapes.seven_point_seven),
        opens=Opens.COME_OUT,
    ),
    Bet("four_throws_no_seven", ("four throws no seven",), Group.HAND, ONE, single(shapes.four_throws_no_seven)),
)

_OTHER = (
    Bet(
        "segmented_field",
        ("segmented field",),
        Group.OTHER,
        _some(*shapes.SEGMENTS),
        single(by_spot(shapes.SEGMENTS)),
        _priced,
    ),
    Bet("midway", ("midway",), Group.OTHER, _every(*_MIDWAY), single(by_throws(_MIDWAY))),
    Bet("low_dice", ("low dice",), Group.OTHER, _every(*_LOW), single(by_throws(_LOW))),
    Bet("high_dice", ("high dice",), Group.OTHER, _every(*_HIGH), single(by_throws(_HIGH))),
    Bet("over_seven", ("over seven",), Group.OTHER, ONE, single(on_throws(throw_set("8, 9, 10, 11, 12")))),
    Bet("under_seven", ("under seven",), Group.OTHER, ONE, single(on_throws(throw_set("2, 3, 4, 5, 6")))),
)

CATALOGUE = {bet.id: bet for bet in (*_LINE, *_NUMBERS, *_ONE_THROW, *_COMPOSITE, *_HAND, *_OTHER)}
"""Every bet by id."""
