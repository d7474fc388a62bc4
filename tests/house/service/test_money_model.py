"""Whatever is done in whatever order, the books hold: a random evening with every invariant after every step."""

import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from house.domain.limits import Measure, Span
from house.domain.refusals import Refused
from house.domain.slips import SlipKind
from house.domain.throws import DieState
from house.engines.hooligan import HooliganState, choice_json, dice_to_throw, open_choices
from house.service import (
    adjustments,
    cage,
    limits,
    markers,
    reports,
    rounds,
    schedules,
    sheets,
    shifts,
    slips,
    surveillance,
    tables,
    wagers,
)
from house.service.adjustments import Adjust, Cause, CollectOwed, Direction
from house.service.corrections import CorrectThrow, Reason, Shown
from house.service.desk import open_house, perform
from house.service.hooligan import Choose, StartGame
from house.service.throws import Throw, Thrown
from payouts.hooligan.rules import Choice, legal_choices
from tests.house.pits import Clock, Pit, drop_database, new_database

PLAYERS = ("ann", "bob", "cat")
FACE = st.integers(1, 6)
BETS = st.sampled_from(
    [("pass", ""), ("dont_pass", ""), ("come", ""), ("dont_come", ""), ("field", ""), ("any_seven", ""), ("horn", "")]
    + [("place", spot) for spot in ("4", "6", "9")]
    + [("hardway", "8"), ("buy", "4"), ("lay", "10"), ("inside", "")]
)
ROUND, BETS_OF_ROUNDS = st.sampled_from(["r1", "r2"]), st.integers(1, 4)
CHANGES = ["down", "press", "odds", "off"]
AMOUNT = st.sampled_from([1, 5_00, 22_00, 30_00, 40_00, 100_00, 5_000_00])


