"""An independent enumeration of craps: house edges from a schedule file as TOML has it, by closed formulas.

Nothing of the repository is imported. No chain of states is solved: one-throw bets are enumerated over 36 throws, races
are ratios, collections go by inclusion and exclusion, points of a hand by the rounds of the shooter, replay by an
integral over a Poisson clock, the length of a hand by convolution. Money is rounded here by its own code.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import factorial, floor
from typing import Any

Throw = tuple[int, int]
Law = dict[Throw, Fraction]
Prices = list[tuple[Fraction | None, Fraction]]
"""Winnings to one (None for a loss, 0 for a tie) and their chances."""

FACES = range(1, 7)
REPEATS = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 6, 9: 5, 10: 4, 11: 3, 12: 2}
ORDERS = {
    "buffalo": [("hardway", 4, 1), ("hardway", 6, 1), ("hardway", 8, 1), ("hardway", 10, 1), ("any_seven", "", 1)],
    "inside": [("place", 5, 5), ("place", 6, 6), ("place", 8, 6), ("place", 9, 5)],
    "outside": [("place", 4, 1), ("place", 5, 1), ("place", 9, 1), ("place", 10, 1)],
    "across": [("place", 4, 5), ("place", 5, 5), ("place", 6, 6), ("place", 8, 6), ("place", 9, 5), ("place", 10, 5)],
}
SPLIT = {
    "hi_lo": {"2": [2], "12": [12]},
    "c_and_e": {"craps": [2, 3, 12], "11": [11]},
    "horn": {"2": [2], "3": [3], "11": [11], "12": [12]},
    "horn_high": {"2": [2], "3": [3], "11": [11], "12": [12]},
    "whirl": {"2": [2], "3": [3], "7": [7], "11": [11], "12": [12]},
    "three_way": {"2": [2], "3": [3], "12": [12]},
}
ONE_PRICE = {
    "any_seven": [7], "any_craps": [2, 3, 12], "aces": [2], "ace_deuce": [3], "yo": [11], "boxcars": [12],
    "over_seven": [8, 9, 10, 11, 12], "under_seven": [2, 3, 4, 5, 6],
}  # fmt: skip
SEGMENTS = {"left": [2, 3, 4], "centre": [4, 9, 10], "right": [10, 11, 12]}


def law_of(first: Sequence[Fraction], second: Sequence[Fraction]) -> Law:
    """Law of a throw of two independent dice."""
    return {(one, two): first[one - 1] * second[two - 1] for one in FACES for two in FACES}


def to_one(text: str) -> Fraction:
    """Winnings to one of a printed price."""
    if text == "tie":
        return Fraction(0)
    high, unit, low = text.split()
    return Fraction(int(high), int(low)) - (unit == "for")


def chance(law: Law, wanted: Callable[[int, int], bool]) -> Fraction:
    return sum((weight for (one, two), weight in law.items() if wanted(one, two)), Fraction(0))


def of_total(law: Law, *numbers: int) -> Fraction:
    return chance(law, lambda one, two: one + two in numbers)


def decided(win: Fraction, price: str, total: Fraction) -> Prices:
    """A bet won with one chance, decided with another."""
    return [(to_one(price), win / total), (None, 1 - win / total)]


class Table:
    """A schedule file read as it is."""

    def __init__(self, file: Mapping[str, Any]) -> None:
        self.table: Mapping[str, Any] = file.get("table", {})
        self.bets: Mapping[str, Any] = file["bets"]
        self.points: list[int] = self.table.get("points", [4, 5, 6, 8, 9, 10])
        self.chip = cents(self.table.get("rounding", {}).get("unit", "0.01"))

    def price(self, bet: str, key: object) -> str:
        pays = self.bets[bet]["pays"]
        return str(pays if isinstance(pays, str) else pays[str(key)])


def cents(money: str) -> int:
    return int(Fraction(money) * 100)


def edge(file: Mapping[str, Any], bet: str, spot: str, stake: int, law: Law) -> Fraction:
    """House edge per bet made over the sum at risk, at a stake in cents."""
    table = Table(file)
    if bet in ORDERS:
        units = sum(weight for _, _, weight in ORDERS[bet])
        parts = [(part, str(at), stake // units * weight) for part, at, weight in ORDERS[bet]]
    else:
        parts = [(bet, spot, stake)]
    lost, risk = Fraction(0), Fraction(0)
    for part, at, money in parts:
        gain, paid = gain_of(table, part, at, money, law)
        lost, risk = lost - gain, risk + paid
    return lost / risk


def gain_of(table: Table, bet: str, spot: str, stake: int, law: Law) -> tuple[Fraction, int]:
    """Expected gain in cents, and the sum at risk."""
    pays = table.bets[bet].get("pays")
    if bet in SPLIT and isinstance(pays, dict):
        weights = {key: 2 if bet == "horn_high" and key == spot else 1 for key in SPLIT[bet]}
        unit = stake // sum(weights.values())
        legs = [
            (unit * weights[key], one_throw(law, {pays[key]: of_total(law, *on)})) for key, on in SPLIT[bet].items()
        ]
    elif bet == "hop_sevens" and isinstance(pays, dict):
        legs = [
            (stake // 3, one_throw(law, {price: chance(law, lambda one, two, pair=pair: sorted((one, two)) == pair)}))
            for pair, price in (([int(face) for face in key.split("-")], price) for key, price in pays.items())
        ]
    else:
        legs = [(stake, prices_of(table, bet, spot, law))]
    commission = table.bets[bet].get("commission")
    before = charged(commission, "up_front", stake, to_one(table.price(bet, spot)), table.chip) if commission else 0
    gain = Fraction(-before)
    for money, prices in legs:
        for price, probability in prices:
            gain += probability * (-money if price is None else paid(table, bet, money, price))
    return gain, stake + before


def paid(table: Table, bet: str, stake: int, price: Fraction) -> int:
    won = floor(stake * price / table.chip) * table.chip
    cap = table.bets[bet].get("limits", {}).get("max_winnings")
    won = won if cap is None else min(won, cents(cap))
    commission = table.bets[bet].get("commission")
    return won - (min(won, charged(commission, "win", stake, Fraction(won, stake), table.chip)) if commission else 0)


def charged(commission: Mapping[str, str], when: str, stake: int, price: Fraction, chip: int) -> int:
    if commission["when"] != when:
        return 0
    won = floor(stake * price / chip) * chip
    exact = Fraction(commission["rate"]) * (stake if commission["base"] == "bet" else won)
    unit = cents(commission.get("unit", "0.01"))
    rounded = {
        "down": floor(exact / unit) * unit,
        "up": -floor(-exact / unit) * unit,
        "nearest": floor(exact / unit + Fraction(1, 2)) * unit,
        "none": -floor(-exact),
    }[commission["rounding"]]
    return max(rounded, cents(commission.get("minimum", "0")))


def one_throw(law: Law, wins: Mapping[str, Fraction]) -> Prices:
    return [*((to_one(price), won) for price, won in wins.items()), (None, 1 - sum(wins.values(), Fraction(0)))]


def prices_of(table: Table, bet: str, spot: str, law: Law) -> Prices:
    """Prices and chances of a bet that is one machine."""
    seven = of_total(law, 7)
    pays = table.bets[bet]["pays"]
    if bet in ONE_PRICE:
        return one_throw(law, {pays: of_total(law, *ONE_PRICE[bet])})
    if bet in ("pass", "come", "dont_pass", "dont_come", "put"):
        return line(table, bet, spot, law)
    if bet in ("odds", "place", "buy", "big"):
        won = of_total(law, int(spot))
        return decided(won, table.price(bet, spot), won + seven)
    if bet in ("lay_odds", "place_to_lose", "lay"):
        return decided(seven, table.price(bet, spot), seven + of_total(law, int(spot)))
    if bet == "hardway":
        hard = law[int(spot) // 2, int(spot) // 2]
        return decided(hard, table.price(bet, spot), of_total(law, int(spot)) + seven)
    if bet in ("field", "low_dice", "high_dice"):
        return [*((to_one(price), of_total(law, int(at))) for at, price in pays.items()),
                (None, 1 - of_total(law, *map(int, pays)))]  # fmt: skip
    return others(table, bet, spot, law)


def others(table: Table, bet: str, spot: str, law: Law) -> Prices:
    pays, seven = table.bets[bet]["pays"], of_total(law, 7)
    if bet == "hi_lo":
        return one_throw(law, {pays: of_total(law, 2, 12)})
    if bet == "hop_sevens":
        return one_throw(law, {pays: seven})
    if bet == "hop":
        one, two = int(spot[0]), int(spot[2])
        return one_throw(law, {pays["hard" if one == two else "easy"]: chance(law, lambda a, b: {a, b} == {one, two})})
    if bet == "segmented_field":
        return one_throw(law, {pays[spot]: of_total(law, *SEGMENTS[spot])})
    if bet == "midway":
        hard = law[3, 3] + law[4, 4]
        wins: Prices = [(to_one(pays["hard"]), hard)]
        wins += [(to_one(pays[str(at)]), chance(law, lambda a, b, at=at: a + b == at and a != b)) for at in (6, 7, 8)]
        return [*wins, (None, 1 - sum((each for _, each in wins), Fraction(0)))]
    if bet in ("small", "tall", "all"):
        numbers = {"small": range(2, 7), "tall": range(8, 13), "all": [*range(2, 7), *range(8, 13)]}[bet]
        shown = exactly([of_total(law, number) for number in numbers], seven)[-1]
        return [(to_one(pays), shown), (None, 1 - shown)]
    if bet == "different_doubles":
        return numbered(pays, exactly([law[face, face] for face in FACES], seven))
    if bet == "repeater":
        number = int(spot)
        shown = (of_total(law, number) / (of_total(law, number) + seven)) ** REPEATS[number]
        return [(to_one(pays[spot]), shown), (None, 1 - shown)]
    return of_a_hand(table, bet, law)


def line(table: Table, bet: str, spot: str, law: Law) -> Prices:
    seven = of_total(law, 7)
    price = to_one(table.price(bet, ""))
    if bet == "put":
        return decided(of_total(law, int(spot)), table.price(bet, ""), of_total(law, int(spot)) + seven)
    made = sum((of_total(law, point) ** 2 / (of_total(law, point) + seven) for point in table.points), Fraction(0))
    natural = of_total(law, *({7, 11} - {*table.points}))
    if bet in ("pass", "come"):
        return [(price, natural + made), (None, 1 - natural - made)]
    barred = {"12": law[6, 6], "2": law[1, 1], "1-2": of_total(law, 3)}[table.table.get("dont_bar", "12")]
    lost = natural + made
    return [(price, 1 - lost - barred), (Fraction(0), barred), (None, lost)]


def exactly(items: Sequence[Fraction], ender: Fraction) -> list[Fraction]:
    """Chances that exactly 0, 1, ... of the items are shown before the ender.

    P(only items of S are shown) is ender / (ender + weight outside S); the rest is inclusion and exclusion.
    """
    everything = range(len(items))

    def within(chosen: Iterable[int]) -> Fraction:
        kept = {*chosen}
        return ender / (ender + sum((items[each] for each in everything if each not in kept), Fraction(0)))

    sums = [
        sum((within(chosen) for chosen in combinations(everything, size)), Fraction(0))
        for size in range(len(items) + 1)
    ]
    chances = []
    for count in range(len(items) + 1):
        total = Fraction(0)
        for size in range(count + 1):
            ways = Fraction(factorial(len(items) - size), factorial(count - size) * factorial(len(items) - count))
            total += (-1) ** (count - size) * ways * sums[size]
        chances.append(total)
    return chances


def numbered(pays: Mapping[str, str], chances: Sequence[Fraction]) -> Prices:
    """Prices by number, a number between two of them at the lower one's."""
    result: Prices = []
    for count, probability in enumerate(chances):
        reached = [int(key) for key in pays if int(key) <= count]
        result.append((to_one(pays[str(max(reached))]) if reached else None, probability))
    return result


