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
from house.store.rows.cage import (
    CreditLineRow,
    ExclusionRow,
    PlayerDayRow,
    PlayerLimitRow,
    RackCountRow,
    ShiftRow,
    SlipRow,
    SlipVoidRow,
)
from house.store.rows.equipment import BoxRow, CountRow, DieRow, HandRow, PieceEventRow
from house.store.rows.laboratory import IncidentEventRow, IncidentRow, SnapshotRow, WatchRow, WatchSpanRow
from house.store.rows.people import ApiKeyRow, ApprovalRow, PersonRow
from house.store.rows.play import AMOUNTS, DrawRow, GamingTableRow, SeedRow, SettlementRow, ThrowDieRow, ThrowRow
from house.store.rows.rounds import CorrectionDieRow, CorrectionRow, RoundEndRow, TransferRow, UndoneRow

__all__ = [
    "AMOUNTS",
    "BIG",
    "AccountRow",
    "AnswerRow",
    "ApiKeyRow",
    "ApprovalRow",
    "BoxRow",
    "CorrectionDieRow",
    "CorrectionRow",
    "CountRow",
    "CreditLineRow",
    "DieRow",
    "DrawRow",
    "EntryRow",
    "ExclusionRow",
    "GamingTableRow",
    "HandRow",
    "HouseRow",
    "IncidentEventRow",
    "IncidentRow",
    "PersonRow",
    "PieceEventRow",
    "PlayerDayRow",
    "PlayerLimitRow",
    "PlayerRow",
    "PostingRow",
    "RackCountRow",
    "RecordRow",
    "RoundEndRow",
    "Row",
    "ScheduleRow",
    "SeedRow",
    "SettlementRow",
    "ShiftRow",
    "SlipRow",
    "SlipVoidRow",
    "SnapshotRow",
    "ThrowDieRow",
    "ThrowRow",
    "TransferRow",
    "TreeNodeRow",
    "UndoneRow",
    "WatchRow",
    "WatchSpanRow",
    "table",
]
