"""From a schedule's prices to machines: one small builder for each shape of bet in the catalogue."""

from collections.abc import Callable, Mapping
from itertools import accumulate

from payouts.craps.bets import Leg
from payouts.craps.decisions import Line, Race, Sequence, ends
from payouts.craps.hand import Collection, Count, DistinctPoints, Hand, RepeatedPoint, tiers
from payouts.craps.puck import Event
from payouts.craps.terms import BetTerms, CrapsSchedule, CrapsTable, LegsOf
from payouts.dice import HARD, pair, throw_set, totals
from payouts.machine import LOSE, TIE, Machine, Payment, Throw, win
from payouts.odds import Odds

Shape = Callable[[CrapsTable, BetTerms, str], Machine]
Throws = frozenset[Throw]

SEVEN = totals(7)
CRAPS = totals(2, 3, 12)
REPEATS = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 6, 9: 5, 10: 4, 11: 3, 12: 2}
"""How often a repeater's total must be shown."""
SEGMENTS = {"left": totals(2, 3, 4), "centre": totals(4, 9, 10), "right": totals(10, 11, 12)}
_BARRED = {"12": totals(12), "2": totals(2), "1-2": totals(3)}


def payment(odds: Odds) -> Payment:
    """Win at these odds; a price that wins nothing is a tie."""
    return win(odds) if odds.to_one > 0 else TIE


def single(shape: Shape) -> LegsOf:
    """Legs of a bet that is one machine."""
    return lambda schedule, bet, spot: (Leg(1, shape(schedule.table, schedule.bets[bet], spot), "", bet, spot),)


def parts(throws: Mapping[str, Throws], doubled: bool = False) -> LegsOf:
    """Legs of a one-throw bet that is split evenly over its parts; one leg where the schedule gives one price.

    Parameters
    ----------
    doubled
        Whether the part that is the spot takes two units.
    """

    def legs(schedule: CrapsSchedule, bet: str, spot: str) -> tuple[Leg, ...]:
        pays = schedule.bets[bet].pays
        if "" in pays:
            return (Leg(1, one_throw({frozenset().union(*throws.values()): pays[""]}), "", bet, spot),)
        return tuple(
            Leg(2 if doubled and key == spot else 1, one_throw({shown: pays[key]}), key, bet, spot)
            for key, shown in throws.items()
        )

    return legs


def ordered(schedule: CrapsSchedule, bet: str, _spot: str) -> tuple[Leg, ...]:
    """Legs of a bet that is an order for other bets."""
    return tuple(
        Leg(units, schedule.legs(part, spot)[0].machine, f"{part} {spot}".strip(), part, spot)
        for part, spot, units in schedule.bets[bet].bet.orders
    )


def one_throw(prices: Mapping[Throws, Odds]) -> Race:
    """A bet on the next throw: these throws win at these prices, every other loses."""
    return Race(ends(*((throws, payment(odds)) for throws, odds in prices.items()), rest=LOSE))


def right(table: CrapsTable, terms: BetTerms, spot: str) -> Machine:
    """Pass and come; put where the spot is the point with which it begins."""
    won = payment(terms.price(""))
    natural, craps = totals(*{7, 11} - {*table.points}), totals(*{2, 3, 12} - {*table.points})
    return Line(ends((natural, won), (craps, LOSE)), made=won, out=LOSE, begins=int(spot or 0))


def wrong(table: CrapsTable, terms: BetTerms, _spot: str) -> Machine:
    """Don't pass and don't come."""
    won, barred = payment(terms.price("")), _BARRED[table.dont_bar]
    return Line(ends((totals(7, 11), LOSE), (barred, TIE), (CRAPS - barred, won)), made=LOSE, out=won)


def before_seven(_table: CrapsTable, terms: BetTerms, spot: str) -> Machine:
    """A total before a 7: odds, place, buy, big."""
    return Race(ends((totals(int(spot)), payment(terms.price(spot))), (SEVEN, LOSE)))


def seven_before(_table: CrapsTable, terms: BetTerms, spot: str) -> Machine:
    """A 7 before a total: laid odds, place to lose, lay."""
    return Race(ends((SEVEN, payment(terms.price(spot))), (totals(int(spot)), LOSE)))


def hardway(_table: CrapsTable, terms: BetTerms, spot: str) -> Machine:
    """A total as a pair before the same total the easy way and before a 7."""
    hard = totals(int(spot)) & HARD
    return Race(ends((hard, payment(terms.price(spot))), (SEVEN | totals(int(spot)) - hard, LOSE)))


def on_throws(throws: Throws) -> Shape:
    """The next throw is one of these, at one price."""
    return lambda _table, terms, _spot: one_throw({throws: terms.price("")})


