"""Every row of tests/data/craps_edges.csv, with equality.

Each row is told here as the text of a schedule, the bet and the figure that the row names; nothing of the figures is.
"""

import csv
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from payouts.chain import solve
from payouts.craps.lines import line_return
from payouts.dice import FAIR
from tests.payouts.craps.offers import CRAPLESS, brought, offer

REFERENCE = Path(__file__).parents[2] / "data" / "craps_edges.csv"
ROWS = list(csv.DictReader(REFERENCE.read_text(encoding="utf-8").splitlines()))
Figures = tuple[Fraction | None, Fraction | None]
"""The edge that a row names, and its edge per throw."""

ODDS = 'pays = {4 = "2 to 1", 5 = "3 to 2", 6 = "6 to 5", 8 = "6 to 5", 9 = "3 to 2", 10 = "2 to 1"}'
LAID = 'pays = {4 = "1 to 2", 5 = "2 to 3", 6 = "5 to 6", 8 = "5 to 6", 9 = "2 to 3", 10 = "1 to 2"}'
LIMIT = "odds_limit = {4 = 1, 5 = 1, 6 = 1, 8 = 1, 9 = 1, 10 = 1}\n"
LINE = f"""
[bets.pass]
pays = "1 to 1"
[bets.put]
pays = "1 to 1"
[bets.dont_pass]
pays = "1 to 1"
[bets.odds]
{ODDS}
[bets.lay_odds]
{LAID}
"""
CRAPLESS_LINE = """
[bets.pass]
pays = "1 to 1"
[bets.odds]
pays.2 = "6 to 1"
pays.3 = "3 to 1"
pays.4 = "2 to 1"
pays.5 = "3 to 2"
pays.6 = "6 to 5"
pays.8 = "6 to 5"
pays.9 = "3 to 2"
pays.10 = "2 to 1"
pays.11 = "3 to 1"
pays.12 = "6 to 1"
"""
CRAPLESS_LIMIT = CRAPLESS + "odds_limit = {" + ", ".join(f"{p} = 1" for p in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)) + "}\n"


def bet(text: str, name: str, *spots: str, stake: int | None = None, table: str = "", base: str = "made") -> Figures:
    """Figures of a bet; where several spots share a row their figures must agree."""
    schedule = offer(f"[bets.{name}]\n{text}", table)
    figures = set()
    for spot in spots or ("",):
        got = brought(schedule, name, spot, stake)
        figures.add((got.edge_resolved if base == "resolved" else got.edge_made, got.edge_per_throw))
    assert len(figures) == 1
    return figures.pop()


def priced(price: str, name: str, *spots: str, base: str = "made") -> Figures:
    """Figures of a bet with one price for its spots, written as a table where it has spots."""
    pays = "{" + ", ".join(f'{spot} = "{price}"' for spot in spots) + "}" if spots else f'"{price}"'
    return bet(f"pays = {pays}", name, *spots, base=base)


def dont(bar: str, name: str, base: str) -> Figures:
    got = brought(offer(f'[bets.{name}]\npays = "1 to 1"', f'dont_bar = "{bar}"'), name)
    return (
        got.edge_resolved if base == "resolved" else got.edge_made,
        None if base == "resolved" else got.edge_per_throw,
    )


def dont_with_point() -> Figures:
    machine = offer('[bets.dont_pass]\npays = "1 to 1"').legs("dont_pass", "")[0].machine
    won, lost = (
        sum(chance for payment, chance in solve(machine, FAIR, (point,)).endings if bool(payment.odds) is wins)
        for point in (4,)
        for wins in (True, False)
    )
    return Fraction(lost - won), None


def with_odds(name: str, multiple: int | dict[int, int], spot: str = "", crapless: bool = False) -> Figures:
    schedule = offer(CRAPLESS_LINE, CRAPLESS_LIMIT) if crapless else offer(LINE, LIMIT)
    points = schedule.table.points
    each = dict.fromkeys(points, multiple) if isinstance(multiple, int) else multiple
    got = line_return(schedule, name, spot, each)
    return got.element_of_risk, got.element_of_risk / got.throws if spot else None


