"""The program with which a player checks the house: alone, in an empty folder, with nothing but Python."""

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from house.domain import fairness

SEED = bytes(range(32))
THROWS = [
    {"nonce": n, "client": "alice", "table": "g1", "throw": n, "faces": list(fairness.faces(SEED, "alice", n, 2))}
    for n in range(5)
]
PROOF = {"commitment": fairness.commitment(SEED), "seed": SEED.hex(), "throws": 5, "draws": THROWS, "next": None}


def verify(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder that holds only it and the player's files, cut off from every package."""
    source = Path(fairness.__file__).parents[1] / "verify_fair.py"
    shutil.copy(source, folder / "verify_fair.py")
    command = [sys.executable, "-I", "-S", "verify_fair.py", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def pages(folder: Path, *proofs: dict[str, Any]) -> list[str]:
    names = [f"page-{number}.json" for number in range(len(proofs))]
    for name, proof in zip(names, proofs, strict=True):
        (folder / name).write_text(json.dumps(proof), encoding="utf-8")
    return names


def test_a_throw_is_shown_from_its_seeds(tmp_path: Path) -> None:
    # The service's notes, 4.2: bytes 00 to 1f, "alice", 1.
    done = verify(tmp_path, "--seed", SEED.hex(), "--client", "alice", "--nonce", "1", "--dice", "10")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"commitment {fairness.commitment(SEED)}", "faces 6 5 5 1 6 3 4 4 2 2"]


def test_an_honest_proof_holds_in_one_page_or_several_in_any_order(tmp_path: Path) -> None:
    cut = [PROOF | {"draws": THROWS[3:]}, PROOF | {"draws": THROWS[:3]}]
    for proofs in ([PROOF], cut):
        noted = ["--commitment", str(PROOF["commitment"]), "--client", "alice"]
        done = verify(tmp_path, *pages(tmp_path, *proofs), *noted)
        assert (done.returncode, done.stdout.partition(";")[0]) == (0, "5 throws are those the seeds make")


def test_a_reserved_throw_that_was_never_thrown_is_told(tmp_path: Path) -> None:
    done = verify(tmp_path, *pages(tmp_path, PROOF | {"draws": [*THROWS[:4], THROWS[4] | {"faces": []}]}))
    assert done.returncode == 0
    assert "1 of them reserved and never thrown" in done.stdout


def _face(proof: dict[str, Any]) -> None:
    proof["draws"][2]["faces"][0] = proof["draws"][2]["faces"][0] % 6 + 1


def _nonce(proof: dict[str, Any]) -> None:
    proof["draws"][4]["nonce"] = 5


CHEATS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a face": (_face, "nonce 2: the house showed"),
    "a throw left out": (lambda proof: proof["draws"].pop(1), "the proof holds 4"),
    "a throw told twice": (lambda proof: proof["draws"].append(proof["draws"][0]), "the proof holds 6"),
    "a nonce passed over": (_nonce, "nonce 5"),
    "another client seed": (lambda proof: proof["draws"][0].update(client="bob"), "the client seed is not yours"),
    "another seed": (lambda proof: proof.update(seed="00" * 32), "not the one promised"),
    "another promise": (lambda proof: proof.update(commitment="0" * 64), "not the one you wrote down"),
}


@pytest.mark.parametrize("what", CHEATS)
def test_a_house_that_cheats_is_found_by(tmp_path: Path, what: str) -> None:
    cheat, told = CHEATS[what]
    proof = copy.deepcopy(PROOF)
    cheat(proof)
    noted = ["--commitment", str(PROOF["commitment"]), "--client", "alice"]
    done = verify(tmp_path, *pages(tmp_path, proof), *noted)
    assert (done.returncode, done.stderr) == (1, "")
    assert told in done.stdout


UNREADABLE = {
    "a seed that is secret": PROOF | {"seed": None},
    "a seed that is no hex": PROOF | {"seed": "zz"},
    "a proof without throws": {"commitment": "", "seed": "00"},
    "a list": [PROOF],
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_no_proof_is_code_2(tmp_path: Path, what: str) -> None:
    (tmp_path / "page.json").write_text(json.dumps(UNREADABLE[what]), encoding="utf-8")
    done = verify(tmp_path, "page.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip()


@pytest.mark.parametrize("words", [(), ("nowhere.json",), ("--seed", "00"), ("--help-me",)])
def test_a_command_line_that_cannot_be_followed_is_code_2(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = verify(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip()
