"""The Merkle tree against the vectors of Certificate Transparency and against the definitions of RFC 9162 (R12)."""

from hashlib import sha256

import numpy as np
import pytest

from integrity.errors import ProofError
from integrity.proof.tree import (
    EMPTY_ROOT,
    Frontier,
    append,
    consistency_proof,
    grow,
    inclusion_proof,
    leaf_hash,
    nodes_of,
    root,
    root_at,
    verify_consistency,
    verify_inclusion,
)

# the eight-entry tree of the Certificate Transparency reference implementation
ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
# its consistency proof from 2 to 5 leaves
FROM_2_TO_5 = [
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
]
LEAVES = [leaf_hash(str(index).encode()) for index in range(256)]
LOOKUP = nodes_of(LEAVES)


def tree_hash(leaves: list[bytes]) -> bytes:
    """MTH of RFC 9162 2.1.1 on leaf hashes, by its definition."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256().digest()
    k = max(1 << i for i in range(20) if 1 << i < len(leaves))
    return sha256(b"\x01" + tree_hash(leaves[:k]) + tree_hash(leaves[k:])).digest()


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    """PATH of RFC 9162 2.1.3.1, by its definition."""
    if len(leaves) == 1:
        return []
    k = max(1 << i for i in range(20) if 1 << i < len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), tree_hash(leaves[k:])]
    return [*path(m - k, leaves[k:]), tree_hash(leaves[:k])]


def subproof(m: int, leaves: list[bytes], whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 9162 2.1.4.1, by its definition."""
    if m == len(leaves):
        return [] if whole else [tree_hash(leaves)]
    k = max(1 << i for i in range(20) if 1 << i < len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], whole), tree_hash(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), tree_hash(leaves[:k])]


def mutants(value: bytes, rng: np.random.Generator) -> bytes:
    """Flip one bit."""
    bit = int(rng.integers(len(value) * 8))
    return bytes(byte ^ (1 << bit % 8 if i == bit // 8 else 0) for i, byte in enumerate(value))


def test_roots_are_those_of_certificate_transparency() -> None:
    leaves = [leaf_hash(bytes.fromhex(entry)) for entry in ENTRIES]
    assert [root(leaves[:size]).hex() for size in range(1, 9)] == ROOTS
    assert root([]) == EMPTY_ROOT == bytes.fromhex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    proof = consistency_proof(2, 5, nodes_of(leaves))
    assert [step.hex() for step in proof] == FROM_2_TO_5


def test_growing_leaf_by_leaf_gives_the_root_of_the_definition_at_every_size() -> None:
    frontier, kept = Frontier(), {}
    for size, leaf in enumerate(LEAVES[:130], start=1):
        frontier, completed = append(frontier, leaf)
        kept.update(completed)
        assert frontier.root == tree_hash(LEAVES[:size]) == root_at(size, lambda level, index: kept[level, index])
    assert grow(Frontier(), LEAVES[:130]) == frontier
    # n leaves have n - (bits of n) complete inner nodes
    assert len(kept) == 2 * 130 - (130).bit_count()


def test_every_leaf_of_every_size_up_to_256_is_proved() -> None:
    for size in range(1, 257):
        of = root_at(size, LOOKUP)
        for index in range(size):
            assert verify_inclusion(LEAVES[index], index, size, inclusion_proof(index, size, LOOKUP), of)


def test_every_pair_of_sizes_up_to_128_is_proved() -> None:
    roots = [root_at(size, LOOKUP) for size in range(129)]
    for new in range(1, 129):
        for old in range(1, new + 1):
            assert verify_consistency(old, new, roots[old], roots[new], consistency_proof(old, new, LOOKUP))


def test_proofs_are_those_of_the_definition() -> None:
    for size in (1, 2, 3, 6, 7, 8, 13, 33):
        for m in range(size):
            assert list(inclusion_proof(m, size, LOOKUP)) == path(m, LEAVES[:size])
            assert list(consistency_proof(m + 1, size, LOOKUP)) == subproof(m + 1, LEAVES[:size], True)


def test_no_mutant_of_an_inclusion_proof_is_accepted() -> None:
    # 25,000 of the 50,000 mutants of R12: a bit of leaf, root or path, another index or size, a step more or less
    rng, refused = np.random.default_rng(71), 0
    for _ in range(3125):
        size = int(rng.integers(2, 257))
        index = int(rng.integers(size))
        proof, of, leaf = list(inclusion_proof(index, size, LOOKUP)), root_at(size, LOOKUP), LEAVES[index]
        step = int(rng.integers(len(proof)))
        bent = [*proof[:step], mutants(proof[step], rng), *proof[step + 1 :]]
        other = (index + int(rng.integers(1, size))) % size
        attempts = [
            (mutants(leaf, rng), index, size, proof, of),
            (leaf, index, size, proof, mutants(of, rng)),
            (leaf, index, size, bent, of),
            (leaf, other, size, proof, of),
            (LEAVES[other], index, size, proof, of),
            (leaf, index, size, [*proof, proof[step]], of),
            (leaf, index, size, [*proof[:step], *proof[step + 1 :]], of),
            (leaf, size + index, size, proof, of),
        ]
        assert not any(verify_inclusion(*attempt) for attempt in attempts)
        refused += len(attempts)
    assert refused == 25_000


def test_no_mutant_of_a_consistency_proof_is_accepted() -> None:
    # the other 25,000 of R12
    rng, refused = np.random.default_rng(72), 0
    while refused < 25_000:
        new = int(rng.integers(2, 129))
        old = int(rng.integers(1, new))
        proof, a, b = list(consistency_proof(old, new, LOOKUP)), root_at(old, LOOKUP), root_at(new, LOOKUP)
        step = int(rng.integers(len(proof)))
        bent = [*proof[:step], mutants(proof[step], rng), *proof[step + 1 :]]
        attempts = [
            (old, new, mutants(a, rng), b, proof),
            (old, new, a, mutants(b, rng), proof),
            (old, new, a, b, bent),
            (old, new, b, a, proof),
            (old, new, a, b, [*proof, proof[step]]),
            (old, new, a, b, [*proof[:step], *proof[step + 1 :]]),
            (new, old, a, b, proof),
            (old, old, a, b, proof),
        ]
        assert not any(verify_consistency(*attempt) for attempt in attempts)
        refused += len(attempts)


def test_hashes_of_another_length_are_refused() -> None:
    assert not verify_inclusion(LEAVES[0][:31], 0, 1, (), LEAVES[0][:31])
    assert not verify_consistency(1, 1, b"", b"", ())
    assert verify_consistency(3, 3, root(LEAVES[:3]), root(LEAVES[:3]), ())


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_proofs_outside_the_tree_are_refused(index: int, size: int) -> None:
    with pytest.raises(ProofError, match="index must"):
        inclusion_proof(index, size, LOOKUP)
    with pytest.raises(ProofError, match="old must"):
        consistency_proof(size + 1, size, LOOKUP)
    with pytest.raises(ProofError, match="peaks must"):
        Frontier(3, (LEAVES[0],))
