"""Idempotency keys whose first call is still on its way, in this process and no longer than it lives.

A claim on a key never outlives the transaction that it was made for: it is not stored. Another process that is given
the same key waits its turn at the writer, and finds the stored answer there.
"""

from threading import Lock

from house.domain.refusals import Refusal, Refused


class InFlight:
    """The keys on their way, each with the fingerprint of its command."""

    def __init__(self) -> None:
        self._door = Lock()
        self._fingerprints: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._fingerprints)

    def claim(self, key: str, fingerprint: str) -> None:
        """Note that a call is on its way. Refused: IDEMPOTENCY_KEY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED."""
        with self._door:
            if key not in self._fingerprints:
                self._fingerprints[key] = fingerprint
                return
            found = self._fingerprints[key]
        if found != fingerprint:
            raise reused()
        message = "a call under this idempotency key is being carried out; ask again"
        raise Refused(Refusal.IDEMPOTENCY_KEY_IN_PROGRESS, message, field="key")

    def free(self, key: str) -> None:
        """Forget a key: its call is over, or was not taken. Whoever is answered may then repeat it at once."""
        with self._door:
            del self._fingerprints[key]


def reused() -> Refused:
    """Say that a key was used for another request."""
    return Refused(Refusal.IDEMPOTENCY_KEY_REUSED, "the idempotency key was used for another request", field="key")
