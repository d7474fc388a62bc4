"""Bugs of public dice services (part C of the service's case list): promises, bias, nonces, an attacker at chance."""

import hashlib
import hmac
import json
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from sqlalchemy import text

from house.domain import fairness as pure
from house.domain.refusals import Refused
from house.service import fairness, reports, surveillance, wagers
from house.service.desk import open_house, perform
from house.service.generator import CommitSeeds, Draw, Drawn, RevealSeed, SetClientSeed, seeds
from tests.house.drawing import foretell, open_generated, promise
from tests.house.pits import Pit

Faces = tuple[int, ...]


@dataclass(frozen=True)
class Public:
    """What everyone knows before a throw is drawn.

    Parameters
    ----------
    revealed
        Seeds of the house that were revealed so far, the first one first.
    shown
        Faces of every throw so far.
    """

    commitment: str
    next_commitment: str
    client: str
    nonce: int
    revealed: Sequence[bytes]
    shown: Sequence[Faces]


def of_digest(digest: bytes) -> Faces:
    """Read two faces off a digest as a careless house would, or as ours reads its blocks."""
    return tuple(byte % 6 + 1 for byte in digest if byte < 252)[:2]


def keyed(key: bytes, known: Public) -> Faces:
    return of_digest(hmac.digest(key, f"{known.client}:{known.nonce}:0".encode(), "sha256"))


def hashed(value: bytes) -> Faces:
    return of_digest(hashlib.sha256(value).digest())


def counted(known: Public, place: int) -> Faces:
    """The most (0) or least (-1) frequent face so far, twice."""
    often = Counter(face for faces in known.shown for face in faces)
    return ([face for face, _ in often.most_common()] or [1])[place], 6


ATTACKS: dict[str, Callable[[Public], Faces]] = {
    "the commitment is the outcome's digest": lambda known: of_digest(bytes.fromhex(known.commitment)),
    "the digest of the commitment": lambda known: hashed(bytes.fromhex(known.commitment)),
    "commitment, client and nonce hashed": lambda known: hashed(
        f"{known.commitment}:{known.client}:{known.nonce}".encode()
    ),
    "the commitment as the key": lambda known: keyed(bytes.fromhex(known.commitment), known),
    "the commitment's text as the key": lambda known: keyed(known.commitment.encode(), known),
    "the next commitment as the key": lambda known: keyed(bytes.fromhex(known.next_commitment), known),
    "the client seed as the key": lambda known: keyed(known.client.encode(), known),
    "the last revealed seed still in use": lambda known: keyed((known.revealed or [b""])[-1], known),
    "a chain from the last revealed seed": lambda known: keyed(
        hashlib.sha256((known.revealed or [b""])[-1]).digest(), known
    ),
    "seeds that are 0": lambda known: keyed(bytes(32), known),
    "the last throw again": lambda known: (known.shown or [(1, 1)])[-1],
    "the face that leads": lambda known: counted(known, 0),
    "the face that is due": lambda known: counted(known, -1),
}

THROWS, REVEAL_EVERY = 300, 30
GUESSES = 2 * THROWS
TOLERANCE = 4 * (GUESSES * 5) ** 0.5 / 6
"""Four standard deviations of the hits of a guesser at chance, GUESSES / 6 of them: sqrt(GUESSES x 1/6 x 5/6)."""


def attacked(pit: Pit, throws: int) -> Counter[str]:
    """Let the house draw, tell everyone what is public, and count what each attack would have hit of both dice."""
    hits: Counter[str] = Counter(dict.fromkeys(ATTACKS, 0))
    revealed: list[bytes] = []
    shown: list[Faces] = []
    for number in range(throws):
        public = seeds(pit.house, "ann")
        known = Public(public.commitment, public.next_commitment, public.client or "", public.nonce, revealed, shown)
        guesses = {name: attack(known) for name, attack in ATTACKS.items()}
        drawn: Drawn = pit.do(Draw(table="g1"))
        for name, guess in guesses.items():
            hits[name] += sum(one == other for one, other in zip(guess, drawn.faces, strict=True))
        shown.append(drawn.faces)
        if number % REVEAL_EVERY == REVEAL_EVERY - 1:
            end = RevealSeed(player="ann", next_commitment=public.next_commitment, client=f"client-{number}")
            revealed.append(bytes.fromhex(pit.do(end).seed))
    return hits


def test_c01_an_attacker_who_knows_everything_public_stays_at_chance(sqlite_pit: Pit) -> None:
    # The seeds are fixed. Were they not, an attack at chance would leave the tolerance with probability 6.3e-5 (two
    # sides of four standard deviations), so one of the 13 with less than 0.09 %.
    foretell(sqlite_pit)
    open_generated(sqlite_pit)
    promise(sqlite_pit)
    hits = attacked(sqlite_pit, THROWS)
    assert {name: found for name, found in hits.items() if abs(found - GUESSES / 6) > TOLERANCE} == {}


