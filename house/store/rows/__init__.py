"""The tables of the database, private to the store."""

from house.store.rows.base import BIG, Row, table
from house.store.rows.books import (
    AccountRow,
    AnswerRow,
    EntryRow,
    HouseRow,
    PlayerRow,
    PostingRow,
    RecordRow,
    ScheduleRow,
    TreeNodeRow,
)
from house.store.rows.equipment import BoxRow, DieRow
from house.store.rows.play import AMOUNTS, DrawRow, GamingTableRow, SeedRow, SettlementRow, ThrowDieRow, ThrowRow

__all__ = [
    "AMOUNTS",
    "BIG",
    "AccountRow",
    "AnswerRow",
    "BoxRow",
    "DieRow",
    "DrawRow",
    "EntryRow",
    "GamingTableRow",
    "HouseRow",
    "PlayerRow",
    "PostingRow",
    "RecordRow",
    "Row",
    "ScheduleRow",
    "SeedRow",
    "SettlementRow",
    "ThrowDieRow",
    "ThrowRow",
    "TreeNodeRow",
    "table",
]
