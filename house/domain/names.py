"""Names that look alike: a skeleton under which they are the same, to warn of, never to refuse by.

The table covers the Latin letters' twins in Cyrillic and Greek, digits that pass for letters, and marks; it is not
Unicode's whole table of confusables.
"""

import unicodedata

_TWINS = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕԁԛԝһӏгпꙋ", "abekmhopctyxijsdqwhlrnu", strict=True)),
        **dict(zip("αβεικνορτυχγωηϲϳ", "abeiknoptuxywncj", strict=True)),
        **dict(zip("0135ıɩøđłħŧŋ", "olesiiodlhtn", strict=True)),
    }
)


def skeleton(name: str) -> str:
    """Reduce a name to what the eye sees of it: no case, marks, spaces or punctuation, lookalikes as one letter.

    Parameters
    ----------
    name
        In NFKC.

    Examples
    --------
    >>> skeleton("Ann Archer") == skeleton("Аnn-Аrсher") == skeleton("ánn archer")
    True
    """
    bare = unicodedata.normalize("NFD", name.casefold())
    kept = (one for one in bare if unicodedata.category(one)[0] in "LN")
    return "".join(kept).translate(_TWINS).replace("i", "l").replace("rn", "m").replace("vv", "w")
