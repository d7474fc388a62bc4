"""A house under whose database a write or a sync fails; run by the checks of R9 with `input_output.c` loaded before it.

Usage: python banker.py FOLDER POINTS. It takes buy-ins, lets the n-th call for its files fail while one is taken, for
each n from 1 to POINTS, repeats it under its key, and prints what it acknowledged and what it found, as one JSON line.
"""

import json
import mmap
import os
import struct
import sys
from pathlib import Path

from house.service import cage, reports
from house.service.checkpoints import Sealing
from house.service.desk import HouseBusy, StorageFull, open_house, perform

AMOUNT = 100


def main() -> None:
    """Bank under failures."""
    folder, points = Path(sys.argv[1]), int(sys.argv[2])
    with Path(os.environ["FLOORMAN_FAULT_COUNTER"]).open("r+b") as file:
        counter = mmap.mmap(file.fileno(), 8)
    url, sealing = f"sqlite:///{folder / 'house.db'}", Sealing(place=folder / "history", name="faults", records=50)
    told, last = {"answered at once": 0, "told busy or full": 0}, 0
    with open_house(url, sealing=sealing) as house:
        perform(house, cage.RegisterPlayer(player="ann", name="Ann"), "ann")
        for point in range(1, points + 1):
            command, key = cage.BuyIn(player="ann", amount_minor=AMOUNT), f"buy-in-{point}"
            counter[:4] = struct.pack("<i", point)
            try:
                perform(house, command, key)
                told["answered at once"] += 1
            except (HouseBusy, StorageFull):
                told["told busy or full"] += 1
            counter[:4] = struct.pack("<i", 0)
            answer = perform(house, command, key).answer
            assert answer.wallet_minor == AMOUNT * point, (point, answer)
            if point % 20 == 0:
                last = cage.balance(house, "ann").wallet_minor
                assert last == AMOUNT * point
    failed = struct.unpack("<i", counter[4:8])[0]
    with open_house(url, sealing=sealing) as house:
        found = [str(one) for one in reports.check(house).discrepancies]
        wallet = cage.balance(house, "ann").wallet_minor
    print(json.dumps({**told, "failed": failed, "wallet": wallet, "due": AMOUNT * points, "discrepancies": found}))


if __name__ == "__main__":
    main()
