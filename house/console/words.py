"""Words of the trade for the ids of the books, as filters of the templates."""

from collections.abc import Callable, Mapping

from integrity.attacks import ATTACKS
from payouts.craps.catalogue import CATALOGUE


def bet(name: str) -> str:
    """Call a bet of a craps table; one that only a schedule knows by its id.

    >>> bet("dont_pass"), bet("house_special")
    ("don't pass", 'house special')
    """
    known = CATALOGUE.get(name)
    return name.replace("_", " ") if known is None else known.names[0]


def cheat(attack: str) -> str:
    """Say what a cheat looks like.

    >>> cheat("flats"), cheat("a_new_one")
    ('flats (shaved die)', 'a new one')
    """
    known = ATTACKS.get(attack)
    return attack.replace("_", " ") if known is None else known.name


FILTERS: Mapping[str, Callable[[str], str]] = {"bet": bet, "cheat": cheat}
"""`bet` and `cheat` put words for ids."""
