"""A sheet as text, as a page of HTML and as JSON values."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape
from typing import Any

from payouts.currency import money_text
from payouts.hold import Interval
from payouts.par.document import Column, Kind, Sheet, Table, Value

NOTHING = "-"
PICTURE_TITLES = {
    "score_law": "Law of the score against the bands",
    "hold_funnel": "Hold funnel: limits of hold by number of games",
}


def as_text(sheet: Sheet) -> str:
    """Write a sheet as plain text, columns aligned, a line for each row."""
    width = max(len(title) for _, title, _ in sheet.facts)
    parts = [_underlined(sheet.title, "=")]
    parts.append("\n".join(f"{title.ljust(width)}  {value}" for _, title, value in sheet.facts))
    parts += [_table_text(table, sheet.header.decimals) for table in sheet.tables]
    parts.append(_underlined("How it was computed", "-") + "\n" + "\n".join(f"* {note}" for note in sheet.notes))
    return "\n\n".join(parts) + "\n"


def as_html(sheet: Sheet, pictures: Mapping[str, str] | None = None) -> str:
    """Write a sheet as one page that needs no other file.

    Parameters
    ----------
    pictures
        SVG documents by name, as `payouts.plots.pictures` draws them.
    """
    facts = "".join(
        f"<tr><th scope=row>{escape(title)}</th><td>{escape(value)}</td></tr>" for _, title, value in sheet.facts
    )
    drawn = "".join(_figure(name, svg) for name, svg in (pictures or {}).items())
    tables = "".join(_table_html(table, sheet.header.decimals) for table in sheet.tables)
    notes = "".join(f"<li>{escape(note)}</li>" for note in sheet.notes)
    title = escape(sheet.title)
    return (
        f"<!doctype html>\n<html lang=en>\n<head><meta charset=utf-8><title>{title}</title>"
        f"<meta name=viewport content='width=device-width'><style>{_STYLE}</style></head>\n<body><main>\n"
        f"<h1>{title}</h1>\n<table class=facts>{facts}</table>\n{drawn}\n{tables}\n"
        f"<h2>How it was computed</h2>\n<ul>{notes}</ul>\n</main></body>\n</html>\n"
    )


def as_json(sheet: Sheet) -> dict[str, Any]:
    """Write a sheet as values for JSON.

    Fractions are strings "a/b", each with a twin `..._decimal`; money is a string, or two where only bounds are known;
    what is undefined is None.
    """
    return {
        "title": sheet.title,
        "schedule": sheet.header.name,
        "version": sheet.header.version,
        "fingerprint": sheet.fingerprint,
        "facts": {key: value for key, _, value in sheet.facts},
        "tables": {
            table.key: [_row_json(table, row, sheet.header.decimals) for row in table.rows] for table in sheet.tables
        },
        "how_computed": list(sheet.notes),
    }


def _underlined(title: str, line: str) -> str:
    return f"{title}\n{line * len(title)}"


def _table_text(table: Table, decimals: int) -> str:
    cells = [[column.title for column in table.columns]]
    cells += [[shown(column, value, decimals) for column, value in _pairs(table, row)] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = [column.kind is Kind.TEXT for column in table.columns]
    lines = [
        "  ".join(
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in cells
    ]
    note = f"\n{table.note}" if table.note else ""
    return _underlined(table.title, "-") + note + "\n" + "\n".join(lines)


def _table_html(table: Table, decimals: int) -> str:
    head = "".join(f"<th scope=col>{escape(column.title)}</th>" for column in table.columns)
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td{'' if column.kind is Kind.TEXT else ' class=n'}>{escape(shown(column, value, decimals))}</td>"
            for column, value in _pairs(table, row)
        )
        + "</tr>"
        for row in table.rows
    )
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    return (
        f"<h2>{escape(table.title)}</h2>{note}<div class=wide><table id={escape(table.key)}>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>\n"
    )


def _figure(name: str, svg: str) -> str:
    """Place a picture by a data address, so that its identifiers do not meet those of the page."""
    title = escape(PICTURE_TITLES.get(name, name.replace("_", " ")))
    data = b64encode(svg.encode()).decode()
    return (
        f"<figure><img alt='{title}' src='data:image/svg+xml;base64,{data}'><figcaption>{title}</figcaption></figure>\n"
    )


def _pairs(table: Table, row: tuple[Value, ...]) -> list[tuple[Column, Value]]:
    return list(zip(table.columns, row, strict=True))


def shown(column: Column, value: Value, decimals: int) -> str:
    """Write a value for people.

    Examples
    --------
    >>> shown(Column("edge", "Edge", Kind.SHARE), Fraction(7, 495), 2)
    '1.4141 %'
    >>> shown(Column("bank", "Bank", Kind.MONEY), Interval(2450, 2475), 2)
    '24.50 to 24.75'
    """
    if value is None:
        return NOTHING
    if isinstance(value, Interval):
        low, high = money_text(value.low, decimals), money_text(value.high, decimals)
        return low if low == high else f"{low} to {high}"
    if isinstance(value, tuple):
        low, high = _percent(value[0]), _percent(value[1])
        if value[0] == 0 < value[1]:
            return f"below {high}"
        return low if low == high else f"{low} to {high}"
    if isinstance(value, str):
        return value
    return _SHOWN[column.kind](value, decimals)


def _percent(value: float) -> str:
    return f"{100 * value:.4f} %" if value == 0 or abs(value) >= 1e-5 else f"{100 * value:.2e} %"


_SHOWN: dict[Kind, Callable[[Any, int], str]] = {
    Kind.TEXT: lambda value, _: str(value),
    Kind.WHOLE: lambda value, _: f"{value:,}",
    Kind.MONEY: money_text,
    Kind.SHARE: lambda value, _: _percent(float(value)),
    Kind.NUMBER: lambda value, _: f"{float(value):.6g}",
    Kind.ONE_IN: lambda value, _: f"{float(1 / value):,.1f}" if value else "never",
}


def _row_json(table: Table, row: tuple[Value, ...], decimals: int) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for column, value in _pairs(table, row):
        written[column.key] = _value_json(column, value, decimals)
        if isinstance(value, Fraction) and column.kind is not Kind.ONE_IN:
            written[f"{column.key}_decimal"] = float(value)
    return written


def _value_json(column: Column, value: Value, decimals: int) -> Any:
    if isinstance(value, Interval):
        return [money_text(value.low, decimals), money_text(value.high, decimals)]
    if isinstance(value, tuple):
        return list(value)
    if value is None or isinstance(value, str):
        return value
    if column.kind is Kind.ONE_IN:
        return float(1 / value) if value else None
    if column.kind is Kind.MONEY:
        assert isinstance(value, int), "money is whole minor units"
        return money_text(value, decimals)
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value


_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;color:#1b1b1b;background:#fff;margin:0}"
    "main{max-width:75rem;margin:auto;padding:1rem 1.5rem 4rem}h1{font-size:1.6rem}"
    "h2{font-size:1.15rem;margin-top:2.2rem}"
    "table{border-collapse:collapse;font-size:.86rem}"
    "th,td{padding:.22rem .6rem;border-bottom:1px solid #ddd;text-align:left;"
    "vertical-align:top}thead th{border-bottom:2px solid #555}td.n{text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}.wide{overflow-x:auto}figure{margin:1.5rem 0}img{max-width:100%;height:auto}"
    "figcaption{font-size:.86rem;color:#444}.facts td{overflow-wrap:anywhere}"
)
