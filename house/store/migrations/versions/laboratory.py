"""Snapshots of the monitors, alarms and incidents."""

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Nothing yet."""
