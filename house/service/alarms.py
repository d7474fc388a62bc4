"""From monitors to words: which monitors cross their bars, what they speak of, what was seen and what to check next.

Several monitors speak of one thing: the faces of a die and a magnet that acts on it; the repeats of any die and of the
box; the four locks of a pair. Each such subject has one incident at a time. Repeats and pairs are held to evidence
given the dice's own bias, since a loaded die repeats and matches more often without any memory; that is looked at every
`LOOK_EVERY` throws of the set.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from house.store.incidents import StoredIncident
from integrity import monitors
from integrity.attacks import Attack, attack_of
from integrity.effects import describe
from integrity.findings import SPELL_BURDEN, strength
from integrity.fit import FAIR_D6
from integrity.kernel import State
from integrity.monitors import Panel
from integrity.sequential import SHARES, face_battery, log_e_by_attack
from integrity.tails import LN10

LOOK_EVERY = 16
AGAIN_NATS = LN10
"""After an incident is closed the same subject must show ten times the evidence to raise the next."""
_OF_FACES = ("faces", "magnet")
_OF_ORDER = ("repeats", "box")
ORDER = "order"
"""Subject of repeats, of any die or of the box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A monitor that crossed its bar.

    Parameters
    ----------
    subject
        What it is about within its set, as `subject_of` names it.
    monitor, dice
        Kind of the monitor, and serials of the dice that it watches.
    attack
        The cheat that fits best.
    log10_evalue, bar
        Evidence (the most that it has been) and where the monitor alarms, log10.
    weight
        Share of the set's budget that the monitor has.
    throws
        Throws of the set so far.
    effect, words
        How large; and all of it in a sentence or two.
    """

    subject: str
    monitor: str
    dice: tuple[str, ...]
    attack: Attack
    log10_evalue: float
    bar: float
    weight: float
    throws: int
    effect: str
    words: str


def subject_of(dice: Sequence[str], kind: str, which: Sequence[int]) -> str:
    """Name what a monitor of a set speaks of.

    Examples
    --------
    >>> [subject_of(("a", "b"), kind, dice) for kind, dice in (("magnet", (1,)), ("box", (0, 1)), ("seven", (0, 1)))]
    ['die b', 'order', 'pair a + b']
    """
    if kind in _OF_FACES:
        return f"die {dice[which[0]]}"
    return ORDER if kind in _OF_ORDER else f"pair {' + '.join(dice[die] for die in which)}"


def _members(dice: Sequence[str], of: Panel, subject: str) -> NDArray[np.bool_]:
    return np.array([subject_of(dice, kind, which) == subject for kind, which in of.names])


def heard(dice: Sequence[str], kind: str) -> bool:
    """Tell whether a monitor is listened to: faces of a die by itself, whatever set it is in; order and pairs in sets.

    Examples
    --------
    >>> heard(("a",), "faces"), heard(("a", "b"), "faces"), heard(("a", "b"), "box")
    (True, False, True)
    """
    return (kind in _OF_FACES) == (len(dice) == 1)


def silenced(dice: Sequence[str], of: Panel, bars: NDArray[np.float64], subject: str) -> NDArray[np.float64]:
    """Bars under which a subject raises nothing, since an incident about it is open."""
    return np.where(_members(dice, of, subject), np.inf, bars)


def bars(of: Panel, dice: Sequence[str], raised: Iterable[StoredIncident]) -> NDArray[np.float64]:
    """Bars of a set's monitors, ln e, with the incidents that there were, in order."""
    listened = np.array([heard(dice, kind) for kind, _ in of.names])
    found = np.where(listened, of.bars, np.inf)
    for incident in raised:
        if incident.evidence_at_close is None:
            found = silenced(dice, of, found, incident.subject)
        else:
            again = float(incident.evidence_at_close) * LN10 + AGAIN_NATS
            reopened = _members(dice, of, incident.subject) & listened
            found = np.where(reopened, np.maximum(of.bars, again), found)
    return found


def greatest(dice: Sequence[str], of: Panel, state: State, subject: str) -> float:
    """The most that the evidence on a subject has been, log10 e over its monitors."""
    return float(monitors.max_log10_evalues(of, state)[_members(dice, of, subject)].max())


