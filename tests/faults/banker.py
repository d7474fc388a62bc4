"""A house under whose database a write or a sync fails; run by the checks of R9 with `input_output.c` loaded before it.

Usage: python -m tests.faults.banker FOLDER POINTS. For each n from 1 to POINTS it lets the n-th call for its files fail
and takes buy-ins, bets and throws until that has happened; a command that was not answered is repeated under its key.
Prints what it acknowledged and what it found, as one JSON line.
"""

import json
import mmap
import os
import struct
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from house.service import cage, reports, wagers
from house.service.checkpoints import Sealing
from house.service.desk import Command, HouseBusy, StorageFull, open_house, perform, utc_now
from house.service.throws import Throw, Thrown
from tests.house.pits import Pit

FIELD = wagers.Bet(player="ann", bet="field", stake_minor=10_00)
NINE = (Thrown(die="c1-d0", face=4), Thrown(die="c1-d1", face=5))
EVENING: tuple[tuple[Command[Any], int], ...] = (
    (cage.BuyIn(player="ann", amount_minor=100), 100),
    (wagers.PlaceBets(table="c1", bets=(FIELD,)), -10_00),
    (Throw(table="c1", dice=NINE), 20_00),
)
"""Commands, each with what it does to ann's wallet: the field pays nine 1 to 1."""


def main() -> None:
    """Bank under failures."""
    folder, points = Path(sys.argv[1]), int(sys.argv[2])
    with Path(os.environ["FLOORMAN_FAULT_COUNTER"]).open("r+b") as file:
        counter = mmap.mmap(file.fileno(), 8)
    url, sealing = f"sqlite:///{folder / 'house.db'}", Sealing(place=folder / "history", name="faults", records=50)
    with open_house(url, sealing=sealing) as house:
        pit = Pit(house, url, utc_now)  # type: ignore[arg-type]
        pit.fund()
        pit.seat("ann")
        pit.open_craps()
        due, told = pit.wallet("ann"), {"commands": 0, "told busy or full": 0}
        evening = cycle(EVENING)
        for point in range(1, points + 1):
            due += sum(banked(house, counter, point, evening, told))
            assert pit.wallet("ann") == due, point
    with open_house(url, sealing=sealing) as house:
        found = [str(one) for one in reports.check(house).discrepancies]
        wallet = cage.balance(house, "ann").wallet_minor
    failed = struct.unpack("<i", counter[4:8])[0]
    print(json.dumps({**told, "failed": failed, "wallet": wallet, "due": due, "discrepancies": found}))


def banked(
    house: Any, counter: mmap.mmap, point: int, evening: Iterator[tuple[Command[Any], int]], told: dict[str, int]
) -> Iterator[int]:
    """Let the `point`-th call from now fail, and carry commands out until it has; what each did to the wallet."""
    before = counter[4:8]
    counter[:4] = struct.pack("<i", point)
    while counter[4:8] == before:
        command, moved = next(evening)
        key = f"command-{told['commands']}"
        try:
            perform(house, command, key)
        except (HouseBusy, StorageFull):
            told["told busy or full"] += 1
            perform(house, command, key)
        told["commands"] += 1
        yield moved


if __name__ == "__main__":
    main()
