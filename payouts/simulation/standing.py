"""Standing orders under a schedule: which bets a player keeps up, for how much, made and working as the house does."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from payouts.craps.bets import Group, Leg, Opens
from payouts.craps.settling import check_stake, default_stake, leg_stakes, settle, stake_unit, up_front_commission
from payouts.craps.terms import Bet, CrapsSchedule
from payouts.currency import money_minor
from payouts.dice import FAIR, Dice
from payouts.errors import PayoutError
from payouts.machine import Payment
from payouts.simulation.automaton import Part, Situation, Wager, always, compile_wagers
from payouts.simulation.play import Engine, Play, simulate


@dataclass(frozen=True, slots=True)
class Order:
    """A bet to be kept up at a spot; `stake_minor` is in minor units.

    Without a stake it is the bet's default stake, and for odds the most that the table takes.
    """

    bet: str
    spot: str = ""
    stake_minor: int | None = None


def read_order(schedule: CrapsSchedule, text: str) -> Order:
    """Read "pass", "place:6", "place:6=18.00"; odds without a spot are behind every point ("odds", "odds=50.00").

    Raises
    ------
    PayoutError
        A bet or spot that the schedule does not offer, or no amount of its currency.
    """
    name, _, money = text.partition("=")
    bet, _, spot = name.partition(":")
    if bet not in schedule.bets:
        raise PayoutError(f"bet must be one of {', '.join(schedule.bets)}, got {bet!r}")
    spots = schedule.spots(bet)
    if spot not in spots and not (spot == "" and schedule.bets[bet].bet.opens is Opens.BEHIND):
        raise PayoutError(f"spot of {bet} must be one of {', '.join(spots)}, got {spot!r}")
    if not money:
        return Order(bet, spot)
    stake = money_minor(money, schedule.header.decimals)
    if not stake:
        raise PayoutError(f"stake must be an amount of {schedule.header.currency}, got {money!r}")
    return Order(bet, spot, stake)


def standing_wagers(schedule: CrapsSchedule, orders: Iterable[Order]) -> tuple[Wager, ...]:
    """Turn orders into wagers that `compile_wagers` takes, with the points of the schedule's table.

    Odds stand behind the first order before them that they may stand behind. A bet that the dealer books as several
    becomes several wagers.

    Raises
    ------
    PayoutError
        Odds with nothing to stand behind, or a stake that the schedule does not take.
    """
    wagers: list[Wager] = []
    flats: list[tuple[Order, int, int]] = []
    for order in orders:
        bet = schedule.bets[order.bet].bet
        if bet.opens is Opens.BEHIND:
            wagers.extend(_behind(schedule, order, flats))
            continue
        stake = order.stake_minor or default_stake(schedule, order.bet, order.spot)
        flats.append((order, len(wagers), stake))
        legs = schedule.legs(order.bet, order.spot)
        if bet.group is Group.COMPOSITE:
            for leg, part in zip(legs, leg_stakes(legs, stake), strict=True):
                wagers.append(_wager(schedule, Order(leg.bet, leg.spot, part), part))
        else:
            wagers.append(_wager(schedule, order, stake))
    return tuple(wagers)


def play_orders(
    schedule: CrapsSchedule,
    orders: Iterable[str],
    sessions: int,
    throws: int,
    rng: np.random.Generator,
    *,
    dice: Dice = FAIR,
    engine: Engine | None = None,
    progress: Callable[[int], None] | None = None,
) -> Play:
    """Play sessions of orders in text (`read_order`) at a schedule's table; parameters as of `simulate`."""
    wagers = standing_wagers(schedule, [read_order(schedule, order) for order in orders])
    automaton = compile_wagers(wagers, schedule.table.points)
    return simulate(automaton, sessions, throws, rng, dice=dice, engine=engine, progress=progress)


def lone_wager(schedule: CrapsSchedule, bet: str, spot: str = "", stake_minor: int | None = None) -> Wager:
    """Take one bet by itself, made again at once and always working, as the exact chain has it."""
    stake = stake_minor or default_stake(schedule, bet, spot)
    return Wager(_label(bet, spot), _parts(schedule, bet, spot, stake), _at_risk(schedule, bet, spot, stake))


