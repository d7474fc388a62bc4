"""Lives of dice and boxes."""

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Nothing yet."""
