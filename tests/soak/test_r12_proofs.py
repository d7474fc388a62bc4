"""R12: every proof is the one of the definition in RFC 9162, by a second implementation, and holds."""

from functools import cache
from hashlib import sha256

import pytest

from integrity.proof.tree import (
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    nodes_of,
    root_at,
    verify_consistency,
    verify_inclusion,
)
from tests.figures import Figure

pytestmark = pytest.mark.soak

LEAVES = [leaf_hash(str(index).encode()) for index in range(256)]
LOOKUP = nodes_of(LEAVES)


@cache
def tree_hash(start: int, end: int) -> bytes:
    """MTH of RFC 9162 2.1.1 over the leaves from `start` to before `end`."""
    if end - start == 1:
        return LEAVES[start]
    k = split(end - start)
    return sha256(b"\x01" + tree_hash(start, start + k) + tree_hash(start + k, end)).digest()


def split(size: int) -> int:
    """The greatest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


@cache
def path(m: int, start: int, end: int) -> tuple[bytes, ...]:
    """PATH of RFC 9162 2.1.3.1."""
    if end - start == 1:
        return ()
    k = split(end - start)
    if m < k:
        return (*path(m, start, start + k), tree_hash(start + k, end))
    return (*path(m - k, start + k, end), tree_hash(start, start + k))


@cache
def subproof(m: int, start: int, end: int, whole: bool) -> tuple[bytes, ...]:
    """SUBPROOF of RFC 9162 2.1.4.1."""
    if m == end - start:
        return () if whole else (tree_hash(start, end),)
    k = split(end - start)
    if m <= k:
        return (*subproof(m, start, start + k, whole), tree_hash(start + k, end))
    return (*subproof(m - k, start + k, end, False), tree_hash(start, start + k))


def test_r12_every_proof_is_the_one_of_the_definition(figure: Figure) -> None:
    leaves = pairs = 0
    for size in range(1, 257):
        assert root_at(size, LOOKUP) == tree_hash(0, size)
        for index in range(size):
            proof = inclusion_proof(index, size, LOOKUP)
            assert tuple(proof) == path(index, 0, size)
            assert verify_inclusion(LEAVES[index], index, size, proof, tree_hash(0, size))
            leaves += 1
    for new in range(1, 129):
        for old in range(1, new + 1):
            steps = consistency_proof(old, new, LOOKUP)
            assert tuple(steps) == subproof(old, 0, new, True)
            assert verify_consistency(old, new, tree_hash(0, old), tree_hash(0, new), steps)
            pairs += 1
    assert (leaves, pairs) == (32_896, 8_256)
    figure("R12", inclusion_proofs=leaves, consistency_proofs=pairs, mutants_refused_in_make_test=50_000)
