"""A player's game against the house: it starts with a stake and ends with a payout by the final score.

Money: the player buys the game. The stake rides until the game is over; then it is lost to the house in any case, and
what the schedule pays for the score is booked as winnings. The stake is never returned on top, so `returned` is always
0, and what the player receives in all is `winnings`.
"""

from dataclasses import replace

from house.domain.ids import PlayerId, RoundId, WagerId
from house.engines.hooligan.state import BankGame
from house.engines.protocol import Movement, Result
from payouts.currency import money_text
from payouts.hooligan.rules import Position, start
from payouts.hooligan.schedule import HooliganSchedule

BET = "hooligan"


def begin(schedule: HooliganSchedule, round_id: RoundId, wager: WagerId, player: PlayerId) -> tuple[BankGame, Movement]:
    """Begin a game; the player pays the stake."""
    game = BankGame(
        round=round_id,
        player=player,
        wager=wager,
        stake=schedule.stake_minor,
        schedule=schedule.fingerprint,
        position=start(schedule.rules),
    )
    return game, Movement(
        wager=wager, player=player, bet=BET, spot="", result=Result.STAKED, staked=schedule.stake_minor
    )


def advance(
    game: BankGame, schedule: HooliganSchedule, after: Position
) -> tuple[BankGame, tuple[Movement, ...], tuple[str, ...]]:
    """Take the game to the position after an event, and settle it if it is over."""
    moved = replace(game, position=after)
    if not after.is_over:
        return moved, (), describe(game.position, after)
    payout = schedule.pays_minor(after.score)
    decimals = schedule.header.decimals
    movement = Movement(
        wager=game.wager,
        player=game.player,
        bet=BET,
        spot="",
        result=Result.WON if payout else Result.LOST,
        lost=game.stake,
        resolved=game.stake,
        winnings=payout,
        odds=f"{money_text(payout, decimals)} for {money_text(game.stake, decimals)}" if payout else "",
    )
    call = f"final score {after.score}, pays {schedule.header.money(payout)}"
    return moved, (movement,), (*describe(game.position, after), call)


def describe(before: Position, after: Position) -> tuple[str, ...]:
    """Say which boxes an event filled: "frame of 6 scores 18", "Hooligan scores 20"."""
    boxes = zip(before.sheet, after.sheet, strict=True)
    return tuple(
        f"frame of {box} scores {now}" if box else f"Hooligan scores {now}"
        for box, (was, now) in enumerate(boxes)
        if was is None and now is not None
    )
