"""Whether the history is proven, and to which record: what stands in the head of every page."""

from dataclasses import dataclass
from datetime import UTC, datetime

from house.console.regions import Region
from house.domain.people import Scope
from house.service.desk import House
from house.store import records


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far the history is signed.

    Parameters
    ----------
    signed
        Records under the last signed checkpoint; None in a house that signs nothing.
    root
        The root of the tree over them, as hex.
    at
        When the checkpoint was signed.
    late
        Whether the next one is overdue: it ought to have been signed by the house's own rule.
    """

    signed: int | None
    root: str = ""
    at: datetime | None = None
    late: bool = False


def of(house: House) -> Standing:
    """Tell how far a house's history is signed."""
    if house.seal is None or house.seal.last is None:
        return Standing(signed=None)
    _, checkpoint = house.seal.last
    sealing = house.seal.sealing
    at = datetime.fromtimestamp(sealing.checkpoints.stat().st_mtime, UTC)
    with house.read() as connection:
        waiting = records.next_number(connection) - checkpoint.size
    age_s = (datetime.now(UTC) - at).total_seconds()
    late = waiting > sealing.records or (waiting > 0 and age_s > 2 * sealing.seconds)
    return Standing(signed=checkpoint.size, root=checkpoint.root.hex(), at=at, late=late)


REGION = Region(Scope.PIT_READ, "shell/standing.html", lambda house, _: {"standing": of(house)})
