"""The house's own generator: promises, seeds, draws, and who may do what when."""

import json
import secrets
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from house.domain import fairness as pure
from house.domain.refusals import Refusal, Refused
from house.service import fairness, hooligan, reports, surveillance, tables, wagers
from house.service.generator import CommitSeeds, Draw, Drawn, RevealSeed, SetClientSeed, seeds
from house.service.throws import Source, Throw, Thrown
from house.store import database
from tests.house.drawing import foretell, open_generated, promise
from tests.house.pits import Pit
from tests.house.tampering import edit


def refused(pit: Pit, command: Any) -> tuple[Refusal, str]:
    with pytest.raises(Refused) as caught:
        pit.do(command)
    return caught.value.refusal, caught.value.field


def history(pit: Pit, *kinds: str) -> list[tuple[str, dict[str, Any]]]:
    with pit.house.read() as connection:
        rows = connection.execute(text("SELECT kind, body FROM record ORDER BY number")).all()
    return [(kind, json.loads(body)) for kind, body in rows if kind in kinds]


def test_a_throw_is_drawn_under_the_seeds_of_the_one_who_has_the_dice(pit: Pit) -> None:
    open_generated(pit)
    promised = promise(pit)
    pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00), table="g1")
    drawn: Drawn = pit.do(Draw(table="g1"))
    assert (drawn.commitment, drawn.client, drawn.nonce) == (promised.commitment, "lucky", 0)
    assert (drawn.dice, drawn.settled.throw, drawn.settled.void) == (("g1-d0", "g1-d1"), 0, False)
    assert len(drawn.settled.movements) == 1  # the field is decided by every throw
    rows = surveillance.throws(pit.house, "g1")
    assert [(row.face, row.source, row.method, row.shooter, row.box) for row in rows] == [
        (face, "rng", "rng", "ann", None) for face in drawn.faces
    ]
    revealed = pit.do(RevealSeed(player="ann", next_commitment=promised.next_commitment, client="again"))
    assert pure.commitment(bytes.fromhex(revealed.seed)) == promised.commitment
    assert pure.faces(bytes.fromhex(revealed.seed), "lucky", 0, 2) == drawn.faces
    assert reports.check(pit.house).discrepancies == ()


def spoken(offer: dict[str, Any]) -> str:
    """A choice as a player says it."""
    told = offer.get("slots", [offer["point"]] if "point" in offer else [])
    return " ".join(map(str, [offer["choice"], *told]))


def play_on(pit: Pit, table: str) -> Drawn | None:
    """Draw the next throw of a game, the first of the open choices before it where one must be made."""
    offered = tables.table(pit.house, table).offered
    choices = [None, *(spoken(dict(offer)) for offer in offered[:1])]
    for choice in choices:
        with suppress(Refused):
            drawn: Drawn = pit.do(Draw(table=table, choice=choice))
            return drawn
    pit.do(hooligan.Choose(table=table, choice=choices[-1] or ""))  # it ends the game, so no throw is behind it
    return None


def test_a_game_of_hooligan_is_drawn_to_its_end_with_the_dice_that_are_not_put_aside(pit: Pit) -> None:
    foretell(pit)  # so that some point that is named surely shows: chance would leave it out in 2 games of 100,000
    open_generated(pit, "g2", "hooligan", "scarne-quarter")
    promise(pit)
    pit.do(hooligan.StartGame(table="g2", player="ann"))
    drawn = []
    while tables.table(pit.house, "g2").round:
        drawn += [one for one in [play_on(pit, "g2")] if one is not None]
    assert [one.nonce for one in drawn] == list(range(len(drawn)))  # a refused draw takes no nonce
    assert {len(one.faces) for one in drawn} <= {1, 2, 3, 4, 5}
    assert min(len(one.faces) for one in drawn) < 5
    logged = surveillance.throws(pit.house, "g2")
    assert [row.face for row in logged] == [face for one in drawn for face in one.faces]
    assert reports.check(pit.house).discrepancies == ()


def test_only_the_house_draws_where_it_draws_and_only_dice_are_thrown_elsewhere(pit: Pit) -> None:
    open_generated(pit)
    promise(pit)
    pit.open_craps()

    def typed(table: str, source: Source) -> Throw:
        return Throw(table=table, dice=tuple(Thrown(die=f"{table}-d{n}", face=3) for n in (0, 1)), source=source)

    for source in Source:
        assert refused(pit, typed("g1", source)) == (Refusal.WRONG_METHOD, "table")
    assert refused(pit, typed("c1", Source.RNG)) == (Refusal.WRONG_METHOD, "table")
    assert refused(pit, Draw(table="c1")) == (Refusal.WRONG_METHOD, "table")
    assert refused(pit, Draw(table="nowhere")) == (Refusal.NOT_FOUND, "table")
    assert refused(pit, Draw(table="g1", choice="name 6")) == (Refusal.WRONG_GAME, "table")
    assert (surveillance.throws(pit.house, "g1"), surveillance.throws(pit.house, "c1")) == ((), ())
    assert pit.do(Draw(table="g1")).nonce == 0