def by_throws(throws: Mapping[str, Throws]) -> Shape:
    """The next throw is one of these, each set at its own price."""
    return lambda _table, terms, _spot: one_throw({shown: terms.price(key) for key, shown in throws.items()})


def by_spot(throws: Mapping[str, Throws]) -> Shape:
    """The next throw is one of the spot's."""
    return lambda _table, terms, spot: one_throw({throws[spot]: terms.price(spot)})


def hop(_table: CrapsTable, terms: BetTerms, spot: str) -> Machine:
    """The next throw shows these two faces."""
    first, second = (int(face) for face in spot.split("-"))
    return one_throw({pair(first, second): terms.price("hard" if first == second else "easy")})


def collection(*items: Throws) -> Shape:
    """All of these before a 7, at one price."""
    return lambda _table, terms, _spot: Collection(items, SEVEN, (LOSE,) * len(items) + (payment(terms.price("")),))


def collected(*items: Throws) -> Shape:
    """So many of these before a 7, priced by number."""
    return lambda _table, terms, _spot: Collection(items, SEVEN, numbered(terms.pays))


def repeater(_table: CrapsTable, terms: BetTerms, spot: str) -> Machine:
    """A total shown as often as `REPEATS` says before a 7."""
    total = int(spot)
    return Count(totals(total), SEVEN, (LOSE,) * REPEATS[total] + (payment(terms.price(spot)),))


def counted_in_hand(events: frozenset[Event]) -> Shape:
    """So many events in a shooter's hand, priced by number."""
    return lambda table, terms, _spot: Hand(table.points, events, numbered(terms.pays))


def fire(table: CrapsTable, terms: BetTerms, _spot: str) -> Machine:
    """So many different points made in a hand, priced by number."""
    return DistinctPoints(table.points, numbered(terms.pays))


def replay(table: CrapsTable, terms: BetTerms, _spot: str) -> Machine:
    """One point made so often in a hand: priced by times ("3"), or by point and times ("4x3")."""
    by_worth = {odds.to_one: odds for odds in terms.pays.values()}
    rank = {worth: place for place, worth in enumerate(sorted(by_worth), start=1)}
    most = max(int(key.rpartition("x")[2]) for key in terms.pays)
    ranks = tuple(
        tuple(
            accumulate(
                (
                    max(
                        rank[terms.pays[key].to_one] if key in terms.pays else 0
                        for key in (str(times), f"{point}x{times}")
                    )
                    for times in range(most + 1)
                ),
                max,
            )
        )
        for point in table.points
    )
    return RepeatedPoint(table.points, (LOSE, *(payment(by_worth[worth]) for worth in rank)), ranks)


def numbered(pays: Mapping[str, Odds]) -> tuple[Payment, ...]:
    """Payments by number from prices whose keys are numbers."""
    return tiers({int(key): payment(odds) for key, odds in pays.items()})


def point_seven(table: CrapsTable, terms: BetTerms, _spot: str) -> Machine:
    """A point on the come-out, and a 7 on the next throw."""
    not_point = totals(*set(range(2, 13)) - {*table.points})
    return Sequence((ends((not_point, LOSE)), _then(SEVEN, terms.price(""))))


def seven_point(table: CrapsTable, terms: BetTerms, _spot: str) -> Machine:
    """A 7 on the come-out, and a point on the next throw."""
    not_seven = totals(*set(range(2, 13)) - {7})
    return Sequence((ends((not_seven, LOSE)), _then(totals(*table.points), terms.price(""))))


def seven_point_seven(table: CrapsTable, terms: BetTerms, _spot: str) -> Machine:
    """A 7 on the come-out at once, or a point and then a 7 on the next throw."""
    neither = totals(*set(range(2, 13)) - {7, *table.points})
    first = ends((SEVEN, payment(terms.price("seven"))), (neither, LOSE))
    return Sequence((first, _then(SEVEN, terms.price("point_seven"))))


def four_throws_no_seven(_table: CrapsTable, terms: BetTerms, _spot: str) -> Machine:
    """No 7 in the next four throws."""
    going_on = ends((SEVEN, LOSE))
    return Sequence((going_on, going_on, going_on, ends((SEVEN, LOSE), rest=payment(terms.price("")))))


def _then(throws: Throws, odds: Odds) -> tuple[Payment | None, ...]:
    return one_throw({throws: odds}).ends


def throws_by_name(*names: str) -> dict[str, Throws]:
    """Sets of throws by the keys that prices have: totals, pairs, and "craps" for 2, 3 and 12."""
    return {name: CRAPS if name == "craps" else throw_set(name) for name in names}