def test_c01_the_same_attacker_foretells_a_house_that_promises_with_the_outcome_s_own_function(
    sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pure, "commitment", lambda seed: hashlib.sha256(seed).hexdigest())
    monkeypatch.setattr(pure, "faces", lambda seed, client, nonce, number: hashed(seed)[:number])
    foretell(sqlite_pit)
    open_generated(sqlite_pit)
    promise(sqlite_pit)
    assert attacked(sqlite_pit, 40)["the commitment is the outcome's digest"] == 2 * 40


def test_c02_no_face_is_favoured_by_a_byte(sqlite_pit: Pit) -> None:
    # Exact: each face has 42 of the 252 bytes that are used. A byte modulo 6 would give faces 1 to 4 43 bytes of 256.
    assert Counter(map(pure.face_of, range(256))) == {**dict.fromkeys(range(1, 7), 42), None: 4}
    assert Counter(byte % 6 + 1 for byte in range(256)) == {1: 43, 2: 43, 3: 43, 4: 43, 5: 42, 6: 42}
    # And the stream holds to it: 300,000 faces under fixed seeds, chi-square on 5 degrees of freedom, alpha 0.001
    # (quantile 20.515). A byte modulo 6 has noncentrality 300,000 x (4 x (43/256 - 1/6)^2 + 2 x (42/256 - 1/6)^2) x 6
    # = 36.6 here, which passes the quantile with probability 0.996.
    counts = Counter(face for nonce in range(300) for face in pure.faces(bytes(32), "bias", nonce, 1000))
    assert sum((found - 50_000) ** 2 / 50_000 for found in counts.values()) < 20.515


def test_c04_seeds_are_the_system_s_chance_and_never_the_same(sqlite_pit: Pit) -> None:
    assert sqlite_pit.house.entropy is secrets.token_bytes
    made = [promise(sqlite_pit, player) for player in ("ann", "bob")]
    assert len({one for pair in made for one in (pair.commitment, pair.next_commitment)}) == 4


def test_c05_a_commitment_is_in_the_history_before_a_seed_of_the_player_is_taken_for_it(pit: Pit) -> None:
    made = pit.do(CommitSeeds(player="ann"))
    for client in ("first", "second"):
        pit.do(SetClientSeed(player="ann", commitment=made.commitment, client=client))
    for number in range(3):
        following = seeds(pit.house, "ann").next_commitment
        pit.do(RevealSeed(player="ann", next_commitment=following, client=f"client-{number}"))
    promised: list[str] = []
    taken = 0
    with pit.house.read() as connection:
        records = connection.execute(text("SELECT kind, body FROM record ORDER BY number")).all()
    for kind, body in records:
        if kind == "seed_commit":
            promised.append(json.loads(body)["commitment"])
        if kind == "client_seed":
            taken += 1
            assert json.loads(body)["commitment"] in promised[:-1]  # and one more promise stands already
    assert (taken, len(promised)) == (5, 5)
    # No seed of the player is taken with the promise itself: he cannot name a commitment that he was not shown.
    with pytest.raises(Refused, match="state_changed"):
        pit.do(SetClientSeed(player="ann", commitment="0" * 64, client="blind"))


def test_c06_throws_drawn_at_once_never_share_a_nonce(pit: Pit) -> None:
    for table in ("g1", "g2"):
        open_generated(pit, table)
    commitment = promise(pit).commitment
    with open_house(pit.url, clock=pit.clock) as another, ThreadPoolExecutor(8) as threads:
        houses = (pit.house, another)

        def draw(number: int) -> Drawn:
            command = Draw(table=f"g{number % 2 + 1}")
            return perform(houses[number % 4 // 2], command, f"draw-{number}").answer

        drawn = list(threads.map(draw, range(48)))
    assert sorted(one.nonce for one in drawn) == list(range(48))
    assert {one.commitment for one in drawn} == {commitment}
    proof = fairness.proof(pit.house, commitment)
    assert {(draw.nonce, draw.table, draw.throw, draw.faces) for draw in proof.draws} == {
        (one.nonce, one.settled.table, one.settled.throw, one.faces) for one in drawn
    }
    assert reports.check(pit.house).discrepancies == ()


def test_c06_a_draw_repeated_with_its_key_draws_nothing_twice(pit: Pit) -> None:
    open_generated(pit)
    promise(pit)
    pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00), table="g1")
    replies = [perform(pit.house, Draw(table="g1"), "the-draw") for _ in range(5)]
    assert [reply.replayed for reply in replies] == [False, True, True, True, True]
    assert len({reply.body for reply in replies}) == 1
    assert seeds(pit.house, "ann").nonce == 1
    assert len(surveillance.throws(pit.house, "g1")) == 2