def _wager(schedule: CrapsSchedule, order: Order, stake: int) -> Wager:
    _check(schedule, order, stake)
    return Wager(
        _label(order.bet, order.spot),
        _parts(schedule, order.bet, order.spot, stake),
        _at_risk(schedule, order.bet, order.spot, stake),
        _moment(schedule.bets[order.bet].bet, order.spot),
        always if schedule.works_on_come_out(order.bet) else _point_on,
    )


def _behind(schedule: CrapsSchedule, order: Order, flats: list[tuple[Order, int, int]]) -> Iterable[Wager]:
    parents = schedule.bets[order.bet].bet.parents
    flat = next((each for each in flats if each[0].bet in parents), None)
    if flat is None:
        raise PayoutError(f"{order.bet} must come after one of {', '.join(parents)}, got none")
    parent, index, flat_stake = flat
    reached = schedule.spots(order.bet) if parent.bet != "put" else (parent.spot,)
    for spot in (order.spot,) if order.spot else reached:
        most = _most_odds(schedule, order.bet, spot, flat_stake)
        stake = most if order.stake_minor is None else order.stake_minor
        if not 0 < stake <= most:
            money = schedule.header.money
            bound = f"from {money(1)} to {money(most)}"
            raise PayoutError(f"stake of {_label(order.bet, spot)} must be {bound}, got {money(stake)}")
        check_stake(schedule, order.bet, spot, stake)
        yield Wager(
            _label(order.bet, spot),
            _parts(schedule, order.bet, spot, stake),
            stake,
            _parent_on(index, int(spot)),
            always if schedule.works_on_come_out(order.bet) else _point_on,
            index,
        )


def _most_odds(schedule: CrapsSchedule, bet: str, spot: str, flat_stake: int) -> int:
    """Most odds behind a flat stake: its multiple, for laid odds the stake that wins it; whole units."""
    most = Fraction(flat_stake * schedule.table.odds_limit[int(spot)])
    if bet == "lay_odds":
        most /= schedule.bets[bet].price(spot).to_one
    return most // stake_unit(schedule, bet, spot) * stake_unit(schedule, bet, spot)


def _parts(schedule: CrapsSchedule, bet: str, spot: str, stake: int) -> tuple[Part, ...]:
    legs = schedule.legs(bet, spot)
    stakes = leg_stakes(legs, stake)
    return tuple(Part(leg.machine, _gain(schedule, leg, each)) for leg, each in zip(legs, stakes, strict=True))


def _gain(schedule: CrapsSchedule, leg: Leg, stake: int) -> Callable[[Payment], int]:
    terms, rounding = schedule.bets[leg.bet], schedule.table.rounding
    charged = up_front_commission(terms, rounding, stake, leg.spot)
    return lambda payment: settle(terms, rounding, stake, payment).net(stake) - charged


def _at_risk(schedule: CrapsSchedule, bet: str, spot: str, stake: int) -> int:
    """Stake and commission up front."""
    legs, rounding = schedule.legs(bet, spot), schedule.table.rounding
    return stake + sum(
        up_front_commission(schedule.bets[leg.bet], rounding, each, leg.spot)
        for leg, each in zip(legs, leg_stakes(legs, stake), strict=True)
    )


def _check(schedule: CrapsSchedule, order: Order, stake: int) -> None:
    limits = schedule.bets[order.bet].limits
    if not limits.min_minor <= stake <= limits.max_minor:
        money = schedule.header.money
        bound = f"from {money(limits.min_minor)} to {money(limits.max_minor)}"
        raise PayoutError(f"stake of {_label(order.bet, order.spot)} must be {bound}, got {money(stake)}")
    check_stake(schedule, order.bet, order.spot, stake)


def _label(bet: str, spot: str) -> str:
    return f"{bet} {spot}".strip()


def _moment(bet: Bet, spot: str) -> Callable[[Situation], bool]:
    if bet.id == "put":
        return lambda situation: situation.point == int(spot)
    return _MOMENTS[bet.opens]


def _parent_on(index: int, point: int) -> Callable[[Situation], bool]:
    return lambda situation: situation.others[index] == (point,)


def _point_on(situation: Situation) -> bool:
    return situation.point != 0


_MOMENTS: dict[Opens, Callable[[Situation], bool]] = {
    Opens.ANY_TIME: always,
    Opens.COME_OUT: lambda situation: situation.point == 0,
    Opens.POINT_ON: _point_on,
    Opens.AFTER_SEVEN: lambda situation: situation.after_seven,
    Opens.NEW_HAND: lambda situation: situation.new_hand,
}
