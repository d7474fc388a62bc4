"""Bulk craps against a plain loop over throws: pass line with place 6 and 8, all accounts kept, in one run.

On a quiet core of the machine this was written on: plain loop 2.0 million throws a second, numpy 240 million, numba 560
million, both with running net and low point. The targets are 50 and 250 million; what is asserted is the ratio to the
plain loop, with room for a busy machine: the targets are 25 and 125 plain loops.
"""

import random
from collections.abc import Callable
from time import process_time

import numpy as np

from payouts.craps.terms import CrapsSchedule
from payouts.schedule import load, shipped
from payouts.simulation.play import Engine
from payouts.simulation.standing import play_orders

ORDERS = ("pass=15", "place:6=18", "place:8=18")
RUNS = ((Engine.NUMPY, 8192, 4000, 50), (Engine.NUMBA, 64, 1_500_000, 150))
"""Engine, sessions, throws of a session, plain loops that it must be worth."""


def plain(throws: int) -> int:
    """Play pass 15 with place 6 and 8 at 18, the reference: one session, one throw after another; return the net."""
    draw = random.Random(1).random
    point = net = low = 0
    passed, six, eight = [0, 0], [0, 0], [0, 0]
    for _ in range(throws):
        total = int(draw() * 6) + int(draw() * 6) + 2
        if point == 0:
            if total in (7, 11):
                net += 15
                passed[0] += 1
            elif total in (2, 3, 12):
                net -= 15
                passed[1] += 1
            else:
                point = total
        elif total == 7:
            net -= 51
            passed[1] += 1
            six[1] += 1
            eight[1] += 1
            point = 0
        else:
            if total == 6:
                net += 21
                six[0] += 1
            elif total == 8:
                net += 21
                eight[0] += 1
            if total == point:
                net += 15
                passed[0] += 1
                point = 0
        low = min(low, net)
    return net


def rate(work: Callable[[], int]) -> float:
    """Best throws a processor second of three runs."""
    best = 0.0
    for _ in range(3):
        began = process_time()
        throws = work()
        best = max(best, throws / (process_time() - began))
    return best


def looped() -> int:
    """Half a million throws of the plain loop."""
    plain(500_000)
    return 500_000


def check_reference() -> None:
    """Hold the plain loop to the exact drift of a throw: pass 7/495 a bet of 557/165 throws, places with the puck on.

    The puck is on for 1 - 165/557 of the throws. The deviation of a throw's net is below 21: six standard errors over a
    million throws are 0.126.
    """
    drift = -15 * 7 / 495 * 165 / 557 + 2 * (1 - 165 / 557) * (21 * 5 - 18 * 6) / 36
    assert abs(plain(1_000_000) / 1e6 - drift) < 0.126


def main() -> None:
    """Print throws a second and assert the ratios."""
    check_reference()
    schedule = load(shipped("craps", "strip-345x"))
    assert isinstance(schedule, CrapsSchedule)
    slow = rate(looped)
    print(f"plain loop: {slow / 1e6:.2f} million throws a second")
    for engine, sessions, throws, least in RUNS:
        play_orders(schedule, ORDERS, sessions, 10, np.random.default_rng(1), engine=engine)
        fast = rate(
            lambda engine=engine, sessions=sessions, throws=throws: (
                play_orders(schedule, ORDERS, sessions, throws, np.random.default_rng(1), engine=engine).throws
            )
        )
        print(f"{engine}: {fast / 1e6:.0f} million throws a second, {fast / slow:.0f} plain loops (at least {least})")
        assert fast > least * slow


if __name__ == "__main__":
    main()
