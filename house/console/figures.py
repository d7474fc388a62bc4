"""Figures in the trade's form: money, percentages, odds, counts and times, as filters of the templates."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import pass_context
from jinja2.runtime import Context

from payouts.currency import DECIMALS, money_minor, money_text
from payouts.par import writing
from payouts.par.document import Column, Kind, Value

SYMBOLS: Mapping[str, str] = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
"""Signs before an amount; other currencies stand behind it by their code."""
MINUS, DASH, NBSP = "\N{MINUS SIGN}", "\N{EN DASH}", "\N{NO-BREAK SPACE}"


def amount(minor: int | None, decimals: int) -> str:
    """Write minor units with thousands apart and a true minus; a dash for nothing.

    >>> amount(-123456, 2), amount(5, 0), amount(None, 2)
    ('−1,234.56', '5', '–')
    """
    if minor is None:
        return DASH
    whole, point, fraction = money_text(abs(minor), decimals).partition(".")
    return f"{MINUS if minor < 0 else ''}{int(whole):,}{point}{fraction}"


def priced(minor: int | None, currency: str) -> str:
    """Write an amount with its currency.

    >>> priced(-1250, "USD"), priced(125000, "SEK")
    ('−$12.50', '1,250.00\\xa0SEK')
    """
    text = amount(minor, DECIMALS[currency])
    sign = SYMBOLS.get(currency)
    if minor is None:
        return text
    if sign is None:
        return f"{text}{NBSP}{currency}"
    return f"{MINUS}{sign}{text[1:]}" if minor < 0 else f"{sign}{text}"


def called(call: str) -> str:
    """Write a call of the table with its amounts in the trade's form; ids of players stand as they are.

    >>> called("final score 90, pays 2.00 USD"), called("point is four")
    ('Final score 90, pays $2.00', 'Point is four')
    >>> called("ann plays for 0.25 USD"), called("ann, bob tie and throw one hand of five"), called("bob pays")
    ('ann plays for $0.25', 'ann, bob tie and throw one hand of five', 'bob pays')
    >>> called("ann: frame of 6 scores 18"), called("seven-out, line away"), called("no throw")
    ('ann: frame of 6 scores 18', 'Seven-out, line away', 'No throw')
    """
    told = _AMOUNT.sub(lambda found: _called(found[0], found[1], found[2]), call)
    return told if _OF_PLAYERS.match(told) else told[:1].upper() + told[1:]


def _called(text: str, money: str, currency: str) -> str:
    minor = money_minor(money, DECIMALS[currency]) if currency in DECIMALS else None
    return text if minor is None else priced(minor, currency)


_OF_PLAYERS = re.compile(r"[^\s:,]+(?:, [^\s:,]+)*(?:: | plays | throws? | tie | (?:pays|wins)$)")
"""Calls that begin with players."""
_AMOUNT = re.compile(r"\b(\d+(?:\.\d+)?) ([A-Z]{3})\b", re.ASCII)


def chips(minor: int, currency: str) -> str:
    """Write an amount as it is called over a layout: without decimals where there are none.

    >>> chips(125000, "USD"), chips(125050, "USD")
    ('$1,250', '$1,250.50')
    """
    text = priced(minor, currency)
    empty = f".{'0' * DECIMALS[currency]}"
    return text.replace(empty, "", 1) if DECIMALS[currency] and minor % 10 ** DECIMALS[currency] == 0 else text


def percent(value: Fraction | float | str | None, places: int = 2) -> str:
    """Write a share as a percentage, rounded half to even; a dash for nothing.

    >>> percent(Fraction(7, 495)), percent(-0.5, 0), percent(None)
    ('1.41%', '−50%', '–')
    """
    if value is None:
        return DASH
    text = f"{float(round(Fraction(value) * 100, places)):,.{places}f}%"
    return text.replace("-", MINUS)


def reported(column: Column, value: Value, decimals: int) -> str:
    """Write a value of a mathematics report as the rest of the console does.

    >>> reported(Column("edge", "Edge", Kind.SHARE), -0.0141, 2), reported(Column("win", "Win", Kind.MONEY), 4306500, 2)
    ('−1.4100%', '43,065.00')
    """
    text = writing.shown(column, value, decimals)
    if column.kind is Kind.TEXT:
        return text
    apart = _THOUSANDS.sub(lambda found: f"{int(found[0]):,}", text) if column.kind is Kind.MONEY else text
    return apart.replace(" %", "%").replace("-", MINUS)


_THOUSANDS = re.compile(r"(?<![\d.])\d{4,}")


def count(value: int | None) -> str:
    """Write a whole number with thousands apart; a dash for nothing.

    >>> count(1234567)
    '1,234,567'
    """
    return DASH if value is None else f"{value:,}".replace("-", MINUS)


def log10(value: float) -> str:
    """Write a logarithm of evidence to a hundredth, nothing without a sign.

    >>> log10(-0.3), log10(-0.001), log10(12.345)
    ('−0.30', '0.00', '12.35')
    """
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text.replace("-", MINUS)


@pass_context
def _money(context: Context, minor: int | None) -> str:
    return amount(minor, DECIMALS[context["currency"]])


@pass_context
def _priced(context: Context, minor: int | None) -> str:
    return priced(minor, context["currency"])


@pass_context
def _chips(context: Context, minor: int) -> str:
    return chips(minor, context["currency"])


@pass_context
def _typed(context: Context, minor: int) -> str:
    return money_text(minor, DECIMALS[context["currency"]])


def _in_zone(form: str) -> Callable[[Context, datetime | None], str]:
    @pass_context
    def shown(context: Context, at: datetime | None) -> str:
        return DASH if at is None else at.astimezone(ZoneInfo(context["zone"])).strftime(form)

    return shown


FILTERS: Mapping[str, Callable[..., Any]] = {
    "money": _money,
    "priced": _priced,
    "chips": _chips,
    "typed": _typed,
    "percent": percent,
    "called": called,
    "count": count,
    "log10": log10,
    "round_minor": lambda amount: round(Fraction(amount)),
    "at_us": lambda at_us: datetime.fromtimestamp(at_us / 1_000_000, UTC),
    "time": _in_zone("%H:%M:%S"),
    "date": _in_zone("%Y-%m-%d"),
    "moment": _in_zone("%Y-%m-%d %H:%M:%S"),
}
"""`money` for columns, `priced` with the currency, `chips` over a layout, `typed` for the value of a field.

`at_us` makes a time of microseconds since 1970, which `time`, `date` and `moment` show.
"""