def odds(text: str, name: str, spot: str) -> Figures:
    schedule = offer(LINE, LIMIT)
    return brought(schedule, name, spot).edge_made, None


def bought(name: str, spots: str, base: str, when: str, table: str = "") -> Figures:
    """Buy and lay with 5 % not rounded, at a stake of which commission and winnings are whole cents."""
    prices = {"2": "6 to 1", "3": "3 to 1", "4": "2 to 1", "5": "3 to 2", "6": "6 to 5"}
    low = spots.split(maxsplit=1)[0]
    price = prices[low] if name == "buy" else " to ".join(reversed(prices[low].split(" to ")))
    text = (
        "pays = {" + ", ".join(f'{spot} = "{price}"' for spot in spots.split()) + "}\n"
        f'commission = {{rate = "0.05", base = "{base}", when = "{when}", rounding = "none"}}'
    )
    return bet(text, name, *spots.split(), stake=60_000, table=table)


def field(prices: str) -> Figures:
    two, eleven, twelve = prices.split()
    return bet(
        f'pays = {{2 = "{two} to 1", 3 = "1 to 1", 4 = "1 to 1", 9 = "1 to 1", 10 = "1 to 1", 11 = "{eleven} to 1", '
        f'12 = "{twelve} to 1"}}',
        "field",
    )


HORN = '2 = "30 to 1", 3 = "15 to 1", 11 = "15 to 1", 12 = "30 to 1"'
FOR_HORN = HORN.replace("to 1", "for 1")
BUFFALO = """
[bets.hardway]
pays = {4 = "7 to 1", 6 = "9 to 1", 8 = "9 to 1", 10 = "7 to 1"}
[bets.any_seven]
pays = "4 to 1"
[bets.buffalo]
"""


def ride_the_line(row: dict[str, str]) -> Figures:
    """Prices from 11 wins down to none: -1 loses, 0 is a tie."""
    prices = row["payout"].rpartition(": ")[2].split("/")
    named = {11 - place: price for place, price in enumerate(prices) if price != "-1"}
    text = ", ".join(f'{wins} = "{"tie" if price == "0" else price + " to 1"}"' for wins, price in named.items())
    return bet(f"pays = {{{text}}}", "ride_the_line")[0], None


def fire(row: dict[str, str]) -> Figures:
    prices = row["variant"].rpartition(": ")[2].partition(" to 1")[0].split("/")
    text = ", ".join(f'{7 - len(prices) + place} = "{price} to 1"' for place, price in enumerate(prices))
    return bet(f"pays = {{{text}}}", "fire")[0], None


THREE_FOUR_FIVE = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
ONE_TO_FIVE = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}

