"""People, their secrets and their keys."""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Nothing yet."""
