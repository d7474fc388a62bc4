"""R3: a crash before and after every statement of what moves money: nothing is booked, and the retry converges."""

from typing import Any

import pytest

from house.domain.slips import SlipKind
from house.domain.throws import DieState
from house.service import cage, reports, tables, wagers
from house.service.corrections import CorrectThrow, Reason, Shown
from house.service.desk import Command
from house.service.rounds import BetOnRound, RollBackBet
from house.service.slips import WriteSlip
from tests.figures import Figure
from tests.house.pits import Pit
from tests.house.service.test_faults import COMMANDS, ERRORS, converge

pytestmark = pytest.mark.soak

ROUND: dict[str, Any] = {"round": "r1", "player": "ann", "currency": "USD"}
SHOWN = tuple(Shown(face=face, state=DieState.OK) for face in (3, 4))
EVERY: tuple[tuple[str, Command[Any]], ...] = (
    *zip(("buy_in", "bets", "settle"), COMMANDS, strict=True),
    ("correct", CorrectThrow(table="c1", throw=0, dice=SHOWN, reason=Reason.MISREAD)),
    ("fill", WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=500_00)),
    ("bet_on_a_round", BetOnRound(transaction="b1", amount_minor=10_00, **ROUND)),
    ("roll_back", RollBackBet(transaction="x1", reference="b1", amount_minor=10_00, **ROUND)),
    ("cash_out", cage.CashOut(player="ann", amount_minor=1_00)),
)
LEAST = 40


@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize("moment", ["before", "after"])
def test_r3_a_failure_at_any_statement_of_any_command_converges(
    pit: Pit, moment: str, kind: str, figure: Figure
) -> None:
    pit.open_craps()
    racked = tables.table(pit.house, "c1").float_minor
    points = {name: converge(pit, command, moment, kind) for name, command in EVERY}
    assert sum(points.values()) >= LEAST
    # Thrown as 4-5, the field paid ann 10.00 and any seven lost bob 5.00. Of 3-4, as it was, the field loses 10.00 and
    # any seven pays 4 to 1: bob has 20.00 more.
    assert pit.wallet("ann") == 10_000_00 + 1_00 - 10_00 - 1_00
    assert pit.wallet("bob") == 10_000_00 + 20_00
    assert tables.table(pit.house, "c1").float_minor == racked + 500_00 + 10_00 - 20_00
    assert wagers.riding(pit.house, "c1") == ()
    assert reports.check(pit.house).discrepancies == ()
    figure("R3", **{f"{pit.house._read_engine.dialect.name}_{moment}_{kind}": points}, not_converged=0)
