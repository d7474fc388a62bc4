"""Rounds of other systems followed through the records alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from house.domain import rounds as domain
from house.domain.ids import PlayerId
from house.domain.ledger import ROUNDS, Entry, wallet
from house.domain.rounds import Kind, Known, Transfer
from house.service.rounds import swept

Body = Mapping[str, Any]
Pairs = list[tuple[str, object, object]]

MOVES = "a round moves what its messages say"


@dataclass(slots=True)
class RetracedRounds:
    """What the records so far make of the rounds."""

    _bets: dict[str, Transfer] = field(default_factory=dict)
    _leases_us: dict[str, int] = field(default_factory=dict)
    _rollbacks: dict[str, Transfer] = field(default_factory=dict)
    _won: set[str] = field(default_factory=set)
    _ended: set[str] = field(default_factory=set)
    _sent: set[str] = field(default_factory=set)

    def follow(self, body: Body, balances: Mapping[str, int]) -> Pairs:
        """Pairs of what a record of a round says and what is due, each under its invariant.

        Parameters
        ----------
        balances
            Signed balances before the record, minor units.
        """
        due, pairs = _FOLLOW[body["event"]](self, body, balances)
        said = [(one["kind"], one["lines"]) for one in body.get("entries", ())]
        lines = [(one.kind.value, [[line.account, line.amount] for line in one.postings]) for one in due]
        return [*pairs, (MOVES, said, lines)]

    def _known(self, bet: str, round_: str) -> Known:
        taken = self._bets.get(bet)
        return Known(
            bet=taken,
            rollback=self._rollbacks.get(bet),
            won=bet in self._won,
            ended=(round_ if taken is None else taken.round) in self._ended,
        )

    def _open(self, round_: str) -> list[Transfer]:
        return [bet for bet in self._bets.values() if bet.round == round_ and self._known(bet.id, round_).open]

    def message(self, body: Body, balances: Mapping[str, int]) -> tuple[list[Entry], Pairs]:
        """Follow a bet, a win or a rollback."""
        sent = Transfer(
            id=body["transaction"],
            kind=Kind(body["event"]),
            round=body["round"],
            player=PlayerId(body["player"]),
            amount=body["amount"],
            bet=body["reference"],
        )
        known = self._known(sent.bet, sent.round)
        pairs: Pairs = [("a transaction counts once", sent.id in self._sent, False)]
        if sent.kind is Kind.ROLLBACK:
            pairs.append(("a bet is undone once", known.rollback, None))
        entry = domain.book(sent, known)
        self._note(sent, body["lease_us"])
        own = wallet(sent.player).name
        moved = 0 if entry is None else sum(line.amount for line in entry.postings if line.account == own)
        pairs.append(("a wallet is told as it is", body["wallet"], -balances.get(own, 0) - moved))
        return ([] if entry is None else [entry]), pairs

    def _note(self, sent: Transfer, lease_us: int | None) -> None:
        self._sent.add(sent.id)
        if sent.kind is Kind.BET:
            assert lease_us is not None, "a bet has a lease"
            self._bets[sent.id], self._leases_us[sent.id] = sent, lease_us
        elif sent.kind is Kind.WIN:
            self._won.add(sent.bet)
        else:
            self._rollbacks[sent.bet] = sent

    def end(self, body: Body, _balances: Mapping[str, int]) -> tuple[list[Entry], Pairs]:
        """Follow the end of a round."""
        bets = self._open(body["round"])
        pairs: Pairs = [
            ("a round ends once", body["round"] in self._ended, False),
            ("what is open is lost at the end", body["bets"], [bet.id for bet in bets]),
        ]
        self._ended.add(body["round"])
        return [domain.lost(bet) for bet in bets], pairs

    def recovered(self, body: Body, balances: Mapping[str, int]) -> tuple[list[Entry], Pairs]:
        """Follow the recovery of a round."""
        bets = self._open(body["round"])
        live = [bet.id for bet in bets if self._leases_us[bet.id] > body["at_us"]]
        wallets = {bet.player: -balances.get(wallet(bet.player).name, 0) for bet in bets}
        pairs: Pairs = [
            ("a live round is left alone", live, []),
            ("what is open is returned by a recovery", body["bets"], domain.recovered(bets, wallets)),
        ]
        entries = [domain.returned(bet, Known(bet=bet)) for bet in bets]
        self._ended.add(body["round"])
        for bet in bets:
            self._note(domain.recovery(bet), None)
        return entries, pairs

    def sweep(self, body: Body, balances: Mapping[str, int]) -> tuple[list[Entry], Pairs]:
        """Follow the emptying of the rack of rounds."""
        lies = balances.get(ROUNDS.name, 0)
        return [swept(lies)], [("the rack of rounds is swept as it was", body["amount"], lies)]


_Follow = Callable[[RetracedRounds, Body, Mapping[str, int]], tuple[list[Entry], Pairs]]
_FOLLOW: Mapping[str, _Follow] = {
    **dict.fromkeys([kind.value for kind in Kind], RetracedRounds.message),
    "end": RetracedRounds.end,
    "recovered": RetracedRounds.recovered,
    "sweep": RetracedRounds.sweep,
}