TOLD: dict[tuple[str, str], Callable[[], Figures]] = {
    ("Pass line", "standard"): lambda: priced("1 to 1", "pass"),
    ("Come", "standard"): lambda: priced("1 to 1", "come"),
    ("Don't pass", "bar 12, per bet made (tie counts)"): lambda: dont("12", "dont_pass", "made"),
    ("Don't pass", "bar 12, per bet resolved (ties excluded)"): lambda: dont("12", "dont_pass", "resolved"),
    ("Don't pass", "bar 2 (bar 1-1), per bet made (tie counts)"): lambda: dont("2", "dont_pass", "made"),
    ("Don't pass", "bar 2 (bar 1-1), per bet resolved (ties excluded)"): lambda: dont("2", "dont_pass", "resolved"),
    ("Don't pass", "bar 3 (bar 1-2), per bet resolved (ties excluded)"): lambda: dont("1-2", "dont_pass", "resolved"),
    ("Don't come", "bar 12, per bet made"): lambda: dont("12", "dont_come", "made"),
    ("Don't come", "bar 12, per bet resolved"): lambda: dont("12", "dont_come", "resolved"),
    ("Don't pass", "point already set, flat part only, 4/10"): dont_with_point,
    ("Put", "4/10, no odds"): lambda: with_odds("put", 0, "4"),
    ("Put", "4/10 with 5x odds (first multiple better than placing)"): lambda: with_odds("put", 5, "10"),
    ("Put", "5/9 with 5x odds (first multiple better than placing)"): lambda: with_odds("put", 5, "9"),
    ("Put", "6/8, no odds"): lambda: with_odds("put", 0, "8"),
    ("Put", "6/8 with 6x odds (first multiple better than placing)"): lambda: with_odds("put", 6, "6"),
    ("Free odds (take)", "4/10"): lambda: odds(ODDS, "odds", "4"),
    ("Free odds (lay)", "5/9"): lambda: odds(LAID, "lay_odds", "9"),
    **{("Pass + odds", f"{m}x"): lambda m=m: with_odds("pass", m) for m in (1, 3, 5, 10, 20, 100)},
    ("Pass + odds", "3-4-5x"): lambda: with_odds("pass", THREE_FOUR_FIVE),
    **{
        ("Don't pass + lay odds", f"{m}x by amount WON"): lambda m=m: with_odds("dont_pass", m)
        for m in (1, 2, 3, 5, 10, 20, 100)
    },
    ("Don't pass + lay odds", "3-4-5x (lay up to 6x on every point)"): lambda: with_odds("dont_pass", THREE_FOUR_FIVE),
    ("Place to win", "4 or 10"): lambda: priced("9 to 5", "place", "4", "10"),
    ("Place to win", "5 or 9"): lambda: priced("7 to 5", "place", "5", "9"),
    ("Place to win", "6 or 8"): lambda: priced("7 to 6", "place", "6", "8"),
    ("Place to lose", "4 or 10"): lambda: priced("5 to 11", "place_to_lose", "4", "10"),
    ("Place to lose", "6 or 8"): lambda: priced("4 to 5", "place_to_lose", "6", "8"),
    ("Buy", "4 or 10, 5% of bet only on a win"): lambda: bought("buy", "4 10", "bet", "win"),
    ("Buy", "4 or 10, 5% of the WIN only on a win"): lambda: bought("buy", "4 10", "win", "win"),
    ("Buy", "5 or 9, 5% of bet up front"): lambda: bought("buy", "5 9", "bet", "up_front"),
    ("Buy", "5 or 9, 5% of bet only on a win"): lambda: bought("buy", "5 9", "bet", "win"),
    ("Buy", "5 or 9, 5% of the WIN only on a win"): lambda: bought("buy", "5 9", "win", "win"),
    ("Buy", "6 or 8, 5% of bet up front"): lambda: bought("buy", "6 8", "bet", "up_front"),
    ("Buy", "6 or 8, 5% of the WIN only on a win"): lambda: bought("buy", "6 8", "win", "win"),
    ("Lay", "4 or 10, 5% of the win up front"): lambda: bought("lay", "4 10", "win", "up_front"),
    ("Lay", "4 or 10, 5% of the win only on a win"): lambda: bought("lay", "4 10", "win", "win"),
    ("Lay", "5 or 9, 5% of the win up front"): lambda: bought("lay", "5 9", "win", "up_front"),
    ("Lay", "5 or 9, 5% of the win only on a win"): lambda: bought("lay", "5 9", "win", "win"),
    ("Lay", "6 or 8, 5% of the win up front"): lambda: bought("lay", "6 8", "win", "up_front"),
    ("Lay", "6 or 8, 5% of the win only on a win"): lambda: bought("lay", "6 8", "win", "win"),
    ("Big 6 / Big 8", "even money"): lambda: bet('pays = "1 to 1"', "big", "6", "8"),
    ("Buy (chip sizes)", "$20 on 4, commission $1 up front"): lambda: bet(
        'pays = {4 = "2 to 1"}\ncommission = {rate = "0.05", base = "bet", when = "up_front", rounding = "down", '
        'unit = "1.00"}\nlimits = {min = "20.00", increment = "1.00"}',
        "buy", "4", stake=2000,
    ),
    ("Place to win (breakage)", "$5 on 6, paid down to $1"): lambda: bet(
        'pays = {6 = "7 to 6"}', "place", "6", stake=500, table='rounding = {unit = "1.00", rule = "down"}'
    ),
    ("Hardway", "hard 4 or 10, 7 to 1 (8 for 1)"): lambda: priced("7 to 1", "hardway", "4", "10"),
    ("Hardway", "hard 4 or 10, 7 FOR 1"): lambda: priced("7 for 1", "hardway", "4", "10"),
    ("Hardway", "hard 6 or 8, 9 to 1 (10 for 1)"): lambda: priced("10 for 1", "hardway", "6", "8"),
    ("Hardway", "hard 6 or 8, 9 FOR 1"): lambda: priced("9 for 1", "hardway", "6", "8"),
    ("Field", "one of 2/12 pays 3"): lambda: field("2 1 3"),
    ("Field", "all even"): lambda: field("1 1 1"),
    ("Field", "12 pays 5, 2 pays 2"): lambda: field("2 1 5"),
    ("Field", "12 pays 3, 11 pays 2, 2 pays 2"): lambda: field("2 2 3"),
    **{
        (name, variant): lambda price=price, id_=id_: priced(price, id_)
        for name, id_ in (("Aces (2)", "aces"), ("Boxcars / midnight (12)", "boxcars"))
        for variant, price in (
            ("30 to 1 (31 for 1)", "31 for 1"), ("30 FOR 1", "30 for 1"), ("33 to 1 (UK)", "33 to 1"),
        )
    },
    **{
        (name, variant): lambda price=price, id_=id_: priced(price, id_)
        for name, id_ in (("Ace-deuce (3)", "ace_deuce"), ("Yo (11)", "yo"))
        for variant, price in (
            ("15 to 1 (16 for 1)", "16 for 1"), ("15 FOR 1", "15 for 1"),
        )
    },
    ("Yo (11)", "16 to 1 (UK)"): lambda: priced("16 to 1", "yo"),
    ("Any seven (big red)", "4 to 1 (5 for 1)"): lambda: priced("4 to 1", "any_seven"),
    ("Any seven (big red)", "4 FOR 1"): lambda: priced("4 for 1", "any_seven"),
    ("Any craps", "7 to 1 (8 for 1)"): lambda: priced("7 to 1", "any_craps"),
    ("Hi-lo", "split, each half at 30 to 1"): lambda: bet('pays = {2 = "30 to 1", 12 = "30 to 1"}', "hi_lo"),
    ("C&E", "half any craps 7:1, half yo 15:1"): lambda: bet('pays = {craps = "7 to 1", 11 = "15 to 1"}', "c_and_e"),
    ("Horn", "units of 4"): lambda: bet(f"pays = {{{HORN}}}", "horn"),
    ("Horn", "units of 4, 30/15 FOR 1"): lambda: bet(f"pays = {{{FOR_HORN}}}", "horn"),
    ("Horn high", "high aces, units of 5"): lambda: bet(f"pays = {{{HORN}}}", "horn_high", "2"),
    ("Horn high", "high ace-deuce, units of 5"): lambda: bet(f"pays = {{{HORN}}}", "horn_high", "3"),
    ("Horn high", "high yo, units of 5"): lambda: bet(f"pays = {{{HORN}}}", "horn_high", "11"),
    ("Horn high", "high twelve, units of 5"): lambda: bet(f"pays = {{{HORN}}}", "horn_high", "12"),
    ("World / whirl", "units of 5"): lambda: bet(f'pays = {{{HORN}, 7 = "4 to 1"}}', "whirl"),
    ("Hop", "easy, 15 to 1"): lambda: bet('pays = {easy = "15 to 1"}', "hop", "1-2", "3-6"),
    ("Hop", "easy, 16 to 1"): lambda: bet('pays = {easy = "16 to 1"}', "hop", "5-6"),
    ("Hop", "hard, 30 to 1"): lambda: bet('pays = {hard = "30 to 1"}', "hop", "1-1", "6-6"),
    ("Hop the sevens", "1-6, 2-5, 3-4 one unit each"): lambda: bet(
        'pays = {1-6 = "15 to 1", 2-5 = "15 to 1", 3-4 = "15 to 1"}', "hop_sevens"
    ),
    ("Buffalo", "four hardways + any seven, 5 units (hardways left up)"): lambda: (
        brought(offer(BUFFALO), "buffalo").edge_made, None,
    ),
    ("Segmented field", "left (2,3,4)"): lambda: priced("4 to 1", "segmented_field", "left"),
    ("Segmented field", "centre (4,9,10)"): lambda: priced("2 to 1", "segmented_field", "centre"),
    ("Segmented field", "right (10,11,12)"): lambda: priced("4 to 1", "segmented_field", "right"),
    ("Low dice / high dice", "2 pays 5, 3-6 pay 1 (mirror for high)"): lambda: bet(
        'pays = {2 = "5 to 1", 3 = "1 to 1", 4 = "1 to 1", 5 = "1 to 1", 6 = "1 to 1"}', "low_dice"
    ),
    **{("Pass + odds (crapless)", f"{m}x"): lambda m=m: with_odds("pass", m, crapless=True) for m in (1, 2, 5)},
    ("Pass + odds (crapless)", "1-2-3-4-5x"): lambda: with_odds("pass", ONE_TO_FIVE, crapless=True),
    ("Buy (crapless)", "2 or 12, 5% up front"): lambda: bought("buy", "2 12", "bet", "up_front", CRAPLESS),
    ("Buy (crapless)", "2 or 12, 5% of bet on win"): lambda: bought("buy", "2 12", "bet", "win", CRAPLESS),
    ("Buy (crapless)", "3 or 11, 5% up front"): lambda: bought("buy", "3 11", "bet", "up_front", CRAPLESS),
    **{
        ("Small / Tall", price): lambda price=price: (priced(price, "small")[0], None)
        for price in ("30 to 1", "29 to 1")
    },
    **{
        ("All (make 'em all)", price): lambda price=price: (priced(price, "all")[0], None)
        for price in ("150 to 1", "155 to 1", "160 to 1", "165 to 1", "170 to 1", "175 to 1", "149 to 1")
    },
    ("7-Point-7 (Muggsy's corner)", "7 first 2 to 1, or point then 7 3 to 1"): lambda: (
        bet('pays = {seven = "2 to 1", point_seven = "3 to 1"}', "seven_point_seven")[0], None,
    ),
}  # fmt: skip


def figures(row: dict[str, str]) -> Figures:
    if row["bet"] == "Ride the line":
        return ride_the_line(row)
    if row["bet"] == "Fire bet":
        return fire(row)
    return TOLD[row["bet"], row["variant"]]()


def test_the_reference_has_119_rows_and_each_is_told() -> None:
    assert len(ROWS) == 119
    by_row = {(row["bet"], row["variant"]) for row in ROWS}
    told_apart = {("Ride the line", ""), ("Fire bet", "")}
    assert {each for each in by_row if (each[0], "") not in told_apart} == {*TOLD}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['bet']}: {row['variant']}")
def test_edge_equals_the_reference(row: dict[str, str]) -> None:
    edge, per_throw = figures(row)
    assert edge == Fraction(row["edge_fraction"])
    if row["edge_per_throw_percent"] and per_throw is not None:
        assert f"{float(per_throw * 100):.4f}" == row["edge_per_throw_percent"]
