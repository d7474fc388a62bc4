"""What the laboratory's evidence reaches, beside the anchors of its targets T1 to T6, and what a live throw costs.

Stopping throws are simulated at alpha 1 % with a fixed seed: 90 % point (median). 1,000 streams leave about 3 % on a
90 % point. "alone" gives one monitor the whole 1 %; "shared" is its bar in the common budget of a five-dice table.
Ratios decide; times are printed to read. About two minutes on a quiet core.
"""

import math
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrity import kernel
from integrity.change import Detector, detector_path, magnet_detector
from integrity.fit import pearson
from integrity.monitors import Panel, alarms, observe, observe_all, panel, start
from integrity.power import ATTACKS, watched_throws
from integrity.sequential import face_battery, face_path, restrict
from integrity.tails import chi2_tail

ALPHA, STREAMS = 0.01, 1000
DATA = Path(__file__).parents[1] / "data"
BATTERY_ANCHORS = (
    ("load", 0.01, 43_104, 24_192),
    ("load", 0.02, 10_608, 5_904),
    ("load", 0.05, 1_736, 992),
    ("load", 0.1, 461, 258),
    ("tilt", 0.01, 25_308, 14_136),
    ("tilt", 0.05, 940, 542),
    ("tilt", 0.1, 231, 132),
    ("flats", 0.01, 15_466, 8_930),
    ("flats", 0.02, 3_987, 2_304),
    ("flats", 0.05, 645, 365),
    ("doubled", 0.0, 57, 44),
    ("few_faces", 0.0, 23, 22),
)
"""Attack, size, 90 % point, median of the column "battery e"."""
LOCK_ANCHORS = (
    ("repeats", 0.05, 1_839, 942),
    ("repeats", 0.1, 480, 238),
    ("repeats", 0.2, 141, 68),
    ("equal", 0.1, 480, 238),
    ("seven", 0.1, 480, 238),
    ("no_seven", 1 - 6 / 7, 4_851, None),
    ("no_seven", 0.25, 1_506, None),
)
"""The column "targeted e"."""
REQUIRED = {("load", 0.01), ("load", 0.02), ("load", 0.05), ("load", 0.1), ("flats", 0.01)}


def shared_alpha(table: Panel, kind: str) -> float:
    """Give the share of the budget of one monitor of a kind."""
    at = next(i for i, (name, _) in enumerate(table.names) if name == kind)
    return float(table.weights[at] * ALPHA)


