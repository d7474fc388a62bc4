"""The lives of dice and boxes: received, inspected, issued, returned, suspected, sealed, cancelled, destroyed.

`LIFE` is the whole of it: what may happen to a piece in each state, and what it is then. Events that take two people
are commands with a second person; the table does not know who acts.
"""

from collections.abc import Mapping
from enum import StrEnum


class Kind(StrEnum):
    """What a piece is."""

    DIE = "die"
    BOX = "box"


class State(StrEnum):
    """Where a piece stands in its life."""

    RESERVE = "reserve"  # in storage, never inspected
    READY = "ready"  # in storage, passed its inspection
    IN_PLAY = "in_play"
    USED = "used"  # back in storage, not inspected since
    FAILED = "failed"
    SUSPECTED = "suspected"  # taken aside
    SEALED = "sealed"
    CANCELLED = "cancelled"  # marked so that it cannot be used again
    DESTROYED = "destroyed"


class Event(StrEnum):
    """What happens to a piece."""

    REGISTERED = "registered"  # by one person
    RECEIVED = "received"  # by two
    PASSED = "passed"
    FAILED = "failed"
    MOVED = "moved"
    ISSUED = "issued"
    RETURNED = "returned"
    SUSPECTED = "suspected"
    CLEARED = "cleared"
    SEALED = "sealed"
    CANCELLED = "cancelled"
    DESTROYED = "destroyed"


FIT = (State.RESERVE, State.READY, State.USED)
"""States from which a piece may come into play, where an inspection is not required."""

ON_HAND = (*FIT, State.FAILED, State.SUSPECTED, State.SEALED, State.CANCELLED)
"""States of what lies in a storage area."""

_UNSEALED = (*FIT, State.FAILED, State.IN_PLAY)

LIFE: Mapping[tuple[State | None, Event], State] = {
    (None, Event.REGISTERED): State.RESERVE,
    (None, Event.RECEIVED): State.RESERVE,
    **{(state, Event.MOVED): state for state in ON_HAND},
    **{(state, Event.PASSED): State.READY for state in FIT},
    (State.IN_PLAY, Event.PASSED): State.IN_PLAY,
    **{(state, Event.FAILED): State.FAILED for state in (*FIT, State.IN_PLAY)},
    **{(state, Event.ISSUED): State.IN_PLAY for state in FIT},
    (State.IN_PLAY, Event.RETURNED): State.USED,
    **{(state, Event.SUSPECTED): State.SUSPECTED for state in _UNSEALED},
    (State.SUSPECTED, Event.CLEARED): State.USED,
    **{(state, Event.SEALED): State.SEALED for state in (*_UNSEALED, State.SUSPECTED)},
    **{(state, Event.CANCELLED): State.CANCELLED for state in (*FIT, State.FAILED)},
    (State.CANCELLED, Event.DESTROYED): State.DESTROYED,
    (State.SEALED, Event.DESTROYED): State.DESTROYED,
}
"""State before (None: not known yet) and event -> state after; what is not here cannot happen."""
