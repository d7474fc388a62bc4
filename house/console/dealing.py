"""What a craps table and a Hooligan counter share: throws, draws, seeds, corrections, what the last did."""

from collections.abc import Callable, Mapping
from typing import Any

from house.console import figures
from house.console.drawing import dice as drawing
from house.console.session import Posted
from house.domain.corrections import Reason
from house.domain.refusals import Refusal, Refused
from house.domain.throws import DieState
from house.engines.protocol import Movement
from house.service import cage, generator, results
from house.service.corrections import CorrectThrow, Shown
from house.service.desk import Command, House
from house.service.generator import CommitSeeds, Draw, Seeds, SetClientSeed
from house.service.tables import Method, TableView
from house.service.throws import Throw, Thrown

MOST_DICE = 5
FACES = tuple((face, drawing.WORDS[face], drawing.bare(face)) for face in range(1, 7))
"""Number, word and picture of each face of a die."""

STATES: Mapping[DieState, str] = {
    DieState.OK: "counts",
    DieState.COCKED: "cocked",
    DieState.OFF: "off the table",
    DieState.FOUL: "foul throw",
    DieState.VOID: "called no throw",
}
"""How a die came to rest, as a dealer says it."""

REASONS: Mapping[Reason, str] = {
    Reason.MISKEYED: "keyed wrong",
    Reason.MISREAD: "read wrong",
    Reason.MISCALLED: "called wrong",
}


def thrown(table: TableView, form: Posted, slots: tuple[int, ...], choice: str | None = None) -> Throw:
    """The throw that a form tells: `face_1` and `state_1` of the first die thrown, and so on; `void` calls no throw.

    Parameters
    ----------
    slots
        Of the dice of the table, those that are thrown.
    """
    places = range(1, len(slots) + 1)
    states = [read_state(form.optional(f"state_{place}"), place) for place in places]
    if form.ticked("void"):
        states = _called(states, [form.optional(f"face_{place}") for place in places])
    dice = []
    for place, slot, state in zip(places, slots, states, strict=True):
        face = read_face(form.optional(f"face_{place}"), place, needed=state is DieState.OK)
        dice.append(Thrown(die=form.optional(f"die_{place}") or table.dice[slot], face=face, state=state))
    return Throw(table=table.table, dice=tuple(dice), choice=choice)


def _called(states: list[DieState], faces: list[str]) -> list[DieState]:
    """States of dice that were called no throw: void are those not read, and all where no die is said to lie wrong."""
    read = [
        state if face or state is not DieState.OK else DieState.VOID for state, face in zip(states, faces, strict=True)
    ]
    return read if any(state is not DieState.OK for state in read) else [DieState.VOID] * len(read)


def read_face(text: str, place: int, *, needed: bool) -> int | None:
    """Read a face; a die that does not count may be left unread. Refused: BAD_THROW."""
    if not text and not needed:
        return None
    if text not in set("123456"):
        raise Refused(Refusal.BAD_THROW, f"choose what die {place} shows", f"face_{place}")
    return int(text)


def read_state(text: str, place: int) -> DieState:
    """Read how a die came to rest; nothing is a die that counts. Refused: BAD_THROW."""
    if text not in ("", *DieState):
        raise Refused(Refusal.BAD_THROW, f"die {place} lies as one of {', '.join(DieState)}", f"state_{place}")
    return DieState(text or DieState.OK)


def correction(table: str, form: Posted) -> CorrectThrow:
    """The correction that a form tells; it names the throw that its writer saw. Refused: BAD_THROW, BAD_VALUE."""
    dice = []
    for place in range(1, min(form.whole("dice"), MOST_DICE) + 1):
        state = read_state(form.optional(f"state_{place}"), place)
        face = read_face(form.optional(f"face_{place}"), place, needed=state is DieState.OK)
        dice.append(Shown(face=face, state=state))
    reason = form.text("reason")
    if reason not in tuple(Reason):
        raise Refused(Refusal.BAD_VALUE, f"reason must be one of {', '.join(Reason)}", "reason")
    return CorrectThrow(table=table, throw=form.whole("throw"), dice=tuple(dice), reason=Reason(reason))


def seeding(form: Posted) -> Command[Seeds]:
    """Make seeds for a player, or take the player's own for the commitment that he was shown."""
    player = form.text("player")
    if not form.optional("commitment"):
        return CommitSeeds(player=player)
    return SetClientSeed(player=player, commitment=form.text("commitment"), client=form.text("client"))


def seeds_of(house: House, table: TableView, player: str | None) -> Mapping[str, Any]:
    """What the page of a table where the house draws shows of a player's seeds: whose, and which, None for none yet."""
    if table.method is not Method.RNG or not player:
        return {"seeded": player, "seeds": None}
    try:
        return {"seeded": player, "seeds": generator.seeds(house, player)}
    except Refused as refused:
        if refused.refusal not in (Refusal.NO_SEEDS, Refusal.NOT_FOUND):
            raise
        return {"seeded": player, "seeds": None}


def toke(form: Posted) -> Command[cage.Balance]:
    """Read a plain tip: chips of a player's for the dealers, which ride on nothing. Refused: BAD_VALUE."""
    return cage.Toke(player=form.text("player"), amount_minor=form.money("amount_minor"))


def draw(table: str, choice: str | None = None) -> Draw:
    """Let the house draw a throw."""
    return Draw(table=table, choice=choice)


def last(house: House, table: str, named: Callable[[Movement], str]) -> Mapping[str, Any]:
    """What a page shows of the last throw: its dice as a picture, its calls, and each wager with what became of it.

    Parameters
    ----------
    named
        Calls the bet of a movement.
    """
    found = results.last_throw(house, table)
    if found is None:
        return {"last": None, "last_dice": "", "lines": ()}
    picture = drawing.thrown(found.faces, [state.value for state in found.states])
    return {"last": found, "last_dice": picture, "lines": [_line(one, named(one)) for one in found.movements]}


def _line(movement: Movement, name: str) -> Mapping[str, Any]:
    """One wager of a throw: what the player got in all and what the house took."""
    got = movement.winnings + movement.commission_back - movement.commission
    return {"movement": movement, "bet": name, "net": got - movement.lost, "stays": _stays(movement)}


def _stays(movement: Movement) -> bool:
    """Whether the stake stays on the layout: decided, neither lost nor given back."""
    return bool(movement.resolved) and movement.resolved > movement.lost + movement.returned


def entering(table: TableView) -> Mapping[str, Any]:
    """What the forms of a throw show: faces, states of dice, reasons of a correction."""
    return {
        "faces": FACES,
        "states": list(STATES.items()),
        "reasons": [(reason.value, words) for reason, words in REASONS.items()],
        "draws": table.method is Method.RNG,
    }


def called(answer: Any) -> str:
    """What the next page says was done: what was called, where anything was; who tipped."""
    if isinstance(answer, cage.Balance):
        return f"The dealers thank {answer.player}."
    calls = getattr(getattr(answer, "settled", answer), "calls", ())
    return ". ".join(map(figures.called, calls))
