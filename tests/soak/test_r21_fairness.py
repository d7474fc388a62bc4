"""R21: ten thousand drawn throws are what the revealed seeds make, by a second implementation in another language."""

import shutil
import subprocess
from pathlib import Path

import pytest

from house.service.generator import Draw, RevealSeed, seeds
from tests.figures import Figure
from tests.house.drawing import open_generated, promise
from tests.house.pits import Pit

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]

PROGRAM = Path(__file__).resolve().parents[1] / "faults" / "verify_throws.pl"
THROWS, REVEAL_EVERY = 10_000, 500


def test_r21_ten_thousand_throws_are_what_their_seeds_make(sqlite_pit: Pit, figure: Figure) -> None:
    perl = shutil.which("perl")
    if perl is None:
        pytest.fail("no perl: the second implementation of the generator is a program in it")
    open_generated(sqlite_pit)
    promise(sqlite_pit)
    lines: list[str] = []
    drawn: list[str] = []
    client = seeds(sqlite_pit.house, "ann").client
    for number in range(THROWS):
        throw = sqlite_pit.do(Draw(table="g1"))
        drawn.append(f"{client} {throw.nonce} {' '.join(map(str, throw.faces))}")
        if number % REVEAL_EVERY == REVEAL_EVERY - 1:
            now = seeds(sqlite_pit.house, "ann")
            following = f"client-{number}"
            end = RevealSeed(player="ann", next_commitment=now.next_commitment, client=following)
            seed = sqlite_pit.do(end).seed
            lines += [f"{seed} {one}" for one in drawn]
            drawn, client = [], following
    assert len(lines) == THROWS
    assert _checked(perl, lines) == (THROWS, 0)
    bent = [line[:-1] + str(int(line[-1]) % 6 + 1) if number % 100 == 0 else line for number, line in enumerate(lines)]
    assert _checked(perl, bent) == (THROWS, THROWS // 100)
    figure("R21", throws=THROWS, equal=THROWS, language="perl", bent_found=THROWS // 100)


def _checked(perl: str, lines: list[str]) -> tuple[int, int]:
    done = subprocess.run([perl, PROGRAM], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    told, wrong = done.stdout.split()
    return int(told), int(wrong)
