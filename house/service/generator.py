"""The house's own generator: commitments first, then the player's seed, then throws, and the seed revealed at last.

A player has two seeds of the house that are secret: one in use, and the next, whose commitment stands in the history
before the player names a seed for it. A throw at a table with the method "rng" is drawn under the seeds of the one who
has the dice. Its nonce is taken in the transaction of the first bet on it, and noted in the bet's record; where a throw
has no bet of its own, in the throw's. From then on nothing can change what it will show.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from house.domain import fairness
from house.domain.ids import check_id
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.cage import known_player
from house.service.desk import Command, House, Work
from house.service.games import GAMES
from house.service.play import in_round, loader, open_table, state_of
from house.service.throws import Settled, Source, Throw, Thrown, settle
from house.store import equipment, records, tables
from house.store import seeds as store
from house.store.seeds import Reserved, StoredSeed
from house.store.tables import StoredTable

NONE_YET = "no commitment of the house was asked for yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    """A player's seeds as everyone may see them.

    Parameters
    ----------
    commitment
        Of the house's seed in use.
    client
        The player's seed for it; None until he names one.
    nonce
        Count of the next throw under it, from 0.
    next_commitment
        Of the seed that comes into use when this one is revealed.
    """

    player: str
    commitment: str
    client: str | None
    nonce: int
    next_commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """A seed of the house that was in use, in hex, how many nonces it used, and the seeds from now on."""

    commitment: str
    seed: str
    throws: int
    seeds: Seeds


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A throw of the generator: what it showed, by what it can be computed again, and what it settled."""

    commitment: str
    client: str
    nonce: int
    dice: tuple[str, ...]
    faces: tuple[int, ...]
    settled: Settled


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitSeeds(Command[Seeds]):
    """Make a player's first two seeds and publish their commitments. Refused: NOT_FOUND, ALREADY_EXISTS."""

    scope: ClassVar[Scope] = Scope.SEEDS_WRITE
    player: str

    def run(self, work: Work) -> Seeds:
        """Commit to both."""
        player = known_player(work.connection, self.player)
        if store.secret(work.connection, player):
            raise Refused(Refusal.ALREADY_EXISTS, "the house is committed to seeds already", "player", player)
        for number in (0, 1):
            _commit(work, player, number)
        return _seeds(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetClientSeed(Command[Seeds]):
    """Take the player's own seed for the commitment in use.

    Parameters
    ----------
    commitment
        The one in use, as the player was shown it: he names his seed after it, never before.
    client
        The player's seed: 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit.

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND, ALREADY_EXISTS (the player named this seed for an earlier commitment), NO_SEEDS,
        BETS_RIDING (the player has the dice where something rides), STATE_CHANGED (another commitment is in use).
    """

    scope: ClassVar[Scope] = Scope.SEEDS_WRITE
    player: str
    commitment: str
    client: str

    def run(self, work: Work) -> Seeds:
        """Note the seed in the history and use it from the next throw on."""
        in_use, _ = _changeable(work, self.player, self.client)
        _check_commitment(self.commitment, in_use, "commitment")
        _take_client(work, in_use, self.client)
        return _seeds(work.connection, in_use.player)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealSeed(Command[Revealed]):
    """Publish the house's seed in use, take the player's seed for the next one, and commit to one after that.

    Parameters
    ----------
    next_commitment
        The next one, as the player was shown it.
    client
        The player's seed for it.

    Raises
    ------
    Refused
        As `SetClientSeed`; BETS_RIDING also where the seed is reserved for a throw to come.
    """

    scope: ClassVar[Scope] = Scope.SEEDS_WRITE
    player: str
    next_commitment: str
    client: str

    def run(self, work: Work) -> Revealed:
        """Reveal the seed; it draws no throw any more."""
        in_use, following = _changeable(work, self.player, self.client)
        awaiting = store.awaited(work.connection, in_use.commitment)
        if awaiting is not None:
            raise _riding(f"the next throw at table {awaiting} is drawn under this seed", in_use.player)
        _check_commitment(self.next_commitment, following, "next_commitment")
        throws = store.next_nonce(work.connection, in_use.commitment)
        noted = {"player": in_use.player, "commitment": in_use.commitment, "seed": in_use.secret.hex()}
        record = records.append(work.unit, "seed_reveal", None, {**noted, "throws": throws})
        store.reveal(work.unit, in_use.commitment, record)
        _commit(work, in_use.player, following.number + 1)
        _take_client(work, following, self.client)
        seeds = _seeds(work.connection, in_use.player)
        return Revealed(commitment=in_use.commitment, seed=noted["seed"], throws=throws, seeds=seeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Command[Drawn]):
    """Let the house draw a throw at a table with the method "rng", under the seeds of the one who has the dice.

    Parameters
    ----------
    choice
        Hooligan: the player's choice before this throw.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED, WRONG_METHOD (dice are thrown at this table), NOT_IN_PLAY (a choice without a game),
        BAD_CHOICE, NOT_YOUR_TURN (nobody has the dice), NO_SEEDS (who has the dice named no seed yet).
    """

    scope: ClassVar[Scope] = Scope.THROWS_WRITE
    table: str
    choice: str | None = None

    def run(self, work: Work) -> Drawn:
        """Draw the faces of the dice to be thrown with the nonce that is theirs, and settle the throw."""
        table = in_round(open_table(work.connection, self.table))
        if table.method != Source.RNG:
            raise Refused(Refusal.WRONG_METHOD, "dice are thrown at this table", "table", table.id, table.method)
        state, game = state_of(table), GAMES[table.game]
        slots = game.dice_to_throw(state, table.fingerprint, loader(work.house, work.connection), self.choice)
        taken = _reserve(work, table, game.shooter(state))
        faces = fairness.faces(taken.seed.secret, taken.client, taken.nonce, len(slots))
        in_play = equipment.in_play(work.connection, table.id)
        if len(in_play.dice) < game.dice:
            message = "dice were taken out of play: put others into play"
            raise Refused(Refusal.NOT_IN_PLAY, message, "table", table.id, f"{game.dice} dice")
        dice = tuple(in_play.dice[slot] for slot in slots)
        thrown = tuple(Thrown(die=die, face=face) for die, face in zip(dice, faces, strict=True))
        throw = Throw(table=table.id, dice=thrown, choice=self.choice, source=Source.RNG)
        return Drawn(
            commitment=taken.seed.commitment,
            client=taken.client,
            nonce=taken.nonce,
            dice=dice,
            faces=faces,
            settled=settle(work, table, in_play.box, throw, _noted(taken)),
        )


def reserve(work: Work, table: StoredTable, shooter: str | None = None) -> Mapping[str, str | int]:
    """Reserve the nonce of the next throw of a table, in the transaction of a bet on it, if the house draws there.

    Parameters
    ----------
    shooter
        Who will have the dice; without it, who has them.

    Returns
    -------
    What the bet's record says of it: seed (its commitment), client, nonce; nothing where dice are thrown.

    Raises
    ------
    Refused
        NOT_YOUR_TURN (nobody has the dice), NO_SEEDS (who has the dice named no seed yet).
    """
    if table.method != Source.RNG:
        return {}
    return _noted(_reserve(work, table, shooter or GAMES[table.game].shooter(state_of(table))))


def _reserve(work: Work, table: StoredTable, shooter: str | None) -> Reserved:
    """Find what is reserved for the next throw, or take the next nonce of the one who has the dice."""
    found = store.reserved(work.connection, table.id, table.next_throw)
    if found is not None:
        return found
    seed, client = _seeds_to_draw(work.connection, shooter)
    taken = Reserved(seed=seed, client=client, nonce=store.next_nonce(work.connection, seed.commitment))
    store.reserve(work.unit, taken, table.id, table.next_throw)
    return taken


def _noted(taken: Reserved) -> Mapping[str, str | int]:
    return {"seed": taken.seed.commitment, "client": taken.client, "nonce": taken.nonce}


def _commit(work: Work, player: str, number: int) -> None:
    """Make a seed and publish its commitment; the seed itself stays in its own row."""
    secret = work.house.entropy(fairness.SEED_BYTES)
    commitment = fairness.commitment(secret)
    noted: Mapping[str, str | int] = {"player": player, "commitment": commitment, "number": number}
    record = records.append(work.unit, "seed_commit", None, noted)
    seed = StoredSeed(commitment=commitment, player=player, number=number, secret=secret, committed=record)
    store.add(work.unit, seed)


def _changeable(work: Work, player: str, client: str) -> tuple[StoredSeed, StoredSeed]:
    """Check that a player may change seeds, and return the one in use and the next."""
    check_id(client, "client")
    in_use, following = _secret(work.connection, known_player(work.connection, player))
    for table in tables.open_by_method(work.connection, Source.RNG):
        game, state = GAMES[table.game], state_of(table)
        if game.shooter(state) == player and not game.idle(state):
            raise _riding(f"the player has the dice at table {table.id}, where something rides", player)
    return in_use, following


def _riding(message: str, player: str) -> Refused:
    return Refused(Refusal.BETS_RIDING, message, "player", player)


def _secret(connection: Connection, player: str) -> tuple[StoredSeed, StoredSeed]:
    found = store.secret(connection, player)
    if not found:
        raise Refused(Refusal.NO_SEEDS, NONE_YET, "player", player)
    in_use, following = found
    return in_use, following


def _check_commitment(named: str, seed: StoredSeed, field: str) -> None:
    if named != seed.commitment:
        message = "the player's seed is for another commitment than the house's"
        raise Refused(Refusal.STATE_CHANGED, message, field, named[:64], seed.commitment)


def _take_client(work: Work, seed: StoredSeed, client: str) -> None:
    """Keep the player's seed; one that he named earlier the house could have foreseen when it made its own."""
    if store.named_before(work.connection, seed, client):
        raise Refused(Refusal.ALREADY_EXISTS, "name a seed that you never named before", "client", client)
    noted = {"player": seed.player, "commitment": seed.commitment, "client": client}
    records.append(work.unit, "client_seed", None, noted)
    store.set_client(work.unit, seed.commitment, client)


def _seeds_to_draw(connection: Connection, shooter: str | None) -> tuple[StoredSeed, str]:
    """Seed of the house in use for the one who has the dice, and his own."""
    if shooter is None:
        raise Refused(Refusal.NOT_YOUR_TURN, "nobody has the dice", "table")
    found = store.secret(connection, shooter)
    if not found or found[0].client is None:
        raise Refused(Refusal.NO_SEEDS, f"{shooter}, who has the dice, named no seed yet", "table")
    return found[0], found[0].client


def seeds(house: House, player: str) -> Seeds:
    """Show a player's seeds. Refused: NOT_FOUND, NO_SEEDS."""
    with house.read() as connection:
        return _seeds(connection, known_player(connection, player))


def _seeds(connection: Connection, player: str) -> Seeds:
    in_use, following = _secret(connection, player)
    return Seeds(
        player=player,
        commitment=in_use.commitment,
        client=in_use.client,
        nonce=store.next_nonce(connection, in_use.commitment),
        next_commitment=following.commitment,
    )
