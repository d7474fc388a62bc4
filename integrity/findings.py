"""One finding a subject: what was seen, how strong the evidence is, how large the effect, which check comes next."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrity.attacks import ATTACKS, Attack, attack_of
from integrity.attribution import Accusation, Evidence, accuse, evidence, subjects
from integrity.effects import HELD, Description, Effect, describe, describe_spell, effect_of
from integrity.evidence import Frame, Kind, Subject, Sums, View, sums
from integrity.fit import pearson
from integrity.multiplicity import holm
from integrity.sequential import face_battery, log10_evalue, strongest
from integrity.suspicion import Suspicion
from integrity.tails import LN10
from integrity.tallies import Tallies

LOG_SHARE: Final = 0.1
"""Share of alpha that the checks of the log itself may spend; the subjects share the rest."""
FEWEST_THROWS: Final = 30
NAMELESS: Final = "of dice without serials"
"""Id of all pairs of dice whose serials the log does not give."""
SPELL_BURDEN: Final = 5.0
"""Nats by which a spell must explain the faces better than a lasting fault to be named in its stead."""
_SPELLS: Final = ("switched", "changed")


class Verdict(StrEnum):
    """What an audit concludes; of a whole log, the first that applies in this order."""

    NO_DATA = "no_data"
    LOG_SUSPECT = "log_suspect"
    CROOKED = "crooked"
    NOT_SHOWN = "not_shown"
    TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one subject.

    `log10_evalue` decides; `adjusted` is Holm's adjusted 1/e over all subjects, to be compared with the audit's alpha.
    `pvalue` and `log10_pvalue` belong to a fixed-sample test (`law` says which law) of the strongest attack and only
    describe, but for a `planned` finding, which they decide. `n` counts the dice (or pairs of dice) that spoke, after
    the rows of everyone accused before were taken out; `set_aside` those rows. `code` is the subject's code in the
    tallies. `test`, `statistic` and `df` tell which test gave the p-value; a binomial's statistic is its hits.
    """

    kind: Kind | Literal["log"]
    id: str | int
    attack: Attack | None
    n: int
    set_aside: int
    log10_evalue: float
    pvalue: float | None
    log10_pvalue: float | None
    law: str
    adjusted: float
    effect: Effect | None
    verdict: Verdict
    code: int = -1
    detail: str = ""
    test: str | None = None
    statistic: float | None = None
    df: int | None = None
    planned: bool = False

    @property
    def subject(self) -> str:
        """Name who is judged, as in "stake class 3"."""
        return f"{self.kind.replace('_', ' ')} {self.id}"

    @property
    def words(self) -> str:
        """Say the finding in plain words: what was seen, how strong, how large, and what to check next."""
        who = self.subject
        if self.kind == "log":
            return f"{self.detail}. Next: {self.attack.check}" if self.attack else "nothing against the log itself"
        aside = f"; {self.set_aside:,} more passed through somebody accused" if self.set_aside else ""
        if self.attack is None:
            return f"{who}: nothing left to judge it by{aside}"
        if self.verdict is not Verdict.CROOKED:
            few = "too few to tell" if self.verdict is Verdict.TOO_FEW else "not shown crooked"
            return f"{who}: {few} ({self.n:,} looked at{aside}); strongest look: {self.attack.name}, {self.effect}"
        seen = f"{who}: {self.attack.name}. {self.attack.seen.capitalize()}: {self.effect}"
        strong = planned_strength(self.log10_pvalue or 0.0) if self.planned else strength(self.log10_evalue)
        return f"{seen}. {strong}{aside}. Next: {self.attack.check}"

    def record(self) -> dict[str, Any]:
        """Give the finding as JSON's plain values."""
        return {
            "subject": {self.kind: self.id},
            "attack": self.attack.id if self.attack else None,
            "log10_evalue": self.log10_evalue,
            "pvalue": self.pvalue,
            "log10_pvalue": self.log10_pvalue,
            "adjusted": self.adjusted,
            "effect": self.effect.record() if self.effect else None,
            "verdict": str(self.verdict),
            "n": self.n,
            "set_aside": self.set_aside,
            "test": self.test,
            "statistic": self.statistic,
            "df": self.df,
            "law": self.law,
            "words": self.words,
        }