class Evening(RuleBasedStateMachine):
    """A house with a craps table and a counter; `cash` is what people carried in less what they carried out."""

    steps: ClassVar[int] = 0
    """How often the invariants were asked, over all evenings of this class."""
    pit: Pit
    cash: int
    done: list[tuple[Any, str, bytes]]
    over: dict[tuple[str, Measure, Span], int]

    @initialize()
    def open(self) -> None:
        clock, url = Clock(), self.new_url()
        self.pit, self.cash, self.done, self.over = Pit(open_house(url, clock=clock), url, clock), 0, [], {}
        self.attempt(cage.FundHouse(amount_minor=100_000_00), 100_000_00)
        for player in PLAYERS:
            self.pit.seat(player, 0)
        self.pit.do(markers.SetCreditLine(player="ann", line_minor=500_00))
        self.pit.open_craps(opener=1_000_00)
        self.pit.open_hooligan(schedule="quarter-ladder", opener=1_000_00)
        self.pit.do(wagers.JoinRail(table="c1", player="bob"))

    def new_url(self) -> str:
        """URL of a new database."""
        return f"sqlite:///{Path(tempfile.mkdtemp()) / 'house.db'}"

    def teardown(self) -> None:
        if hasattr(self, "pit"):
            self.pit.house.close()
            drop_database(self.pit.url)
            if self.pit.url.startswith("sqlite"):
                shutil.rmtree(Path(self.pit.url.removeprefix("sqlite:///")).parent)

    def attempt(self, command: Any, cash: int = 0) -> Any:
        """Carry out a command; a refusal must leave the trial balance as it was."""
        before = reports.trial_balance(self.pit.house)
        key = f"step-{len(self.done)}-{self.pit.keys}"
        self.pit.keys += 1
        try:
            reply = perform(self.pit.house, command, key)
        except Refused:
            assert reports.trial_balance(self.pit.house) == before
            return None
        self.cash += cash
        self.done.append((command, key, reply.body))
        return reply.answer

    @rule(player=st.sampled_from(PLAYERS), amount=AMOUNT)
    def buy_in(self, player: str, amount: int) -> None:
        self.attempt(cage.BuyIn(player=player, amount_minor=amount), amount)

    @rule(player=st.sampled_from(PLAYERS), amount=AMOUNT)
    def cash_out(self, player: str, amount: int) -> None:
        self.attempt(cage.CashOut(player=player, amount_minor=amount), -amount)

    @rule(kind=st.sampled_from(SlipKind), amount=AMOUNT)
    def slip(self, kind: SlipKind, amount: int) -> None:
        self.attempt(slips.WriteSlip(kind=kind, table="c1", amount_minor=amount))

    @rule(kind=st.sampled_from(SlipKind), number=st.integers(1, 6))
    def void_slip(self, kind: SlipKind, number: int) -> None:
        self.attempt(slips.VoidSlip(kind=kind, number=number, reason="wrong table"))

    @rule(player=st.sampled_from(PLAYERS), table=st.sampled_from(["c1", "h1"]), amount=AMOUNT)
    def buy_in_at_table(self, player: str, table: str, amount: int) -> None:
        self.attempt(slips.TableBuyIn(table=table, player=player, amount_minor=amount), amount)

    @rule(table=st.sampled_from(["c1", "h1"]), over=st.sampled_from([0, 0, 5_00, -5_00]))
    def count_drop(self, table: str, over: int) -> None:
        box = tables.table(self.pit.house, table).drop_minor
        self.attempt(slips.CountDrop(table=table, counted_minor=max(0, box + over)), max(over, -box))

    @rule(player=st.sampled_from(PLAYERS), amount=AMOUNT, table=st.sampled_from([None, "c1"]))
    def marker(self, player: str, amount: int, table: str | None) -> None:
        self.attempt(markers.IssueMarker(player=player, amount_minor=amount, table=table))

    @rule(player=st.sampled_from(PLAYERS), amount=AMOUNT, cash=st.booleans())
    def pay_marker(self, player: str, amount: int, cash: bool) -> None:
        self.attempt(markers.RedeemMarker(player=player, amount_minor=amount, cash=cash), amount if cash else 0)

    @rule(player=st.sampled_from(PLAYERS), amount=AMOUNT)
    def toke(self, player: str, amount: int) -> None:
        self.attempt(cage.Toke(player=player, amount_minor=amount))

    @rule(amount=AMOUNT)
    def pay_tokes(self, amount: int) -> None:
        self.attempt(cage.PayTokes(amount_minor=amount), -amount)

    @rule(amount=AMOUNT, takes=st.booleans())
    def capital(self, amount: int, takes: bool) -> None:
        if takes:
            self.attempt(cage.WithdrawCapital(amount_minor=amount * 10), -amount * 10)
        else:
            self.attempt(cage.FundHouse(amount_minor=amount), amount)

    @rule(
        player=st.sampled_from(PLAYERS),
        measure=st.sampled_from(Measure),
        span=st.sampled_from(Span),
        amount=st.sampled_from([100_00, 1_000_00, 10_000_00, None]),
    )
    def set_limit(self, player: str, measure: Measure, span: Span, amount: int | None) -> None:
        found = self.attempt(limits.SetLimit(player=player, measure=measure, span=span, amount_minor=amount))
        for one in found.limits:
            self.over[player, one.measure, one.span] = one.used_minor

    @rule(hours=st.sampled_from([1, 12, 24]))
    def time_goes_by(self, hours: int) -> None:
        self.pit.clock.now += timedelta(hours=hours)
        self.pit.keys += 1
        perform(self.pit.house, shifts.EndShift(name="shift"), f"shift-{self.pit.keys}")

    @rule(bets=st.lists(st.tuples(st.sampled_from(PLAYERS), BETS, AMOUNT, st.booleans()), min_size=1, max_size=3))
    def bet(self, bets: list[tuple[str, tuple[str, str], int, bool]]) -> None:
        window = tuple(
            wagers.Bet(player=player, bet=bet, spot=spot, stake_minor=amount, toke=toke)
            for player, (bet, spot), amount, toke in bets
        )
        self.attempt(wagers.PlaceBets(table="c1", bets=window))

    @rule(
        pick=st.integers(0, 50),
        part=st.sampled_from([None, 1_00]),
        what=st.sampled_from(CHANGES),
    )
    def change(self, pick: int, part: int | None, what: str) -> None:
        riding = wagers.riding(self.pit.house, "c1")
        if not riding:
            return
        one = riding[pick % len(riding)]
        wager, player = one["wager"], one["player"]
        if what == "down":
            self.attempt(wagers.TakeDownBets(table="c1", wagers=(wagers.TakeDown(wager=wager, stake_minor=part),)))
        elif what == "press":
            self.attempt(wagers.PressBets(table="c1", wagers=(wagers.Press(wager=wager, stake_minor=10_00),)))
        elif what == "off":
            call = wagers.WagerCall(wager=wager, call=wagers.Call.OFF)
            self.attempt(wagers.CallWagers(table="c1", calls=(call,)))
        else:
            odds = wagers.Bet(player=player, bet="odds", stake_minor=10_00, parent=wager)
            self.attempt(wagers.PlaceBets(table="c1", bets=(odds,)))

    @rule(faces=st.tuples(FACE, FACE), state=st.sampled_from([DieState.OK] * 9 + [DieState.COCKED]))
    def throw_craps(self, faces: tuple[int, int], state: DieState) -> None:
        dice = (Thrown(die="c1-d0", face=faces[0]), Thrown(die="c1-d1", face=faces[1], state=state))
        assert self.attempt(Throw(table="c1", dice=dice)) is not None

    @rule(player=st.sampled_from(PLAYERS))
    def start_game(self, player: str) -> None:
        self.attempt(StartGame(table="h1", player=player))

    @precondition(lambda self: tables.table(self.pit.house, "h1").round)
    @rule(faces=st.lists(FACE, min_size=5, max_size=5), pick=st.integers(0, 100), times=st.integers(1, 6))
    def throw_hooligan(self, faces: list[int], pick: int, times: int) -> None:
        for _ in range(times):
            self.one_throw_of_hooligan(faces, pick)

    def one_throw_of_hooligan(self, faces: list[int], pick: int) -> None:
        view = tables.table(self.pit.house, "h1")
        if not view.round:
            return
        with self.pit.house.read() as connection:
            schedule = schedules.of(self.pit.house, connection, view.fingerprint)
        state = HooliganState.from_json(dict(view.state))
        choice: Choice | None = None
        if view.offered:
            open_now = legal_choices(schedule.rules, state.game.position)  # type: ignore[union-attr]
            assert open_choices(state, schedule) == tuple(map(choice_json, open_now))  # type: ignore[arg-type]
            choice = open_now[pick % len(open_now)]
        slots = dice_to_throw(state, schedule, choice)  # type: ignore[arg-type]
        if not slots:
            assert self.attempt(Choose(table="h1", choice=str(choice))) is not None
            return
        dice = tuple(Thrown(die=f"h1-d{slot}", face=faces[slot]) for slot in slots)
        command = Throw(table="h1", dice=dice, choice=None if choice is None else str(choice))
        assert self.attempt(command) is not None

    @rule(
        table=st.sampled_from(["c1", "c1", "h1"]),
        faces=st.lists(FACE, min_size=5, max_size=5),
        state=st.sampled_from([DieState.OK] * 4 + [DieState.COCKED]),
    )
    def correct(self, table: str, faces: list[int], state: DieState) -> None:
        last = tables.table(self.pit.house, table).next_throw - 1
        logged = surveillance.throws(self.pit.house, table, after=last - 1)
        dice = tuple(Shown(face=face, state=state) for _, face in zip(logged, faces, strict=False))
        self.attempt(CorrectThrow(table=table, throw=last, dice=dice, reason=Reason.MISREAD))

    @rule(player=st.sampled_from(PLAYERS), direction=st.sampled_from(Direction), amount=AMOUNT)
    def adjust(self, player: str, direction: Direction, amount: int) -> None:
        why: dict[str, Any] = {"table": "c1", "throw": 0, "cause": Cause.DISPUTE}
        self.attempt(Adjust(player=player, direction=direction, amount_minor=amount, **why))

    @rule(pick=st.integers(0, 2))
    def collect(self, pick: int) -> None:
        debtors = adjustments.debtors(self.pit.house)
        if debtors:
            one = debtors[pick % len(debtors)]
            self.attempt(CollectOwed(player=one.player, amount_minor=one.owed_minor))

    @rule(
        what=st.sampled_from(["bet", "bet", "win", "rollback"]),
        player=st.sampled_from(PLAYERS),
        round_=ROUND,
        number=BETS_OF_ROUNDS,
        amount=AMOUNT,
    )
    def round_(self, what: str, player: str, round_: str, number: int, amount: int) -> None:
        common: dict[str, Any] = {
            "round": f"{round_}-{player}",
            "player": player,
            "amount_minor": amount,
            "currency": "USD",
        }
        bet = f"{player}-{round_}-{number}"
        if what == "bet":
            self.attempt(rounds.BetOnRound(transaction=bet, lease_s=3600, **common))
        elif what == "win":
            self.attempt(rounds.WinOnRound(transaction=f"win-{bet}-{amount}", reference=bet, **common))
        else:
            self.attempt(rounds.RollBackBet(transaction=f"back-{bet}-{amount}", reference=bet, **common))

    @rule(what=st.sampled_from(["end", "recover", "sweep"]), player=st.sampled_from(PLAYERS), round_=ROUND)
    def rounds_end(self, what: str, player: str, round_: str) -> None:
        commands: dict[str, Any] = {
            "end": rounds.EndRound(round=f"{round_}-{player}"),
            "recover": rounds.RecoverRounds(),
            "sweep": rounds.SweepRounds(),
        }
        self.attempt(commands[what])

    @precondition(lambda self: self.done)
    @rule(pick=st.integers(0, 1000))
    def repeat(self, pick: int) -> None:
        command, key, body = self.done[pick % len(self.done)]
        before = reports.trial_balance(self.pit.house)
        reply = perform(self.pit.house, command, key)
        assert (reply.replayed, reply.body) == (True, body)
        assert reports.trial_balance(self.pit.house) == before

    @rule()
    def restart(self) -> None:
        self.pit.reopen()

    @invariant()
    def the_books_hold(self) -> None:
        if not hasattr(self, "pit"):
            return
        type(self).steps += 1
        assert reports.check(self.pit.house).discrepancies == ()
        accounts = {line.account: line.balance_minor for line in reports.trial_balance(self.pit.house).accounts}
        places = sum(
            amount
            for name, amount in accounts.items()
            if name.startswith(("house:table:", "house:rounds:float", "cage:"))
        )
        assert places == self.cash  # money is neither made nor lost: vault, deposits, racks and drop boxes
        self.the_sheets_say_what_the_bets_brought(accounts)
        self.limits_hold()

    def the_sheets_say_what_the_bets_brought(self, accounts: dict[str, int]) -> None:
        """Win of all sheets, by closers, drop and slips, is what is booked as win, but for trade: none here."""
        count = len(shifts.shifts(self.pit.house))
        won = sum(sheets.sheet_of_shift(self.pit.house, number + 1).total.win_minor for number in range(count + 1))
        assert won == accounts["house:win"] + accounts["house:breakage"]

    def limits_hold(self) -> None:
        """No player is further beyond a limit than when he set it; a loss grows as days that won pass out of a week."""
        for player in PLAYERS:
            for one in limits.limits(self.pit.house, player).limits:
                if one.amount_minor is not None and one.measure is not Measure.LOSS:
                    assert one.used_minor <= max(one.amount_minor, self.over[player, one.measure, one.span])


def settings_of(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def test_the_books_hold_through_random_evenings_on_sqlite() -> None:
    run_state_machine_as_test(Evening, settings=settings_of(examples=2, steps=30))


def test_the_books_hold_through_random_evenings_on_postgresql(postgresql_server: str, house_template: str) -> None:
    class OnPostgresql(Evening):
        def new_url(self) -> str:
            return new_database(postgresql_server, house_template)

    run_state_machine_as_test(OnPostgresql, settings=settings_of(examples=1, steps=20))
