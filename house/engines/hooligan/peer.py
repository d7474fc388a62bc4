"""A game among players: order of play by the dice, frames in turn, and who wins or pays. It moves no money."""

from collections.abc import Callable
from dataclasses import replace

from house.domain.ids import PlayerId, RoundId
from house.engines.hooligan.bank import describe
from house.engines.hooligan.state import Contest, Decides, PeerGame
from payouts.hooligan.rules import HooliganRules, Position, start

FEWEST_PLAYERS, MOST_PLAYERS = 2, 12

PLACES = {Decides.HIGH: 1, Decides.LOW: 1, Decides.TWO_LOW: 2}
"""How many players are decided on: one winner, or one or two who pay."""

VERDICTS = {Decides.HIGH: "wins", Decides.LOW: "pays", Decides.TWO_LOW: "pays"}


def begin(schedule: str, round_id: RoundId, players: tuple[PlayerId, ...], decides: Decides) -> PeerGame:
    """Begin a game: everyone throws five dice for the order of play."""
    return PeerGame(
        round=round_id,
        decides=decides,
        schedule=schedule,
        groups=(players,),
        contest=Contest(players),
    )


def thrower(game: PeerGame) -> PlayerId:
    """Player who throws next, or whose choice is open."""
    if game.contest is not None:
        return game.contest.players[len(game.contest.totals)]
    return game.players[game.turn]


def throw_for_total(game: PeerGame, rules: HooliganRules, total: int) -> tuple[PeerGame, tuple[str, ...]]:
    """Take a hand of five thrown for its total: for the order of play, or for the deciding place."""
    assert game.contest is not None, "nobody throws for a total"
    contest = Contest(game.contest.players, (*game.contest.totals, total))
    calls = (f"{thrower(game)} throws {total}",)
    if not contest.is_over:
        return replace(game, contest=contest), calls
    totals = dict(zip(contest.players, contest.totals, strict=True))
    if game.positions:
        decided, more = _decide(replace(game, contest=None), contest.players, totals.__getitem__)
    else:
        decided, more = _order(game, rules, totals)
    return decided, calls + more


def _order(game: PeerGame, rules: HooliganRules, totals: dict[PlayerId, int]) -> tuple[PeerGame, tuple[str, ...]]:
    """Split the group that threw, highest first; those still tied throw again."""
    ranked = tuple(
        tuple(player for player in totals if totals[player] == total)
        for total in sorted(set(totals.values()), reverse=True)
    )
    groups = tuple(part for group in game.groups for part in (ranked if group == tuple(totals) else (group,)))
    tied = next((group for group in groups if len(group) > 1), None)
    if tied is not None:
        return replace(game, groups=groups, contest=Contest(tied)), (f"{', '.join(tied)} throw again",)
    positions = (start(rules),) * len(groups)
    ordered = replace(game, groups=groups, contest=None, positions=positions)
    return ordered, (f"order of play: {', '.join(ordered.players)}",)


def advance(game: PeerGame, after: Position) -> tuple[PeerGame, tuple[str, ...]]:
    """Take the game of the player whose turn it is to the position after an event; pass the dice after each frame."""
    before = game.positions[game.turn]
    positions = (*game.positions[: game.turn], after, *game.positions[game.turn + 1 :])
    moved = replace(game, positions=positions)
    calls = tuple(f"{thrower(game)}: {call}" for call in describe(before, after))
    if not _frame_over(after):
        return moved, calls
    order = [(game.turn + step) % len(positions) for step in range(1, len(positions) + 1)]
    following = next((turn for turn in order if not positions[turn].is_over), None)
    if following is not None:
        return replace(moved, turn=following), calls
    scores = {player: each.score for player, each in zip(game.players, positions, strict=True)}
    decided, more = _decide(moved, game.players, scores.__getitem__)
    return decided, calls + more


def _frame_over(position: Position) -> bool:
    return position.throws_made == 0


def _decide(
    game: PeerGame, players: tuple[PlayerId, ...], points: Callable[[PlayerId], int]
) -> tuple[PeerGame, tuple[str, ...]]:
    """Fill the places that are still open from `players`; a tie for the last of them is thrown off."""
    sign = -1 if game.decides is Decides.HIGH else 1
    places = min(PLACES[game.decides], len(game.players)) - len(game.decided)
    ranked = sorted(players, key=lambda player: sign * points(player))
    last = points(ranked[places - 1])
    sure = tuple(player for player in ranked if sign * points(player) < sign * last)
    tied = tuple(player for player in players if points(player) == last)
    verdict = VERDICTS[game.decides]
    if len(sure) + len(tied) <= places:
        decided = (*game.decided, *sure, *tied)
        return replace(game, decided=decided), tuple(f"{player} {verdict}" for player in (*sure, *tied))
    calls = (*(f"{player} {verdict}" for player in sure), f"{', '.join(tied)} tie and throw one hand of five")
    return replace(game, decided=(*game.decided, *sure), contest=Contest(tied)), calls