def test_nothing_is_bet_or_drawn_before_the_one_who_has_the_dice_named_a_seed(pit: Pit) -> None:
    open_generated(pit)
    bet = wagers.PlaceBets(table="g1", bets=(wagers.Bet(player="bob", bet="field", stake_minor=10_00),))
    for command in (Draw(table="g1"), bet):
        assert refused(pit, command) == (Refusal.NO_SEEDS, "table")
    made = pit.do(CommitSeeds(player="ann"))
    for command in (Draw(table="g1"), bet):
        assert refused(pit, command) == (Refusal.NO_SEEDS, "table")
    pit.do(SetClientSeed(player="ann", commitment=made.commitment, client="lucky"))
    pit.do(Draw(table="g1"))
    pit.do(wagers.LeaveRail(table="g1", player="ann"))
    for command in (Draw(table="g1"), bet):
        assert refused(pit, command) == (Refusal.NOT_YOUR_TURN, "table")
    pit.do(wagers.JoinRail(table="g1", player="bob"))
    assert refused(pit, Draw(table="g1")) == (Refusal.NO_SEEDS, "table")
    assert promise(pit, "bob").nonce == 0
    assert pit.do(Draw(table="g1")).commitment == seeds(pit.house, "bob").commitment


def test_the_nonce_is_taken_with_the_first_bet_on_a_throw_and_nothing_changes_it_after(pit: Pit) -> None:
    open_generated(pit)
    promised, other = promise(pit), promise(pit, "bob")
    pit.do(wagers.JoinRail(table="g1", player="bob"))
    for _ in range(2):  # a second bet on the same throw takes no second nonce
        pit.bet(wagers.Bet(player="bob", bet="field", stake_minor=10_00), table="g1")
    noted = {"seed": promised.commitment, "client": "lucky", "nonce": 0}
    assert [{name: body[name] for name in noted} for _, body in history(pit, "bet")] == [noted, noted]
    assert seeds(pit.house, "ann").nonce == 1
    proof = fairness.proof(pit.house, promised.commitment)
    assert [(draw.table, draw.throw, draw.faces) for draw in proof.draws] == [("g1", 0, ())]
    assert reports.check(pit.house).discrepancies == ()

    pit.do(wagers.LeaveRail(table="g1", player="ann"))  # and bob has the dice
    reveal = RevealSeed(player="ann", next_commitment=promised.next_commitment, client="another")
    assert refused(pit, reveal) == (Refusal.BETS_RIDING, "player")
    pit.do(SetClientSeed(player="ann", commitment=promised.commitment, client="other"))
    drawn = pit.do(Draw(table="g1"))
    assert (drawn.commitment, drawn.client, drawn.nonce) == (promised.commitment, "lucky", 0)
    assert surveillance.throws(pit.house, "g1")[0].shooter == "bob"
    assert pit.do(Draw(table="g1")).commitment == other.commitment
    assert pit.do(reveal).throws == 1
    assert reports.check(pit.house).discrepancies == ()


def test_a_bet_that_is_refused_takes_no_nonce(sqlite_pit: Pit) -> None:
    open_generated(sqlite_pit)
    promise(sqlite_pit)
    bet = wagers.Bet(player="bob", bet="field", stake_minor=9_999_999_00)
    with pytest.raises(Refused):
        sqlite_pit.bet(bet, table="g1")
    assert seeds(sqlite_pit.house, "ann").nonce == 0


def test_seeds_are_refused_where_they_cannot_be(pit: Pit) -> None:
    assert refused(pit, CommitSeeds(player="eve")) == (Refusal.NOT_FOUND, "player")
    with pytest.raises(Refused, match="no_seeds"):
        seeds(pit.house, "ann")
    set_one = SetClientSeed(player="ann", commitment="0" * 64, client="x")
    assert refused(pit, set_one) == (Refusal.NO_SEEDS, "player")
    made = pit.do(CommitSeeds(player="ann"))
    assert refused(pit, CommitSeeds(player="ann")) == (Refusal.ALREADY_EXISTS, "player")
    for client in ("", "a b", "a:b", "é", "x" * 65, "=1"):
        command = SetClientSeed(player="ann", commitment=made.commitment, client=client)
        assert refused(pit, command) == (Refusal.BAD_VALUE, "client")
    swapped = SetClientSeed(player="ann", commitment=made.next_commitment, client="x")
    assert refused(pit, swapped) == (Refusal.STATE_CHANGED, "commitment")
    stale = RevealSeed(player="ann", next_commitment=made.commitment, client="x")
    assert refused(pit, stale) == (Refusal.STATE_CHANGED, "next_commitment")
    assert seeds(pit.house, "ann") == made
    with pytest.raises(Refused, match="not_found"):
        fairness.proof(pit.house, "0" * 64)


