"""The proof of the house's generator: what a seed drew, for everyone to compute again; and the house's own check."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from house.domain import fairness
from house.domain.refusals import Refusal, Refused
from house.service.desk import House
from house.store import records
from house.store import seeds as store
from house.store.checks import Discrepancy
from house.store.seeds import StoredDraw, StoredSeed


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnThrow:
    """One throw of the generator; `throw` is its number at its table, `faces` empty where it is not thrown yet."""

    nonce: int
    client: str
    table: str
    throw: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What is known of a seed of the house, and throws that it drew.

    Parameters
    ----------
    number
        Which of the player's seeds, from 0.
    seed
        In hex; None while it is secret.
    committed, revealed
        Records of the history that published the commitment and the seed.
    throws
        Throws drawn under the seed or reserved for it so far; `draws` may be a part of them.
    """

    player: str
    number: int
    commitment: str
    seed: str | None
    committed: int
    revealed: int | None
    throws: int
    draws: tuple[DrawnThrow, ...]


def proof(house: House, commitment: str, after: int = -1, limit: int = 500) -> Proof:
    """Show a seed by its commitment and up to `limit` of its throws beyond a nonce. Refused: NOT_FOUND."""
    with house.read() as connection:
        seed = store.get(connection, commitment)
        if seed is None:
            raise Refused(Refusal.NOT_FOUND, "no seed with this commitment is known", "commitment", commitment[:64])
        draws = tuple(
            DrawnThrow(nonce=draw.nonce, client=draw.client, table=draw.table, throw=draw.throw, faces=draw.faces)
            for draw in store.draws(connection, commitment, after, limit)
        )
        return Proof(
            player=seed.player,
            number=seed.number,
            commitment=commitment,
            seed=None if seed.revealed is None else seed.secret.hex(),
            committed=seed.committed,
            revealed=seed.revealed,
            throws=store.next_nonce(connection, commitment),
            draws=draws,
        )


def breaches(connection: Connection) -> Iterator[Discrepancy]:
    """Draw every throw of the generator again, and find where the house's promises and the log differ."""
    for seed in store.every(connection):
        yield from _of_promises(connection, seed)
        for draw in store.draws(connection, seed.commitment):
            yield from _of_draw(seed, draw)


def _of_promises(connection: Connection, seed: StoredSeed) -> Iterator[Discrepancy]:
    where = f"player {seed.player} seed {seed.number}"
    due = fairness.commitment(seed.secret)
    if seed.commitment != due:
        yield Discrepancy(invariant="a seed is the one promised", where=where, found=seed.commitment, due=due)
    published = {"commitment": seed.commitment, "player": seed.player, "number": seed.number}
    promises = [(seed.committed, "seed_commit", published)]
    if seed.revealed is not None:
        promises.append((seed.revealed, "seed_reveal", {"commitment": seed.commitment, "seed": seed.secret.hex()}))
    for number, kind, body in promises:
        record = records.get(connection, number)
        found = None if record is None or record.kind != kind else {name: record.body.get(name) for name in body}
        if found != body:
            name = f"{where} record {number}"
            yield Discrepancy(invariant=f"the history holds the {kind}", where=name, found=str(found), due=str(body))


def _of_draw(seed: StoredSeed, draw: StoredDraw) -> Iterator[Discrepancy]:
    if draw.record is None:
        return
    where = f"table {draw.table} throw {draw.throw}"
    due = fairness.faces(seed.secret, draw.client, draw.nonce, len(draw.faces))
    if draw.faces != due:
        invariant = "a throw of the generator shows what its seeds make"
        yield Discrepancy(invariant=invariant, where=where, found=str(draw.faces), due=str(due))
    body = json.loads(draw.record)
    noted = [body.get(name) for name in ("seed", "client", "nonce")]
    if noted != [seed.commitment, draw.client, draw.nonce]:
        kept = str([seed.commitment, draw.client, draw.nonce])
        yield Discrepancy(invariant="a draw is kept as it was recorded", where=where, found=kept, due=str(noted))
