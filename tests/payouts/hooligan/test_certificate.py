"""Certificates: what is solved verifies, and a false claim is found where it stands."""

import json
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from payouts.errors import PayoutError
from payouts.hooligan.certificate import certificate, exact_certificate
from payouts.hooligan.checker import TOLERANCE, CertificateError, verify
from payouts.hooligan.exact import ExactSolver
from payouts.hooligan.players import Player
from payouts.hooligan.rules import HooliganKeep, HooliganRules, Natural
from payouts.hooligan.solver import solve

SMALL = HooliganRules(2, dice=2, faces=3)
READINGS = [
    HooliganRules(2, natural, must_show, kept, stop, 2, 3)
    for natural in Natural
    for must_show in (False, True)
    for kept, stop in ((HooliganKeep.ANY, True), (HooliganKeep.NONE, False))
]


def payouts(rules: HooliganRules) -> list[int]:
    random = Random(8)
    return [random.choice((0, random.randrange(1, 500))) for _ in range(rules.perfect_score + 1)]


def stored(document: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json.dumps(document))
    return read


@pytest.mark.parametrize("rules", READINGS, ids=str)
def test_exact_certificate_proves_the_exact_mean(rules: HooliganRules) -> None:
    pays = payouts(rules)
    proof = verify(stored(exact_certificate(rules, pays)))
    assert proof.mean == ExactSolver(rules, pays).mean()
    assert proof.proved_error == 0


@pytest.mark.parametrize("rules", READINGS, ids=str)
def test_certificate_in_floats_proves_the_mean_within_its_bound(rules: HooliganRules) -> None:
    pays = payouts(rules)
    proof = verify(stored(certificate(solve(rules, pays))))
    exact = ExactSolver(rules, pays).mean()
    assert abs(Fraction(proof.mean) - exact) <= proof.proved_error * exact
    assert proof.proved_error < Fraction(1, 10**10)


def test_certificate_of_the_full_game_verifies() -> None:
    """One throw a frame, with all dice and faces: every layer of the full game, in a few seconds."""
    rules = HooliganRules(throws_per_frame=1)
    pays = [0] * 60 + [100] * 20 + [30] * 46
    proof = verify(stored(certificate(solve(rules, pays))))
    exact = ExactSolver(rules, pays).mean()
    assert abs(Fraction(proof.mean) - exact) <= proof.proved_error * exact


def worth_of(key: str, more: float) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document["positions"][key]["worth"] += more

    return change


def lazy_choice(document: dict[str, Any]) -> None:
    """Take up all dice after the first throw of the game, whatever lies."""
    policy = document["positions"]["321H 0"]["policy"]
    policy[0] = "9" * len(policy[0])  # three numbers of three options each: the tenth is to take up


def taken_up_after_the_last_throw(document: dict[str, Any]) -> None:
    policy = document["positions"]["321H 0"]["policy"]
    policy[1] = "9" * len(policy[1])


def left_out(document: dict[str, Any]) -> None:
    del document["positions"]["21H 3"]


def paid_more(document: dict[str, Any]) -> None:
    document["pays"][5] += 1


def claimed_more(document: dict[str, Any]) -> None:
    document["mean"] *= 1.000001


@pytest.mark.parametrize(
    ("tamper", "named"),
    [
        (worth_of("321H 0", 1e-7), "start"),
        (worth_of("21H 3", -1e-7), "21H 3|321H 0"),
        (worth_of("H 6", 1e-7), "H 6"),
        (lazy_choice, "321H 0"),
        (taken_up_after_the_last_throw, "321H 0"),
        (left_out, "21H 3"),
        (paid_more, "position"),
        (claimed_more, "start"),
    ],
)
def test_false_claim_is_refused_where_it_stands(tamper: Callable[[dict[str, Any]], None], named: str) -> None:
    document = stored(certificate(solve(SMALL, payouts(SMALL))))
    tamper(document)
    with pytest.raises(CertificateError, match=named):
        verify(document)


def test_exact_certificate_allows_no_error_at_all() -> None:
    document = stored(exact_certificate(SMALL, payouts(SMALL)))
    worth = Fraction(document["positions"]["321H 0"]["worth"]) * (1 + TOLERANCE / 2**20)
    document["positions"]["321H 0"]["worth"] = document["mean"] = str(worth)
    with pytest.raises(CertificateError, match="321H 0"):
        verify(document)


def test_only_the_best_player_is_certified() -> None:
    with pytest.raises(PayoutError, match="best player"):
        certificate(solve(SMALL, payouts(SMALL), Player.SIMPLE))


def test_other_documents_are_refused() -> None:
    with pytest.raises(CertificateError, match="format must be"):
        verify({"format": "other"})


BROKEN: dict[str, Callable[[dict[str, Any]], object]] = {
    "format": lambda made: made.update(format=None),
    "no rules": lambda made: made.pop("rules"),
    "a reading too many": lambda made: made["rules"].update(extra=1),
    "a reading too few": lambda made: made["rules"].pop("dice"),
    "an unknown reading": lambda made: made["rules"].update(natural="never"),
    "a reading of another kind": lambda made: made["rules"].update(throws_per_frame="2"),
    "throws out of range": lambda made: made["rules"].update(throws_per_frame=99),
    "pays of text": lambda made: made.update(pays="none"),
    "a payout that is no integer": lambda made: made["pays"].__setitem__(0, 1.5),
    "a negative payout": lambda made: made["pays"].__setitem__(0, -1),
    "a payout too many": lambda made: made["pays"].append(1),
    "no mean": lambda made: made.pop("mean"),
    "a mean that is no number": lambda made: made.update(mean=float("nan")),
    "an infinite mean": lambda made: made.update(mean=float("inf")),
    "a mean of another kind": lambda made: made.update(mean="1/0"),
    "no positions": lambda made: made.update(positions=[]),
    "a position without a score": lambda made: made["positions"].update({"21": {"worth": 1.0}}),
    "a position of no box": lambda made: made["positions"].update({" 5": {"worth": 1.0}}),
    "a number that the dice do not have": lambda made: made["positions"].update({"6 0": {"worth": 1.0}}),
    "a score above the perfect one": lambda made: made["positions"].update({"H 999": {"worth": 1.0}}),
    "an entry without a worth": lambda made: made["positions"]["H 0"].pop("worth"),
    "an entry that is no object": lambda made: made["positions"].update({"H 0": [1.0]}),
    "a worth of text": lambda made: made["positions"]["H 0"].update(worth="1"),
    "a policy that is no list": lambda made: made["positions"]["321H 0"].update(policy=7),
    "a policy of numbers": lambda made: made["positions"]["321H 0"].update(policy=[1, 2]),
}


@pytest.mark.parametrize("breakage", BROKEN)
def test_what_has_not_the_form_of_a_certificate_is_refused_by_name(breakage: str) -> None:
    made = stored(certificate(solve(SMALL, payouts(SMALL))))
    assert verify(made).positions > 0
    BROKEN[breakage](made)
    with pytest.raises(CertificateError, match="must be"):
        verify(made)


def test_a_certificate_is_verified_as_it_was_made_too() -> None:
    made = certificate(solve(SMALL, payouts(SMALL)))
    assert verify(made) == verify(stored(made))