def test_seeds_do_not_change_while_something_rides_on_the_player_s_throws(pit: Pit) -> None:
    open_generated(pit)
    promised = promise(pit)
    bet = pit.bet(wagers.Bet(player="bob", bet="field", stake_minor=10_00), table="g1")
    change = SetClientSeed(player="ann", commitment=promised.commitment, client="other")
    reveal = RevealSeed(player="ann", next_commitment=promised.next_commitment, client="another")
    assert refused(pit, change) == (Refusal.BETS_RIDING, "player")
    assert refused(pit, reveal) == (Refusal.BETS_RIDING, "player")
    assert promise(pit, "bob").client == "lucky"  # bob has no dice in his hand
    pit.do(wagers.TakeDownBets(table="g1", wagers=(wagers.TakeDown(wager=bet.wagers[0]),)))
    assert pit.do(change).client == "other"
    assert refused(pit, reveal) == (Refusal.BETS_RIDING, "player")  # the bet took a nonce, and its throw is to come
    pit.do(Draw(table="g1"))
    assert pit.do(reveal).throws == 1


def test_a_reserved_throw_of_a_table_that_closed_shows_nothing(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    open_generated(pit)
    promised = promise(pit)
    bet = pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00), table="g1")
    pit.do(wagers.TakeDownBets(table="g1", wagers=(wagers.TakeDown(wager=bet.wagers[0]),)))
    pit.do(tables.CloseTable(table="g1"))
    end = RevealSeed(player="ann", next_commitment=promised.next_commitment, client="another")
    assert pit.do(end).throws == 1
    (draw,) = fairness.proof(pit.house, promised.commitment).draws
    assert (draw.nonce, draw.faces) == (0, ())
    assert reports.check(pit.house).discrepancies == ()


