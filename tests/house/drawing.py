"""Tables where the house draws the throws, for tests."""

import hashlib
from itertools import count

from house.service import equipment, tables, wagers
from house.service.generator import CommitSeeds, Seeds, SetClientSeed
from tests.house.pits import Pit


def open_generated(pit: Pit, table: str = "g1", game: str = "craps", schedule: str = "double-odds") -> None:
    """Open a table whose throws the house draws; at craps, ann has the dice."""
    pit.publish(game, schedule)
    dice = tuple(f"{table}-d{slot}" for slot in range(5 if game == "hooligan" else 2))
    pit.do(equipment.RegisterEquipment(dice=dice))
    pit.do(
        tables.OpenTable(
            table=table,
            game=game,
            schedule=schedule,
            opener_minor=50_000_00,
            dice=dice,
            method=tables.Method.RNG,
        )
    )
    if game == "craps":
        pit.do(wagers.JoinRail(table=table, player="ann"))


def promise(pit: Pit, player: str = "ann", client: str = "lucky") -> Seeds:
    """Commit to a player's seeds and take his own."""
    made = pit.do(CommitSeeds(player=player))
    taken: Seeds = pit.do(SetClientSeed(player=player, commitment=made.commitment, client=client))
    return taken


def foretell(pit: Pit) -> None:
    """Let the house make seeds that are the same at each run."""
    numbers = count()
    pit.house.entropy = lambda size: hashlib.sha256(b"seed %d" % next(numbers)).digest()[:size]