def rounds(table: Table, law: Law) -> tuple[dict[int, Fraction], Fraction]:
    """Chance that the next point set is this one and is made, and that the next one set ends the hand."""
    setting = of_total(law, *table.points)
    seven = of_total(law, 7)
    made = {p: of_total(law, p) / setting * of_total(law, p) / (of_total(law, p) + seven) for p in table.points}
    return made, 1 - sum(made.values(), Fraction(0))


def of_a_hand(table: Table, bet: str, law: Law) -> Prices:
    pays = table.bets[bet]["pays"]
    made, out = rounds(table, law)
    seven, setting = of_total(law, 7), of_total(law, *table.points)
    if bet == "fire":
        return numbered(pays, exactly([*made.values()], out))
    if bet in ("sharp_shooter", "ride_the_line"):
        natural = of_total(law, *({7, 11} - {*table.points})) if bet == "ride_the_line" else Fraction(0)
        lasting = natural + setting * (1 - out)
        win = lasting / (lasting + setting * out)
        most = max(map(int, pays))
        return numbered(pays, [*(win**count * (1 - win) for count in range(most)), win**most])
    if bet == "hot_shooter":
        return numbered(pays, lengths(table, law, max(map(int, pays))))
    if bet == "replay":
        return replay(pays, made, out)
    if bet == "four_throws_no_seven":
        return [(to_one(pays), (1 - seven) ** 4), (None, 1 - (1 - seven) ** 4)]
    if bet in ("point_seven", "seven_point"):
        return [(to_one(pays), seven * setting), (None, 1 - seven * setting)]
    assert bet == "seven_point_seven"
    at_once, later = to_one(pays["seven"]), to_one(pays["point_seven"])
    return [(at_once, seven), (later, setting * seven), (None, 1 - seven - setting * seven)]


