"""Rounds of other systems, corrections and adjustments."""

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nothing yet."""
