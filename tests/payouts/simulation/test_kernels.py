"""The compiled generator is xoshiro256++, word for word."""

import numpy as np

from payouts.simulation.kernels import LANES, play_lanes

WORDS = (
    41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205, 9973669472204895162,
    14011001112246962877, 12406186145184390807, 15849039046786891736, 10450023813501588000,
)  # fmt: skip
"""First words of the authors' code from the state 1, 2, 3, 4, as the tests of Rust's rand_xoshiro carry them."""


def test_draws_are_the_two_halves_of_the_reference_words() -> None:
    """A draw of 2**16 cells gains its own number: two of them are seen as their sum."""
    cells = 1 << 16
    stream = np.tile(np.arange(1, 5, dtype=np.uint64)[:, None], (1, LANES))
    one = np.zeros(cells, np.int64)
    moves = np.stack([one, np.arange(cells), one])
    seen = []
    for _ in WORDS:
        tables = np.zeros((3, 1, 1), np.int64)
        play_lanes(moves, np.zeros(cells, np.uint64), one, True, True, 1, stream, one.copy(), tables)
        seen.append(int(tables[1, 0, 0]))
    assert seen == [((word & 0xFFFFFFFF) >> 16) + (word >> 48) for word in WORDS]
