"""Tallies in files: one npz holds everything, and a tally read back goes on exactly."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np

from integrity.continuity import Sequence
from integrity.counts import Counts
from integrity.observations import FACES
from integrity.pair_blocks import PairBlocks
from integrity.recycled import Recycled
from integrity.shared_blocks import BINS, Blocks, SharedBlocks
from integrity.streams import Streams
from integrity.tallies import Tallies
from integrity.timeline import MOVE_TABLE, Timeline
from integrity.times import Times


def save(tallies: Tallies, path: Path) -> None:
    """Write a tally to one file; nothing in it is code."""
    tallies.settle()
    arrays = {
        "cell_keys": tallies.cells.keys,
        "cell_counts": tallies.cells.counts,
        "pair_keys": tallies.pairs.keys,
        "pair_counts": tallies.pairs.counts,
        "spell_keys": tallies.timeline.counts.keys,
        "spell_counts": tallies.timeline.counts.counts,
        "pair_block_keys": tallies.pair_blocks.counts.keys,
        "pair_block_counts": tallies.pair_blocks.counts.counts,
        **{f"shared_{kind}_keys": each.counts.keys for kind, each in tallies.shared.kinds.items()},
        **{f"shared_{kind}_counts": each.counts.counts for kind, each in tallies.shared.kinds.items()},
        "times": tallies.times.latest,
        "recycled_kept": tallies.recycled.kept,
        "recycled_again": tallies.recycled.again,
        "recycled_tail": tallies.recycled.tail,
        "throws": tallies.throws_by_setting(),
        "orders": tallies.orders,
        "settings": tallies.setting_table(),
        "place_of": tallies.place_of[: len(tallies.settings)],
        **{f"stream_{each.name}": getattr(tallies.streams, each.name) for each in fields(Streams)},
    }
    rest = {
        "names": {column: list(known) for column, known in tallies.names.items()},
        "sequences": [each.record() for each in (tallies.by_table, tallies.by_die, tallies.clock)],
        "places": list(tallies.places),
        "shift": tallies.timeline.shift,
        "pair_shift": tallies.pair_blocks.shift,
        "shared_shifts": {kind: each.shift for kind, each in tallies.shared.kinds.items()},
        "times_shift": tallies.times.shift,
        "recycled": tallies.recycled.seen,
        "numbers": {name: getattr(tallies, name) for name in _NUMBERS},
    }
    with path.open("wb") as file:
        np.savez(file, rest=np.frombuffer(json.dumps(rest).encode(), dtype=np.uint8), **arrays)


_NUMBERS = ("rows", "kept", "doubled", "unordered")


def load(path: Path) -> Tallies:
    """Read what `save` wrote."""
    with np.load(path, allow_pickle=False) as file:
        rest = json.loads(file["rest"].tobytes())
        by_table, by_die, clock = (Sequence.of(record) for record in rest["sequences"])
        return Tallies(
            names={column: {name: code for code, name in enumerate(known)} for column, known in rest["names"].items()},
            settings={(row[0], row[1], row[2], row[3]): code for code, row in enumerate(file["settings"].tolist())},
            cells=Counts(MOVE_TABLE, file["cell_keys"], file["cell_counts"]),
            pairs=Counts((FACES, FACES), file["pair_keys"], file["pair_counts"]),
            throws=file["throws"],
            orders=file["orders"],
            streams=Streams(**{each.name: file[f"stream_{each.name}"] for each in fields(Streams)}),
            by_table=by_table,
            by_die=by_die,
            clock=clock,
            places={(table, box): number for number, (table, box) in enumerate(rest["places"])},
            place_of=file["place_of"],
            timeline=Timeline(rest["shift"], Counts(MOVE_TABLE, file["spell_keys"], file["spell_counts"])),
            pair_blocks=PairBlocks(
                rest["pair_shift"], Counts((FACES, FACES), file["pair_block_keys"], file["pair_block_counts"])
            ),
            shared=SharedBlocks(
                {
                    kind: Blocks(shift, Counts(BINS, file[f"shared_{kind}_keys"], file[f"shared_{kind}_counts"]))
                    for kind, shift in rest["shared_shifts"].items()
                }
            ),
            times=Times(rest["times_shift"], file["times"]),
            recycled=Recycled(rest["recycled"], *(file[f"recycled_{name}"] for name in ("kept", "again", "tail"))),
            **rest["numbers"],
        )
