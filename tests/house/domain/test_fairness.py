"""The generator's stream: published vectors, no favoured face, and the same faces by a second implementation in SQL."""

import hashlib
import hmac
from collections import Counter

import duckdb
import pytest

from house.domain import fairness

ZEROS, RISING = bytes(32), bytes(range(32))

VECTORS = (  # the service's notes, 4.2
    (ZEROS, "client", 0, (4, 6, 2, 1, 5, 1, 2, 3, 1, 5)),
    (RISING, "alice", 1, (6, 5, 5, 1, 6, 3, 4, 4, 2, 2)),
)


@pytest.mark.parametrize(("seed", "client", "nonce", "faces"), VECTORS)
def test_the_published_vectors(seed: bytes, client: str, nonce: int, faces: tuple[int, ...]) -> None:
    assert fairness.faces(seed, client, nonce, 10) == faces


def test_the_next_block_goes_on_where_the_first_is_used_up() -> None:
    assert fairness.faces(ZEROS, "client", 0, 36)[30:] == (6, 2, 2, 2, 1, 5)  # the service's notes, 4.2


def test_every_face_has_42_bytes_and_four_bytes_are_passed_over() -> None:
    assert Counter(fairness.face_of(byte) for byte in range(256)) == {**dict.fromkeys(range(1, 7), 42), None: 4}


def test_bytes_from_252_on_are_passed_over_in_the_stream() -> None:
    first = hmac.digest(ZEROS, b"client:26:0", hashlib.sha256)
    assert [byte for byte in first if byte >= 252]  # this block holds some, so that the rule is seen at work
    kept = [byte % 6 + 1 for byte in first if byte < 252]
    assert fairness.faces(ZEROS, "client", 26, len(kept)) == tuple(kept)


def test_the_commitment_is_made_by_another_function_than_any_outcome() -> None:
    promised = fairness.commitment(RISING)
    assert promised != hashlib.sha256(RISING).hexdigest()
    assert promised not in {hmac.digest(RISING, f"alice:{n}:0".encode(), "sha256").hex() for n in range(100)}
    assert fairness.commitment(ZEROS) != promised


DRAWN_IN_SQL = """
WITH keyed AS (
    SELECT nonce, client, list_transform(range(64), lambda i:
        CASE WHEN i < 32 THEN ('0x' || substr(seed, CAST(2 * i + 1 AS INT), 2))::INT ELSE 0 END) AS key
    FROM asked
), inside AS (
    SELECT nonce, key, sha256(
        unhex(array_to_string(list_transform(key, lambda b: printf('%02x', xor(b, 54))), ''))
        || encode(client || ':' || nonce || ':0')) AS inner_hash
    FROM keyed
), blocks AS (
    SELECT nonce, sha256(
        unhex(array_to_string(list_transform(key, lambda b: printf('%02x', xor(b, 92))), ''))
        || unhex(inner_hash)) AS block
    FROM inside
)
SELECT list_transform(list_filter(
    list_transform(range(32), lambda i: ('0x' || substr(block, CAST(2 * i + 1 AS INT), 2))::INT),
    lambda b: b < 252), lambda b: b % 6 + 1)[1:5] AS faces
FROM blocks ORDER BY nonce
"""
"""HMAC-SHA256 after RFC 2104 in the SQL of DuckDB, whose SHA-256 is its own: five faces of each throw."""


def test_r21_ten_thousand_throws_are_the_same_in_another_language() -> None:
    seeds = [hashlib.sha256(b"r21 %d" % (number // 100)).digest() for number in range(10_000)]
    clients = [f"player-{number % 7}" for number in range(10_000)]
    ours = [
        list(fairness.faces(seed, client, nonce, 5))
        for nonce, (seed, client) in enumerate(zip(seeds, clients, strict=True))
    ]
    connection = duckdb.connect()
    connection.execute("CREATE TABLE asked (seed VARCHAR, client VARCHAR, nonce BIGINT)")
    told = {"seeds": [seed.hex() for seed in seeds], "clients": clients}
    connection.execute("INSERT INTO asked SELECT unnest($seeds), unnest($clients), unnest(range(10000))", told)
    assert [faces for (faces,) in connection.execute(DRAWN_IN_SQL).fetchall()] == ours