def findings_of(tallies: Tallies, frame: Frame, law: tuple[float, ...], alpha: float) -> tuple[Finding, ...]:
    """Judge every subject: first the accused in their order, then the others by the rows that remain."""
    share = (1 - LOG_SHARE) * alpha
    everyone, accused = subjects(frame), accuse(frame, law, share)
    remaining = View.of(frame)
    for each in accused:
        remaining = remaining.without(frame, each.subject)
    found, bar, sheets = [], 0.0, Sheets(frame)
    for rank, each in enumerate(accused):
        bar = max(bar, min(1.0, (len(everyone) - rank) * float(np.exp(-each.log_e)) / (1 - LOG_SHARE)))
        found.append(_finding(tallies, sheets, each, bar, alpha=alpha, law=law, verdict=Verdict.CROOKED))
    weighed = evidence(frame, remaining, law)
    others = [subject for subject in everyone if subject not in {each.subject for each in accused}]
    cleared = [_accusation(weighed, subject, remaining) for subject in others]
    adjusted = (10 ** holm([min(0.0, -each.log_e / LN10) for each in cleared])).tolist()
    for each, value in zip(cleared, adjusted, strict=True):
        found.append(_finding(tallies, sheets, each, min(1.0, max(bar, value / (1 - LOG_SHARE))), alpha=alpha, law=law))
    return tuple(found)


def _strongest(spoke: Mapping[str, float]) -> str:
    """Name the strongest attack; one that needs a spell must beat the lasting ones by some nats."""
    burden = dict.fromkeys(_SPELLS, SPELL_BURDEN)
    return max(spoke, key=lambda attack: spoke[attack] - burden.get(attack, 0.0), default="any")


class Sheets:
    """The sums of a frame by view and kind, each added up once."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.everything = frame, View.of(frame)
        self._known: dict[tuple[int, Kind], tuple[View, Sums]] = {}

    def of(self, view: View, kind: Kind) -> Sums:
        """Give the sums of every code of a kind in a view."""
        key = id(view), kind
        if key not in self._known:
            self._known[key] = view, sums(self.frame, view, kind)
        return self._known[key][1]


def _accusation(weighed: Evidence, subject: Subject, view: View) -> Accusation:
    """Weigh one subject that was not accused."""
    kind, code = subject
    by_attack = {attack: float(values[code]) for attack, values in weighed.by_attack[kind].items()}
    return Accusation(subject, float(weighed.log_e(kind)[code]), by_attack, view)


def _finding(
    tallies: Tallies,
    sheets: Sheets,
    case: Accusation,
    adjusted: float,
    *,
    alpha: float,
    law: tuple[float, ...],
    verdict: Verdict | None = None,
) -> Finding:
    """Describe one subject by the rows that spoke; a verdict of None is worked out from their number."""
    kind, code = case.subject
    counted, all_rows = sheets.of(case.view, kind), sheets.of(sheets.everything, kind)
    moves, pairs = counted.moves[code], counted.togethers[code]
    n = int(pairs.sum() if kind == "pair" else moves.sum())
    everything = int(all_rows.togethers[code].sum() if kind == "pair" else all_rows.moves[code].sum())
    spells = counted.spells[code]
    heard = {
        **dict.fromkeys(_SPELLS, spells),
        "repeats": moves[1:],
        "order": moves[1:],
        **dict.fromkeys(("equal", "seven", "eleven", "no_seven"), pairs),
    }
    spoke = {attack: weight for attack, weight in case.by_attack.items() if heard.get(attack, moves).any()}
    component = _strongest(spoke)
    attack = attack_of(kind, component) if spoke else None
    told = _described(component, counted, code, shift=tallies.timeline.shift, law=law, alpha=alpha)
    identity = subject_id(tallies, sheets.frame, case.subject)
    verdict = verdict or (Verdict.TOO_FEW if n < FEWEST_THROWS else Verdict.NOT_SHOWN)
    return Finding(
        kind,
        identity,
        attack,
        n,
        everything - n,
        case.log_e / LN10,
        told.pvalue,
        told.log10_pvalue,
        told.law,
        adjusted,
        told.effect,
        verdict,
        code,
        test=told.test,
        statistic=told.statistic,
        df=told.df,
    )


def _described(
    component: str, counted: Sums, code: int, *, shift: int, law: tuple[float, ...], alpha: float
) -> Description:
    """Describe what spoke most against one code; a block of throws in `spells` is 2^shift numbers long."""
    if component in _SPELLS:
        return describe_spell(counted.spells[code], 1 << shift, law, alpha, to_end=component == "changed")
    told = describe(component, counted.moves[code], counted.togethers[code], law, alpha)
    # pairs that share a die are not independent
    return replace(told, law="asymptotic") if component in HELD and counted.dice[code] > 2 else told


def subject_id(tallies: Tallies, frame: Frame, subject: Subject) -> str | int:
    """Spell a subject's id: its serial or name, "a + b" for a pair, the number of a slot or stake class."""
    kind, code = subject
    if kind == "pair" and frame.pair_names[code] == (-1, -1):
        return NAMELESS
    if kind == "pair":
        return " + ".join(sorted(tallies.name_of("die", die) for die in frame.pair_names[code]))
    return tallies.name_of(kind, code) if kind in tallies.names else code


