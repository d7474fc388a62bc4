"""The house says no: one enumeration of reasons, ordered by precedence.

When several reasons hold at once, the earliest member is the one that is given. The value is the wire code.
"""

from dataclasses import dataclass
from enum import StrEnum


class Refusal(StrEnum):
    """Why the house says no, in order of precedence."""

    NOT_SIGNED_IN = "not_signed_in"
    NOT_ALLOWED = "not_allowed"
    SECOND_PERSON_NEEDED = "second_person_needed"
    IDEMPOTENCY_KEY_MISSING = "idempotency_key_missing"
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    IDEMPOTENCY_KEY_IN_PROGRESS = "idempotency_key_in_progress"
    BAD_VALUE = "bad_value"
    NOT_FOUND = "not_found"
    MISMATCH = "mismatch"
    ROLLED_BACK = "rolled_back"
    SETTLED = "settled"
    TOO_LATE = "too_late"
    LAST_ADMIN = "last_admin"
    ALREADY_EXISTS = "already_exists"
    SCHEDULE_CHANGED = "schedule_changed"
    TABLE_CLOSED = "table_closed"
    WRONG_GAME = "wrong_game"
    WRONG_METHOD = "wrong_method"
    NOT_IN_PLAY = "not_in_play"
    NOT_FIT = "not_fit"
    NOT_INSPECTED = "not_inspected"
    INCIDENT_CLOSED = "incident_closed"
    BAD_THROW = "bad_throw"
    BAD_CHOICE = "bad_choice"
    NOT_YOUR_TURN = "not_your_turn"
    NO_SEEDS = "no_seeds"
    BET_NOT_OFFERED = "bet_not_offered"
    BAD_SPOT = "bad_spot"
    BET_CLOSED = "bet_closed"
    CONTRACT_BET = "contract_bet"
    NO_PARENT_BET = "no_parent_bet"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    NOT_AN_INCREMENT = "not_an_increment"
    CANNOT_BE_PAID = "cannot_be_paid"
    ODDS_LIMIT = "odds_limit"
    WINNINGS_LIMIT = "winnings_limit"
    EXPOSURE_LIMIT = "exposure_limit"
    PLAYER_EXCLUDED = "player_excluded"
    PLAYER_LIMIT = "player_limit"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    BETS_RIDING = "bets_riding"
    COOLING_OFF = "cooling_off"
    STATE_CHANGED = "state_changed"


@dataclass(eq=False)
class Refused(Exception):
    """The house refuses a request.

    Parameters
    ----------
    refusal
        The reason; its value is the wire code.
    message
        One sentence for a person.
    field
        Name of the argument or JSON field at fault, or "".
    value
        What was given, as text.
    limit
        The bound that was broken, as text.
    replayed
        Whether an earlier request with the same idempotency key was refused so already.
    """

    refusal: Refusal
    message: str
    field: str = ""
    value: str = ""
    limit: str = ""
    replayed: bool = False

    def __str__(self) -> str:
        return f"{self.refusal}: {self.message}"
