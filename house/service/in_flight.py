"""Idempotency keys whose first call is still on its way, in this process and no longer than it lives.

A claim on a key never outlives the transaction that it was made for: it is not stored. Another process that is given
the same key waits its turn at the writer, and finds the stored answer there.
"""

from concurrent.futures import Future
from threading import Lock
from typing import TypeVar

from house.domain.refusals import Refusal, Refused

AnswerT = TypeVar("AnswerT")


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
        """Forget a key: its call is answered, or was not taken."""
        with self._door:
            del self._fingerprints[key]

    def answered(self, key: str, carried: "Future[AnswerT]") -> "Future[AnswerT]":
        """Answer what was carried out once its key is free, so that whoever is answered may repeat the call at once.

        Cancelled in time, it is not carried out.
        """
        answered: Future[AnswerT] = Future()

        def answer(done: "Future[AnswerT]") -> None:
            self.free(key)
            if not answered.set_running_or_notify_cancel():
                return
            error = done.exception()
            if error is None:
                answered.set_result(done.result())
            else:
                answered.set_exception(error)

        answered.add_done_callback(lambda one: carried.cancel() if one.cancelled() else None)
        carried.add_done_callback(answer)
        return answered


def reused() -> Refused:
    """Say that a key was used for another request."""
    return Refused(Refusal.IDEMPOTENCY_KEY_REUSED, "the idempotency key was used for another request", field="key")
