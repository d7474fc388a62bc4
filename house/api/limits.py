"""How often anybody may ask: token buckets, one for whoever asks, a stricter one for signing in.

A token has a bucket of its own only after it was found good: whoever makes tokens up stays an address.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.types import Scope

SIGN_IN = frozenset(
    {"/v1/tokens", "/v1/approvals", "/v1/owner", "/v1/password", "/sign-in", "/first-run", "/me/password"}
)
"""Addresses where a password is tried: every write to one of them counts against the stricter limit."""

MOST = 10_000
"""Buckets that are kept; where there are more, those that are full again are forgotten."""


@dataclass(slots=True)
class Limit:
    """So many requests a second for each who asks, and so many at once.

    Parameters
    ----------
    per_s
        Requests that a bucket gains in a second.
    burst
        Requests that it holds.
    """

    per_s: float
    burst: int
    now_s: Callable[[], float] = time.monotonic
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)

    def wait_s(self, who: str) -> float:
        """Take one request out of a bucket; 0 if there was one, else seconds until there is.

        >>> clock = iter((0.0, 0.0, 0.0, 0.5))
        >>> limit = Limit(2.0, 2, lambda: next(clock))
        >>> [limit.wait_s("ann") for _ in range(4)]
        [0.0, 0.0, 0.5, 0.0]
        """
        now = self.now_s()
        held, at = self._buckets.get(who, (float(self.burst), now))
        held = min(self.burst, held + (now - at) * self.per_s)
        if held < 1:
            self._buckets[who] = held, now
            return (1 - held) / self.per_s
        if len(self._buckets) >= MOST and who not in self._buckets:
            self._forget(now)
        self._buckets[who] = held - 1, now
        return 0.0

    def _forget(self, now: float) -> None:
        """Forget the buckets that are full again; the older half if too few are."""
        filled = [who for who, (held, at) in self._buckets.items() if held + (now - at) * self.per_s >= self.burst]
        for who in filled if len(filled) > MOST // 2 else [*self._buckets][: MOST // 2]:
            del self._buckets[who]


@dataclass(frozen=True, slots=True)
class Limits:
    """Both limits of a service."""

    requests: Limit
    sign_ins: Limit
    _good: dict[str, None] = field(default_factory=dict)

    def wait_s(self, scope: Scope) -> float:
        """Count a request; 0 if it may go on, else seconds until it may be made."""
        address = (scope.get("client") or ("",))[0]
        if scope["method"] != "GET" and scope["path"] in SIGN_IN:
            return self.sign_ins.wait_s(address)
        token = _token(scope)
        return self.requests.wait_s(token if token in self._good else address)

    def answered(self, scope: Scope) -> None:
        """Note that the token of a request was good if somebody was found by it."""
        token = _token(scope)
        if token and scope.get("actor") is not None and token not in self._good:
            if len(self._good) >= MOST:
                for one in [*self._good][: MOST // 2]:
                    del self._good[one]
            self._good[token] = None


def _token(scope: Scope) -> str:
    """Digest of what a request carries to say who asks; "" if it carries nothing."""
    known: str | None = scope.get("token_digest")
    if known is None:
        token = next((value for name, value in scope["headers"] if name == b"authorization"), None)
        known = scope["token_digest"] = "" if token is None else hashlib.sha256(token).hexdigest()
    return known
