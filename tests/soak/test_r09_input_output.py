"""R9: an error of the disk at the n-th write, sync or truncation, n = 1 to 200, corrupts nothing and loses nothing."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.figures import Figure

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]

FAULTS = Path(__file__).resolve().parents[1] / "faults"
POINTS = 200


def test_r9_an_error_of_the_disk_at_any_call_corrupts_nothing(tmp_path: Path, figure: Figure) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.fail("no C compiler: the check lets calls of the operating system fail by a library that it compiles")
    library, counter = tmp_path / "input_output.so", tmp_path / "counter"
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, FAULTS / "input_output.c", "-ldl"], check=True)
    counter.write_bytes(bytes(8))
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.banker", str(tmp_path), str(POINTS)],
        cwd=FAULTS.parents[1],
        env={**os.environ, "LD_PRELOAD": str(library), "FLOORMAN_FAULT_COUNTER": str(counter)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    told = json.loads(done.stdout)
    figure("R9", points=POINTS, **told)
    assert told["failed"] == POINTS
    assert told["told busy or full"] <= POINTS
    assert (told["wallet"], told["discrepancies"]) == (told["due"], [])