def test_the_player_s_seed_may_change_and_the_nonce_goes_on(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    open_generated(pit)
    promised = promise(pit)
    first = [pit.do(Draw(table="g1")) for _ in range(3)]
    pit.do(SetClientSeed(player="ann", commitment=promised.commitment, client="other"))
    then = [pit.do(Draw(table="g1")) for _ in range(2)]
    assert [(one.client, one.nonce) for one in first + then] == [
        *(("lucky", 0), ("lucky", 1), ("lucky", 2)),
        *(("other", 3), ("other", 4)),
    ]
    proof = fairness.proof(pit.house, promised.commitment, after=1, limit=2)
    assert (proof.seed, proof.throws, [draw.nonce for draw in proof.draws]) == (None, 5, [2, 3])


def test_a_seed_that_the_player_named_before_could_be_foreseen_and_is_refused(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    open_generated(pit)
    promised = promise(pit, client="first")
    pit.do(Draw(table="g1"))
    pit.do(SetClientSeed(player="ann", commitment=promised.commitment, client="second"))
    pit.do(SetClientSeed(player="ann", commitment=promised.commitment, client="first"))  # promised before either
    pit.do(SetClientSeed(player="ann", commitment=promised.commitment, client="second"))
    for client in ("first", "second"):  # one drew a throw, one was named last
        command = RevealSeed(player="ann", next_commitment=promised.next_commitment, client=client)
        assert refused(pit, command) == (Refusal.ALREADY_EXISTS, "client")
    assert promise(pit, "bob", client="first").client == "first"
    assert seeds(pit.house, "ann").commitment == promised.commitment  # nothing was revealed
    pit.do(RevealSeed(player="ann", next_commitment=promised.next_commitment, client="third"))


def test_a_secret_seed_is_nowhere_but_in_its_own_row(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    open_generated(pit)
    promised = promise(pit)
    pit.do(Draw(table="g1"))
    pit.do(RevealSeed(player="ann", next_commitment=promised.next_commitment, client="again"))
    with pit.house.read() as connection:
        kept = connection.execute(text("SELECT secret FROM seed WHERE revealed IS NULL")).scalars().all()
        shown = connection.execute(text("SELECT secret FROM seed WHERE revealed IS NOT NULL")).scalar_one()
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'seed'"))
        everything = [
            [str(tuple(row)) for row in connection.execute(text(f"SELECT * FROM {name}"))]
            for name in names.scalars().all()
        ]
    assert len(kept) == 2
    assert not [secret for secret in kept for rows in everything for row in rows if secret in row]
    assert (
        sum(shown in row for rows in everything for row in rows) == 2
    )  # in the history, and in the answer to the command


EDITS = {
    "a face": (
        "UPDATE throw_die SET face = 7 - face WHERE slot = 0",
        "a throw of the generator shows what its seeds make",
    ),
    "a client seed of a draw": ("UPDATE draw SET client = 'other'", "a draw is kept as it was recorded"),
    "a client seed in a record": (
        """UPDATE record SET body = replace(body, '"client":"lucky"', '"client":"other"') WHERE kind = 'throw'""",
        "a draw is kept as it was recorded",
    ),
    "a seed": (f"UPDATE seed SET secret = '{'0' * 64}' WHERE number = 0", "a seed is the one promised"),
    "a promise": (
        "UPDATE record SET body = replace(body, 'commitment', 'comment') WHERE kind = 'seed_commit'",
        "the history holds the seed_commit",
    ),
    "a revealed seed": (
        """UPDATE record SET body = replace(body, '"seed"', '"need"') WHERE kind = 'seed_reveal'""",
        "the history holds the seed_reveal",
    ),
    "a draw that is gone": ("DELETE FROM draw", "a throw of the generator has its draw"),
    "a draw of a throw that is not to come": (
        "UPDATE draw SET number = 7",
        "a draw is of a throw of the generator, or of the next one",
    ),
    "a nonce passed over": ("UPDATE draw SET nonce = 5", "nonces of a seed are used without a gap"),
}


@pytest.mark.parametrize("what", EDITS)
def test_the_check_finds_an_edit_of(sqlite_pit: Pit, what: str) -> None:
    pit = sqlite_pit
    open_generated(pit)
    promised = promise(pit)
    pit.do(Draw(table="g1"))
    pit.do(RevealSeed(player="ann", next_commitment=promised.next_commitment, client="again"))
    assert reports.check(pit.house).discrepancies == ()
    statement, invariant = EDITS[what]
    edit(pit.url, statement)
    assert invariant in {found.invariant for found in reports.check(pit.house).discrepancies}


def test_seeds_come_from_the_system_s_own_chance(sqlite_pit: Pit) -> None:
    assert sqlite_pit.house.entropy is secrets.token_bytes


FORBIDDEN = {
    "a client seed of a revealed seed": ("UPDATE seed SET client = 'x' WHERE number = 0", "until it is revealed"),
    "another secret of a seed in use": (f"UPDATE seed SET secret = '{'1' * 64}' WHERE number = 1", "only the client"),
    "a secret that is no seed": (
        "INSERT INTO seed (commitment, player, number, secret, committed) VALUES ('c', 'bob', 0, 'abc', 0)",
        "secret_has_32_bytes",
    ),
    "a nonce passed over": (
        "INSERT INTO draw SELECT commitment, 5, 'x', 'g1', 9 FROM seed WHERE number = 1",
        "without a gap",
    ),
    "a nonce used twice": (
        "INSERT INTO draw SELECT seed, nonce, client, table_id, 9 FROM draw WHERE client = 'again'",
        "without a gap",
    ),
    "a dealer's throw where the house draws": (
        (
            "INSERT INTO throw (table_id, number, at_us, round, method, source, void, gaming_day, record) SELECT"
            " table_id, 2, at_us, round, method, 'dealer', void, gaming_day, record FROM throw WHERE number = 1"
        ),
        "generator_throws_alone",
    ),
    "a delete of a seed": ("DELETE FROM seed WHERE number = 2", "stand for ever"),
    "a draw under a revealed seed": (
        "INSERT INTO draw SELECT seed, nonce + 1, client, table_id, 9 FROM draw WHERE client = 'lucky'",
        "draws no throw",
    ),
    "an update of a draw": ("UPDATE draw SET nonce = 7", "stand for ever"),
}


def test_the_database_itself_refuses(pit: Pit) -> None:
    open_generated(pit)
    promised = promise(pit)
    pit.do(Draw(table="g1"))
    pit.do(RevealSeed(player="ann", next_commitment=promised.next_commitment, client="again"))
    pit.do(Draw(table="g1"))
    engine = database.write_engine(pit.url)
    for what, (statement, message) in FORBIDDEN.items():
        with pytest.raises(IntegrityError) as refused, engine.begin() as connection:
            connection.execute(text(statement))
        assert message in str(refused.value), what
    engine.dispose()
