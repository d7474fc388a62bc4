"""Identifiers as distinct types; all are opaque text."""

from typing import NewType

TableId = NewType("TableId", str)
PlayerId = NewType("PlayerId", str)
WagerId = NewType("WagerId", str)
RoundId = NewType("RoundId", str)
DieSerial = NewType("DieSerial", str)
BoxSerial = NewType("BoxSerial", str)
