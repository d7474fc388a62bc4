"""Refusals as a sentence for people: the field by its label, and amounts as money."""

import re
from collections.abc import Mapping

from house.console.figures import chips
from house.domain.refusals import Refusal, Refused

_WHOLE = re.compile(r"(?<![\w-])(?<!\d[:.,])\d+(?![\w-]|[:.,]\d)")
"""A whole number that is no part of a word, a date or a time."""
_WORDS = (
    (re.compile(r"with the scope [a-z_]+:approve"), "whose role lets him approve it"),
    (re.compile(r"needs the scope [a-z_]+:[a-z]+"), "needs a role that may do so"),
    (re.compile(r"must be a whole number from (?=\$|[A-Z]{3})"), "must be from "),
    (re.compile(r"^cage:vault\b"), "the vault"),
    (re.compile(r"^house:table:(\S+):float\b"), r"the rack of \1"),
    (re.compile(r"^player:(\S+):wallet\b"), r"the account of \1"),
)
"""What people say for scopes, kinds of numbers and accounts."""

BOUND: Mapping[Refusal, str] = {
    Refusal.BELOW_MINIMUM: "at least {}",
    Refusal.ABOVE_MAXIMUM: "at most {} in all",
    Refusal.NOT_AN_INCREMENT: "a multiple of {}",
    Refusal.CANNOT_BE_PAID: "a multiple of {}",
    Refusal.ODDS_LIMIT: "at most {} in all",
    Refusal.WINNINGS_LIMIT: "winnings on this spot are at most {}",
    Refusal.EXPOSURE_LIMIT: "the exposure is at most {}",
    Refusal.PLAYER_LIMIT: "{} is left",
}
"""What the limit of a refusal bounds, for the refusals that are about money."""


def said(refused: Refused, currency: str, label: str = "") -> str:
    """Say a refusal; what was given stands as it is, also at the beginning.

    Parameters
    ----------
    label
        What the page calls the field.

    Examples
    --------
    >>> said(Refused(Refusal.INSUFFICIENT_FUNDS, "the rack is short", "amount_minor", "900", "at most 500"), "USD")
    'The rack is short: at most $5'
    >>> said(Refused(Refusal.BAD_VALUE, "person must be 1 to 64 letters", "person"), "USD", "Id")
    'Id must be 1 to 64 letters'
    >>> message = "cage:vault does not hold the amount"
    >>> short = Refused(Refusal.INSUFFICIENT_FUNDS, message, "amount_minor", "900", "at most 500")
    >>> said(short, "USD")
    'The vault does not hold the amount: at most $5'
    >>> late = "the limit is 5000: a raise from 2026-03-01T06:00:00Z"
    >>> said(Refused(Refusal.PLAYER_LIMIT, late, "amount_minor", "1", "700"), "USD")
    'The limit is $50: a raise from 2026-03-01T06:00:00Z: $7 is left'
    >>> said(Refused(Refusal.NO_PARENT_BET, "ann has 2 flat bets on 9", "at", "ann"), "USD")
    'ann has 2 flat bets on 9'
    """
    name = refused.field.rpartition(".")[2]
    message = refused.message
    if name and message.startswith(f"{name} "):
        message = f"{label or name.removesuffix('_minor').replace('_', ' ')} {message.removeprefix(f'{name} ')}"
    if refused.limit and refused.limit not in message:
        message = f"{message}: {BOUND.get(refused.refusal, '{}').format(refused.limit)}"
    if refused.refusal in BOUND or name.endswith("_minor") or name in ("stake", "stake_minor"):
        message = _WHOLE.sub(lambda found: chips(int(found[0]), currency), message)
    for found, words in _WORDS:
        message = found.sub(words, message)
    given = refused.value and message.startswith(f"{refused.value} ")
    return message if given else message[:1].upper() + message[1:]