def strength(log10_evalue: float) -> str:
    """Say how strong an e-value is.

    >>> strength(2.0)
    'A fair subject shows evidence this strong, ever, less than once in 100'
    """
    return f"A fair subject shows evidence this strong, ever, less than once in {_odds(log10_evalue)}"


def planned_strength(log10_pvalue: float) -> str:
    """Say how strong the p-value of a planned test is: it was looked at once, where the plan said.

    >>> planned_strength(-3.0)
    'In the one test that was planned, a fair subject shows as much or more once in 1,000'
    """
    return f"In the one test that was planned, a fair subject shows as much or more once in {_odds(-log10_pvalue)}"


def _odds(log10: float) -> str:
    """Write 10^log10 as a number of times.

    >>> _odds(2.0), _odds(30.0)
    ('100', '10^30')
    """
    return f"{10**log10:,.0f}" if log10 < 7 else f"10^{log10:.0f}"


def totals_finding(totals: NDArray[np.int64], law: tuple[float, ...], alpha: float) -> Finding:
    """Judge a log that holds nothing but totals of two dice, counted from 2 to 12, shape (11,)."""
    null = tuple(np.convolve(law, law).tolist())
    battery = face_battery(null)
    log10_e, result = float(log10_evalue(battery, totals)), pearson(totals, null)
    adjusted = min(1.0, 10.0**-log10_e / (1 - LOG_SHARE))
    _, favoured, _ = strongest(battery, totals)
    hits, n = int(totals[favoured[0] - 1]), int(totals.sum())
    effect = effect_of(f"total {favoured[0] + 1}", hits, n, null[favoured[0] - 1], alpha)
    few = Verdict.TOO_FEW if n < FEWEST_THROWS else Verdict.NOT_SHOWN
    verdict = Verdict.CROOKED if adjusted <= alpha else few
    return Finding(
        "pair",
        "two dice",
        ATTACKS["any"],
        n,
        0,
        log10_e,
        result.pvalue,
        result.log10_pvalue,
        result.law,
        adjusted,
        effect,
        verdict,
        test=result.test,
        statistic=result.statistic,
        df=result.df,
    )


def log_finding(suspicious: tuple[Suspicion, ...], name: str, dice: int) -> Finding:
    """Sum up the checks of the log itself; it has no e-value of its own (log10 e is 0)."""
    worst = min(suspicious, key=lambda each: each.log10_pvalue or 0.0, default=None)
    log10_pvalue = worst.log10_pvalue if worst else None
    pvalue = None if log10_pvalue is None else 10.0**log10_pvalue
    return Finding(
        kind="log",
        id=name,
        attack=ATTACKS[worst.attack] if worst else None,
        n=dice,
        set_aside=0,
        log10_evalue=0.0,
        pvalue=pvalue,
        log10_pvalue=log10_pvalue,
        law="exact" if worst else "no data",
        adjusted=1.0 if pvalue is None else min(1.0, pvalue),
        effect=worst.effect if worst else None,
        verdict=Verdict.LOG_SUSPECT if suspicious else Verdict.NOT_SHOWN,
        detail="; ".join(_told_of_log(suspicious)),
    )


def _told_of_log(suspicious: tuple[Suspicion, ...]) -> list[str]:
    """Say each reason, its name but once."""
    names = dict.fromkeys(each.attack for each in suspicious)
    return [
        f"{ATTACKS[name].name}: "
        + "; ".join(f"{each.words}{_by_luck(each)}" for each in suspicious if each.attack == name)
        for name in names
    ]


def _by_luck(suspicion: Suspicion) -> str:
    """Say how likely an honest log is to look so, where luck plays a part."""
    if suspicion.log10_pvalue is None:
        return ""
    tiny = suspicion.log10_pvalue < -5
    chance = f"10^{suspicion.log10_pvalue:.0f}" if tiny else f"{10**suspicion.log10_pvalue:.1g}"
    return f" (chance of that in an honest log: {chance})"
