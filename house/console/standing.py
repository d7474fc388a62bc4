"""Whether the history is proven, and to which record: what stands in the head of every page."""

import time
from dataclasses import dataclass

from house.service.desk import House


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far the history is signed.

    Parameters
    ----------
    signed
        Records under the last signed checkpoint; None in a house that signs nothing.
    root
        The root of the tree over them, as hex.
    age_s
        Seconds since the checkpoint was signed.
    """

    signed: int | None
    root: str = ""
    age_s: float = 0.0


def of(house: House, now_s: float | None = None) -> Standing:
    """Tell how far a house's history is signed; `now_s` is seconds of the epoch, by default now."""
    if house.seal is None or house.seal.last is None:
        return Standing(signed=None)
    _, checkpoint = house.seal.last
    signed_s = house.seal.sealing.checkpoints.stat().st_mtime
    age_s = (time.time() if now_s is None else now_s) - signed_s
    return Standing(signed=checkpoint.size, root=checkpoint.root.hex(), age_s=max(age_s, 0.0))