def lengths(table: Table, law: Law, most: int) -> list[Fraction]:
    """Chances that a hand lasts 0, 1, ... `most` - 1 throws, and at least `most`."""
    at: dict[int, Fraction] = {0: Fraction(1)}
    chances = [Fraction(0)]
    for _ in range(most - 1):
        after: dict[int, Fraction] = {}
        ended = Fraction(0)
        for (point, weight), total in product(at.items(), range(2, 13)):
            share = weight * of_total(law, total)
            if point and total == 7:
                ended += share
            elif point == 0:
                now = total if total in table.points else 0
                after[now] = after.get(now, Fraction(0)) + share
            else:
                now = 0 if total == point else point
                after[now] = after.get(now, Fraction(0)) + share
        chances.append(ended)
        at = after
    return [*chances, 1 - sum(chances, Fraction(0))]


def replay(pays: Mapping[str, str], made: Mapping[int, Fraction], out: Fraction) -> Prices:
    """Best price reached: P(every point made fewer times than any better price asks) by a Poisson clock.

    Points made come as independent Poisson processes of rates `made` until an exponential time of rate `out`, so that
    P(counts below the caps) is the integral of out e^(-t) times the product of the truncated exponential series.
    """
    asked: dict[Fraction, list[tuple[int, int]]] = {}
    for key, price in pays.items():
        point, _, times = key.rpartition("x")
        for each in [int(point)] if point else made:
            asked.setdefault(to_one(price), []).append((each, int(times)))
    below: dict[Fraction, Fraction] = {}
    for price in asked:
        caps: dict[int, int] = {}
        for other, needs in asked.items():
            for point, times in needs if other >= price else ():
                caps[point] = min(caps.get(point, times), times)
        below[price] = none_reached(made, out, caps)
    ordered = sorted(asked)
    chances = [below[ordered[0]]]
    for price, better in zip(ordered, [*ordered[1:], None], strict=True):
        chances.append((below[better] if better is not None else Fraction(1)) - below[price])
    return [(None, chances[0]), *zip(ordered, chances[1:], strict=True)]


def none_reached(made: Mapping[int, Fraction], out: Fraction, caps: Mapping[int, int]) -> Fraction:
    free = sum((rate for point, rate in made.items() if point not in caps), Fraction(0))
    series = [Fraction(1)]
    for point, cap in caps.items():
        terms = [made[point] ** count / factorial(count) for count in range(cap)]
        longer = [Fraction(0)] * (len(series) + cap - 1)
        for (left, one), (right, two) in product(enumerate(series), enumerate(terms)):
            longer[left + right] += one * two
        series = longer
    decay = 1 - free  # free points only let time pass: their exponential series is whole
    return sum((out * term * factorial(power) / decay ** (power + 1) for power, term in enumerate(series)), Fraction(0))


def dice_of(*shares: int) -> list[Fraction]:
    """Face probabilities from whole shares."""
    assert len(shares) == 6
    assert min(shares) > 0
    return [Fraction(share, sum(shares)) for share in shares]