def crossed(dice: Sequence[str], of: Panel, state: State, at: NDArray[np.float64]) -> tuple[Raised, ...]:
    """Find the subjects whose monitors stand at their bars `at`, each once, by its strongest monitor."""
    over = monitors.field(of, state, "log_e") >= at
    if not over.any():
        return ()
    looked = int(state[0]) % LOOK_EVERY == 0
    best: dict[str, tuple[float, int]] = {}
    given = _given_bias(of, state) if looked and over[2 * of.dice :].any() else {}
    for monitor in np.flatnonzero(over).tolist():
        evidence = float(monitors.field(of, state, "log_e")[monitor])
        if monitor >= 2 * of.dice:
            evidence = min(evidence, given.get(monitor, -np.inf))
            if evidence < at[monitor]:
                continue
        kind, which = of.names[monitor]
        subject, margin = subject_of(dice, kind, which), evidence - float(of.bars[monitor])
        best[subject] = max(best.get(subject, (margin, monitor)), (margin, monitor))
    return tuple(_raised(dice, of, state, monitor) for _, monitor in best.values())


def _given_bias(of: Panel, state: State) -> Mapping[int, float]:
    """ln e of each lock that ever crossed, whatever the margins of the dice."""
    place = {name: monitor for monitor, name in enumerate(of.names)}
    return {
        place[alarm.kind, alarm.dice]: alarm.given_bias_log10_evalue * LN10
        for alarm in monitors.alarms(of, state)
        if alarm.given_bias_log10_evalue is not None
    }


def _raised(dice: Sequence[str], of: Panel, state: State, monitor: int) -> Raised:
    kind, which = of.names[monitor]
    component = _component(of, state, monitor)
    attack = attack_of("pair" if len(which) == 2 else "die", component)
    log10_evalue = float(monitors.max_log10_evalues(of, state)[monitor])
    effect = str(_effect(of, state, monitor, component) or "")
    who = subject_of(dice, kind, which)
    if who == ORDER:
        who = f"die {dice[which[0]]}" if kind == "repeats" else f"the box, or how {', '.join(dice)} are held in it"
    seen = f"{who}: {attack.name}. {attack.seen.capitalize()}: {effect}"
    return Raised(
        subject=subject_of(dice, kind, which),
        monitor=kind,
        dice=tuple(dice[die] for die in which),
        attack=attack,
        log10_evalue=log10_evalue,
        bar=float(of.bars[monitor] / LN10),
        weight=float(of.weights[monitor]),
        throws=int(state[0]),
        effect=effect,
        words=f"{seen}. {strength(log10_evalue)}. Next: {attack.check}",
    )


def _component(of: Panel, state: State, monitor: int) -> str:
    """Name the part of the evidence that speaks; a spell must beat a lasting fault by some nats to be named."""
    kind, which = of.names[monitor]
    if kind not in _OF_FACES:
        return "repeats" if kind == "box" else kind
    counts = monitors.field(of, state, "counts")[which[0], 1:]
    by_attack = log_e_by_attack(face_battery(FAIR_D6), counts)
    strongest = max(by_attack, key=lambda name: float(by_attack[name]) + math.log(SHARES[name]))
    lasting = float(monitors.field(of, state, "log_e")[which[0]])
    spell = float(monitors.field(of, state, "log_e")[of.dice + which[0]])
    return "switched" if spell > lasting + SPELL_BURDEN else strongest


def _effect(of: Panel, state: State, monitor: int, component: str) -> object:
    """How large the fault is, in words, with its interval at the pit's usual 99 %."""
    kind, which = of.names[monitor]
    moves = monitors.field(of, state, "moves")[list(which), 1:].sum(axis=0).reshape(6, 6)
    counts = monitors.field(of, state, "counts")[list(which), 1:].sum(axis=0)
    together = np.zeros((6, 6), dtype=np.int64)
    if kind in monitors.PAIR_LOCKS:
        pair = (monitor - 3 * of.dice - 1) // len(monitors.PAIR_LOCKS)
        together = monitors.field(of, state, "together")[pair, 1:].reshape(6, 6)
    faces = "any" if component == "switched" else component
    table = np.vstack([counts - moves.sum(axis=0), moves])
    return describe(faces, table, together, FAIR_D6, monitors.ALPHA).effect