def stopping_throws(table: Panel) -> None:
    """T2 and T3: 90 % points of batteries and locks."""
    print(f"\n{'T2, T3: attack':<16}{'size':>7}{'anchor':>16}{'alone':>16}{'ratio':>7}{'shared':>16}  wanted")
    for attack, size, anchor, median in (*BATTERY_ANCHORS, *LOCK_ANCHORS):
        kind = attack if attack in table_kinds(table) else "faces"
        rng = np.random.default_rng(2026)
        alone = watched_throws(attack, size, rng=rng, streams=STREAMS)
        shared = watched_throws(attack, size, rng=rng, alpha=shared_alpha(table, kind), streams=STREAMS // 4)
        wanted = "at most 1.05" if (attack, size) in REQUIRED or (size == 0.1 and attack != "tilt") else ""
        print(
            f"{attack:<16}{size:>7.3g}{f'{anchor:,} ({median:,})' if median else f'{anchor:,}':>16}"
            f"{f'{alone.throws:,} ({alone.median:,})':>16}{alone.throws / anchor:>7.2f}"
            f"{f'{shared.throws:,} ({shared.median:,})':>16}  {wanted}"
        )


def table_kinds(table: Panel) -> set[str]:
    """Give the kinds of monitors."""
    return {kind for kind, _ in table.names}


def certain_faces() -> None:
    """T4: faces that never show."""
    missing = face_path(restrict(face_battery(), "missing"), np.tile([2, 3, 4, 5, 6], 12))
    few = face_path(restrict(face_battery(), "few_faces"), np.tile([1, 2, 3], 8))
    whole, quarter, trio = first(missing, 100), first(missing, 400), first(few, 100)
    print(f"\nT4: a missing face is certain by throw {whole} (36), with a quarter of the budget by {quarter} (43);")
    print(f"    tops and bottoms by {trio} (11)")
    assert (whole, quarter, trio) == (36, 43, 11)


def first(path: NDArray[np.float64], e: float) -> int:
    """Give the throw at which a path reaches e first."""
    return int(np.argmax(path >= math.log(e))) + 1


def magnets() -> None:
    """T5: a magnet on for 200 of 5,000 throws, from any of them on, and the detector that knows its strength."""
    anchors = {0.25: (7, 180), 0.30: (53, 151), 0.333: (84, 125), 0.36: (97, 108), 0.40: (100, 78), 0.50: (100, 44)}
    rng, detector = np.random.default_rng(5), magnet_detector(horizon=5_000)
    print("\nT5: magnet for 200 of 5,000 throws: found inside the block (anchor), median delay (anchor)")
    for chance, (share, delay) in anchors.items():
        logs = 8_000 if chance == 0.36 else 1_000
        found, median = magnet_delays(detector, chance, logs, rng)
        error = 100 * math.sqrt(found * (1 - found) / logs)
        print(f"    q = {chance:<6}{100 * found:>6.1f} +- {error:.1f} % ({share} %){median:>8.0f} ({delay})")
        assert 100 * found >= share - max(1.0, 3 * error), chance
    known = detector.log_ratios[[chance == 0.4 for _, chance in detector.magnets]]
    known = np.where(known > 0, math.log(6 * 0.36), math.log(1.2 * 0.64))
    informed = Detector(known, tuple((face, 0.36) for face in range(1, 7)), 5_000)
    found, median = magnet_delays(informed, 0.36, 8_000, rng)
    print(f"    told q = 0.36 beforehand, but not the face: {100 * found:.1f} %, {median:.0f}")


def magnet_delays(detector: Detector, chance: float, logs: int, rng: np.random.Generator) -> tuple[float, float]:
    """Simulate logs with a magnet on for 200 throws: the share found while it is on, and the median delay of these."""
    delays = []
    for _ in range(logs):
        before = int(rng.integers(0, 4_800))
        on = np.where(rng.random(200) < chance, 6, rng.integers(1, 6, 200))
        path = detector_path(detector, np.concatenate([rng.integers(1, 7, before), on]))[before:]
        delays += [int(np.argmax(path >= math.log(100))) + 1] if path.max() >= math.log(100) else []
    return len(delays) / logs, float(np.median(delays))


def false_alarms(table: Panel, tables: int = 200, throws: int = 20_000) -> None:
    """T1: fair tables watched for 20,000 throws by every monitor."""
    rng, accused = np.random.default_rng(1), 0
    for _ in range(tables):
        state = observe_all(table, start(table), rng.integers(1, 7, size=(throws, table.dice)))
        accused += bool(alarms(table, state))
    print(
        f"\nT1: {accused} of {tables} fair five-dice tables accused by any of {len(table.names)} monitors in {throws:,}"
    )
    print(
        "    throws; the budget is 1 %, proved by Ville's inequality; more than 8 of 200 would be a fault (1 in 5,000)"
    )
    assert accused <= 8


def references() -> None:
    """T6: reference results."""
    print(f"\nT6: log10 p of chi2 100,000 on 5 df {chi2_tail(100_000.0, 5)[1]:,.2f} (-21,707.80)")
    joint = [int(line.split(",")[2]) for line in (DATA / "wolf_joint.csv").read_text().split()[1:]]
    print(f"    Wolf's two dice together: log10 p {pearson(joint, [1 / 36] * 36).log10_pvalue:.2f} (-59.38)")


def cost(table: Panel, throws: int = 2_000) -> None:
    """Live cost of a throw with all monitors."""
    rows = np.random.default_rng(2).integers(1, 7, size=(throws, table.dice)).tolist()
    print("\nLive cost of a five-dice throw, all monitors (median of single throws):")
    compiled = kernel.compiled_loop
    for label, loop, wanted in (("numba", compiled, 15), ("numpy", lambda: None, 100)):
        if label == "numba" and compiled() is None:
            continue
        kernel.compiled_loop = loop  # type: ignore[assignment]
        state, spent = observe(table, start(table), rows[0]), []
        for faces in rows:
            began = time.perf_counter()
            state = observe(table, state, faces)
            spent.append(time.perf_counter() - began)
        cost_us = 1e6 * float(np.median(spent))
        print(f"    {label}: {cost_us:.1f} microseconds (at most {wanted}), state {state.nbytes:,} bytes")
    kernel.compiled_loop = compiled


if __name__ == "__main__":
    five = panel(5, alpha=ALPHA)
    assert set(ATTACKS) >= {attack for attack, *_ in (*BATTERY_ANCHORS, *LOCK_ANCHORS)}
    cost(five)
    certain_faces()
    references()
    magnets()
    stopping_throws(five)
    false_alarms(five)
