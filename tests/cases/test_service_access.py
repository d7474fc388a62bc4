"""Tokens, names and sessions (A10, D01, D04 of the service's case list), one test a row."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from house.domain.people import Role
from house.domain.refusals import Refusal, Refused
from house.service import access, cage, wagers
from house.service.desk import perform
from house.service.people import AddPerson, LockPerson
from house.service.throws import Throw, Thrown
from tests.house.pits import Pit
from tests.house.service.staff import hire, signed_in, token_of

PASS = wagers.Bet(player="ann", bet="pass", stake_minor=15_00)


def test_A10_what_is_won_is_paid_though_who_took_the_bet_is_locked_out_since(pit: Pit) -> None:
    pit.open_craps()
    taker, other = signed_in(pit, "d-1", Role.DEALER), signed_in(pit, "d-2", Role.DEALER)
    token = token_of(pit, "d-1")
    perform(pit.house, wagers.PlaceBets(table="c1", bets=(PASS,)), "bet", taker)
    before = pit.wallet("ann")
    pit.do(LockPerson(person="d-1"))
    pit.clock.now += timedelta(hours=1)
    with pytest.raises(Refused, match="not_signed_in"):
        access.actor(pit.house, token)
    natural = tuple(Thrown(die=f"c1-d{slot}", face=face) for slot, face in enumerate((4, 3)))
    settled = perform(pit.house, Throw(table="c1", dice=natural), "win", other).answer
    assert [movement.result for movement in settled.movements] == ["won"]
    assert pit.wallet("ann") == before + 30_00  # the stake and even money


def claims(pit: Pit, **other: Any) -> dict[str, Any]:
    now = int(pit.clock.now.timestamp())
    said = {"iss": "floorman", "aud": access.ACCESS, "sub": "p-1", "gen": 0, "iat": now, "exp": now + 900, "jti": "x"}
    return {name: value for name, value in {**said, "since": now, **other}.items() if value is not None}


def by_hand(header: dict[str, str], said: dict[str, Any], key: bytes | None) -> str:
    """A token made without any library that might object."""

    def encoded(part: bytes) -> str:
        return base64.urlsafe_b64encode(part).decode().rstrip("=")

    head = f"{encoded(json.dumps(header).encode())}.{encoded(json.dumps(said).encode())}"
    return f"{head}.{'' if key is None else encoded(hmac.digest(key, head.encode(), hashlib.sha256))}"


def test_D01_no_token_chooses_its_algorithm(sqlite_pit: Pit) -> None:
    pit, secret = sqlite_pit, sqlite_pit.house.secret
    hire(pit, "p-1", Role.ADMIN)
    good = by_hand({"alg": "HS256", "typ": "JWT"}, claims(pit), secret)
    assert access.actor(pit.house, good).id == "p-1"
    own = Ed25519PrivateKey.generate()
    public = own.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    forged = {
        "none": by_hand({"alg": "none"}, claims(pit), None),
        "None": by_hand({"alg": "None"}, claims(pit), None),
        "none, signed": by_hand({"alg": "none"}, claims(pit), secret),
        "no algorithm": by_hand({"typ": "JWT"}, claims(pit), secret),
        "HS256 by a public key": by_hand({"alg": "HS256"}, claims(pit), public),
        "HS256 by nothing": by_hand({"alg": "HS256"}, claims(pit), b""),
        "HS512 by the secret": jwt.encode(claims(pit), secret * 2, algorithm="HS512"),
        "EdDSA by a key of its own": jwt.encode(claims(pit), own, algorithm="EdDSA"),
        "a key within": by_hand({"alg": "HS256", "jwk": '{"kty":"oct","k":"AAAA"}'}, claims(pit), b"\0\0\0"),
        "no signature": good.rpartition(".")[0] + ".",
        "more after the end": good + "A" * 4,
    }
    for what, token in forged.items():
        with pytest.raises(Refused) as refused:
            access.actor(pit.house, token)
        assert refused.value.refusal is Refusal.NOT_SIGNED_IN, what


OTHERS: tuple[dict[str, Any], ...] = (
    *({name: None} for name in ("iss", "aud", "sub", "gen", "iat", "exp", "jti")),
    *({"aud": aud} for aud in (access.APPROVAL, "", ["floorman:other"], 1)),
    *({"iss": iss} for iss in ("Floorman", "", 1)),
    *({"exp": exp} for exp in ("9999999999", 1.5e12, -1, True, 0)),
    *({"gen": gen} for gen in (1, "0", True)),
    *({"sub": sub} for sub in ("house", "nobody", "", 1)),
    {"nbf": 99_999_999_999},
)
"""Claims of a token that differ from what they should be; None for one that is missing."""


def test_D01_a_token_says_all_that_it_must(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.ADMIN, password=None)
    for other in OTHERS:
        token = by_hand({"alg": "HS256"}, claims(sqlite_pit, **other), sqlite_pit.house.secret)
        with pytest.raises(Refused) as refused:
            access.actor(sqlite_pit.house, token)
        assert refused.value.refusal is Refusal.NOT_SIGNED_IN, other


def test_D04_a_name_is_normalised_once_and_is_never_who_somebody_is(pit: Pit) -> None:
    first = pit.do(AddPerson(person="p-1", name="ᴮᴵᴳᴮᴵᴿᴰ", roles=(Role.DEALER,)))
    assert (first.person, first.name, first.lookalikes) == ("p-1", "BIGBIRD", ())
    second = pit.do(AddPerson(person="p-2", name="ВІGВІRD", roles=(Role.DEALER,)))  # В and І of Cyrillic
    assert second.lookalikes == ("p-1",)
    for hidden in ("BIG\u200bBIRD", "BIG\u202eBIRD", "BIG\u2060BIRD", "\ufeffBIGBIRD"):
        with pytest.raises(Refused) as refused:
            pit.do(AddPerson(person="p-3", name=hidden, roles=(Role.DEALER,)))
        assert (refused.value.refusal, refused.value.field) == (Refusal.BAD_VALUE, "name")
    with pytest.raises(Refused) as refused:
        pit.do(AddPerson(person="p-3", name="Я" * 101, roles=(Role.DEALER,)))
    assert refused.value.limit.startswith("1 to 200 bytes")


def test_D04_a_players_lookalike_is_flagged_and_not_refused(pit: Pit) -> None:
    registered = pit.do(cage.RegisterPlayer(player="p-1", name="Аnn"))  # А of Cyrillic; ann has the name Ann
    assert (registered.player, registered.name, registered.lookalikes) == ("p-1", "Аnn", ("ann",))
    assert pit.do(cage.RegisterPlayer(player="p-2", name="Nobody Else")).lookalikes == ()
