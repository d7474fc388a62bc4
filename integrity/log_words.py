"""What an answer on a check of the log itself rests on, in sentences: the model, what is certain, who watches."""

from collections.abc import Callable, Mapping
from typing import Final

from integrity.log_power import CERTAIN, Terms, fewest_found, least_even_ever, thinning
from integrity.recycled import FEWEST_FACES, WINDOW
from integrity.suspicion import FEWEST_EVEN, SORTED_LOOKS, TOLERATED, sorted_share

JUDGED: Final[Mapping[str, str]] = {
    "voids": "hands and boxes compared with one another",
    "too_even": "dice in the log",
    "sorted": "dice in the throw",
    **dict.fromkeys(("recycled", "gaps", "twice", "refused"), "the log is looked at as one"),
}
"""What `dice` counts."""
NOT_WATCHED: Final = "A check of a whole log, made once when it is audited: nobody watches it, so looking has no price."
_NO_LUCK: Final = "Luck has no part in it: alpha and power do not enter."
_ROWS: Final[Mapping[str, tuple[str, str]]] = {
    "gaps": ("missing number", "throw"),
    "twice": ("repeated row", "row"),
    "refused": ("refused row", "kept row"),
}
_BLIND: Final[Mapping[str, str]] = {
    "gaps": "Numbers are missed between the throws of a table (or of a die): throws cut off at the start or the end, "
    "or taken out before the log was numbered anew, leave no gap. Steps backward are counted alike.",
    "twice": "A row is a repetition if its die stands in the same throw already; throws copied under new numbers are "
    "looked for as recycled rows.",
    "refused": "A row is refused if it cannot be right, such as a face 7; a wrong row that could be right is not seen.",
}


def of_check(name: str, size: float | None, throws: int | None, terms: Terms) -> tuple[str, ...]:
    """Say what an answer rests on; `size` or `throws` is None where nothing is found."""
    told = _facts(name, throws) if name in CERTAIN else _MODELS[name](size, throws, terms)
    return (*told, NOT_WATCHED)


def _facts(name: str, throws: int | None) -> tuple[str, ...]:
    what, among = _ROWS[name]
    if throws is None:
        found = f"1 {what} in {1 / TOLERATED:,.0f} and less is put down to the clerk, however long the log"
    else:
        count, log = fewest_found(name, throws), f"{throws:,} {among}{'s' if throws > 1 else ''}"
        found = f"1 {what} in a log of {log} is always found"
        if count > 1:
            found = f"{count:,} {what}s in a log of {log} are always found, {count - 1:,} never"
    return (f"{found}.", _BLIND[name], _NO_LUCK)


def _recycled(size: float | None, throws: int | None, terms: Terms) -> tuple[str, ...]:
    bits = thinning(throws or 0)
    if throws is None:
        first = f"A copy of fewer than {WINDOW} dice is not looked for, however short the log."
    elif size is None:
        first = f"A log of {throws:,} dice has no room for a stretch of {WINDOW} dice and its copy."
    elif bits:
        first = (
            f"In a log of {throws:,} dice 1 in {1 << bits:,} of all stretches of {WINDOW} dice is looked at, chosen by "
            f"their faces: a copy of {size:,.0f} dice is found in {terms.power:.0%} of cases or more."
        )
    else:
        first = (
            f"In a log of {throws:,} dice every stretch of {WINDOW} is looked at: a copy of {WINDOW} dice or more is "
            "always found, a shorter one never."
        )
    return (
        first,
        "A copy is the same faces in the same order of rows, whatever numbers, dice and times stand beside them.",
        f"Stretches with fewer than {FEWEST_FACES} different faces do not count.",
        "By chance two stretches agree in 1 of 100,000 logs of ten million fair dice: alpha does not enter.",
    )


def _voids(_: float | None, __: int | None, terms: Terms) -> tuple[str, ...]:
    return (
        f"Model: {terms.dice} hands and boxes, each with as many throws; one voids the size on top of accidents.",
        f"Accidents void {100 * terms.rate:.4g} % of all throws.",
        f"The exact chance of its voids among all voids is held against {terms.share:.2g}, shared over {terms.dice}.",
    )


def _too_even(_: float | None, __: int | None, terms: Terms) -> tuple[str, ...]:
    ever, over = 100 * least_even_ever(terms), f"{terms.dice} dice" if terms.dice > 1 else "the die"
    return (
        "Model: an inventor deals the size out in whole rounds of the six faces, in any order, and throws the rest.",
        "Chi-square shrinks by as much.",
        f"Under about {ever:.2f} % dealt out evenly no log is long enough for power {terms.power:.0%}.",
        f"Under {FEWEST_EVEN} throws of a die none is judged.",
        f"The left tail of chi-square is held against {terms.share:.2g}, shared over {over} and the whole log.",
    )


def _sorted(_: float | None, __: int | None, terms: Terms) -> tuple[str, ...]:
    return (
        f"Model: the logger puts the size of the throws of {terms.dice} dice in order; others are in order by chance.",
        f"From {100 * sorted_share(terms.dice):.4g} % of throws in order the logger is blamed, in however many throws.",
        f"Their exact chance is held against {terms.share / SORTED_LOOKS:.2g}.",
    )


_MODELS: Final[Mapping[str, Callable[[float | None, int | None, Terms], tuple[str, ...]]]] = {
    "voids": _voids,
    "too_even": _too_even,
    "sorted": _sorted,
    "recycled": _recycled,
}
