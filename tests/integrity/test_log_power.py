"""What the checks of the log itself can see, against simulation and against the audit at the very edge."""

import numpy as np
import pytest
from scipy import stats

from integrity.asked import answer, ask
from integrity.errors import LaboratoryError
from integrity.findings import LOG_SHARE
from integrity.log_power import (
    CHECKS,
    Terms,
    check_power,
    check_size,
    check_throws,
    fewest_found,
    fewest_voids,
    thinning,
)
from integrity.observations import Observations, observations
from integrity.recycled import WINDOW, Recycled, sampled
from integrity.suspicion import suspicions
from integrity.tallies import tally

TEN = Terms(dice=10)


def reasons(batch: Observations, refused: int = 0, alpha: float = 0.01) -> set[str]:
    """Name the reasons for which an audit at `alpha` would not believe a log."""
    return {each.attack for each in suspicions(tally([batch]), refused, LOG_SHARE * alpha)}


def test_power_of_voids_agrees_with_simulated_evenings() -> None:
    # ten hands of 450 throws, 2 % void by accident, one voids 5 % more: 10,000 evenings, 4 sd of 0.0032
    rng, throws = np.random.default_rng(61), 450
    own, theirs = rng.binomial(throws, 0.07, 10_000), rng.binomial(9 * throws, 0.02, 10_000)
    tails = stats.hypergeom.sf(own - 1, 10 * throws, own + theirs, throws)
    simulated = float(np.mean(tails < TEN.share / 10))
    assert 0.8 < simulated < 0.95
    assert check_power("voids", 0.05, throws, TEN) == pytest.approx(simulated, abs=4 * 0.0032)


def test_straight_lines_between_knots_cost_power_of_voids_less_than_a_hair(monkeypatch: pytest.MonkeyPatch) -> None:
    power = check_power("voids", 0.02, 2_500, TEN)
    monkeypatch.setattr("integrity.log_power.MOST_EXACT", 100)
    assert 0.9 < power < 0.99
    assert check_power("voids", 0.02, 2_500, TEN) == pytest.approx(power, abs=0.002)


@pytest.mark.parametrize(("more", "said"), [(0, {"voids"}), (-1, set())])
def test_the_audit_suspects_voids_from_the_number_that_power_counts_with(more: int, said: set[str]) -> None:
    own, theirs = fewest_voids(400, 3600, 72, TEN) + more, 72
    states = ["void"] * own + ["ok"] * (400 - own) + (["void"] * (theirs // 9) + ["ok"] * (400 - theirs // 9)) * 9
    shooters = [f"S{each}" for each in range(10) for _ in range(400)]
    faces = np.random.default_rng(62).integers(1, 7, 4000)
    assert reasons(observations(faces, state=states, shooter=shooters, die="d")) == said


@pytest.mark.parametrize(("throws", "size"), [(600, 0.99), (6_000, 0.989), (12_000, 0.98)])
def test_power_of_too_even_agrees_with_invented_logs(throws: int, size: float) -> None:
    # counts dealt in rounds and the rest thrown; 4 sd of 20,000 logs, and 0.01 for chi-square above 60 throws
    dealt = int(size * throws / 6 + 1e-9)
    counts = np.random.default_rng(63).multinomial(throws - 6 * dealt, np.full(6, 1 / 6), size=20_000) + dealt
    statistic = (counts**2).sum(axis=1) * 6 / throws - throws
    simulated = float(np.mean(stats.chi2.cdf(statistic + 12 / throws, 5) < Terms().share / 2))
    assert 0.3 < simulated < 1.0
    assert check_power("too_even", size, throws, Terms()) == pytest.approx(simulated, abs=0.014 + 0.01)


def test_counts_that_are_dealt_evenly_enough_make_a_log_suspect() -> None:
    rng, seen, throws, size = np.random.default_rng(64), 0, 600, 0.99
    for _ in range(50):
        faces = np.concatenate((np.tile(np.arange(1, 7), 99), rng.integers(1, 7, 6)))
        seen += "too_even" in reasons(observations(rng.permutation(faces), die="d"))
    # 4 sd of 50 logs
    assert seen / 50 == pytest.approx(check_power("too_even", size, throws, Terms()), abs=4 * 0.042)


def test_less_than_nearly_all_dealt_evenly_is_never_seen() -> None:
    assert check_throws("too_even", 0.98, Terms()) is None
    assert any("98.91 %" in sentence for sentence in ask("too_even", size=0.98).words)


@pytest.mark.parametrize(("dice", "size"), [(2, 1.0), (3, 0.95), (5, 0.95)])
def test_power_of_sorted_faces_agrees_with_the_audit_at_its_edge(dice: int, size: float) -> None:
    terms = Terms(dice=dice)
    throws = check_throws("sorted", size, terms)
    assert throws is not None
    rng = np.random.default_rng(65)
    upward = np.sort(rng.integers(1, 7, (throws, dice)), axis=1)
    others = np.tile(np.arange(dice, 0, -1), (throws, 1))

    def suspect(count: int) -> bool:
        faces = np.concatenate((upward[:count], others[count:]))
        return "sorted" in reasons(observations(faces, slot=np.tile(np.arange(dice), throws)))

    needed = next(count for count in range(throws // 2, throws + 1) if suspect(count))
    # chance that a throw of dice comes in order: by listing all throws
    listed = np.indices((6,) * dice).reshape(dice, -1)
    chance = float(np.mean(np.all(np.diff(listed, axis=0) >= 0, axis=0)))
    expected = stats.binom.sf(needed - 1, throws, size + (1 - size) * chance)
    assert check_power("sorted", size, throws, terms) == pytest.approx(expected, rel=1e-9)
    assert expected >= 0.9


@pytest.mark.parametrize(("length", "said"), [(WINDOW, {"recycled"}), (WINDOW - 1, set())])
def test_the_shortest_copy_that_is_always_found(length: int, said: set[str]) -> None:
    faces = np.random.default_rng(66).integers(1, 7, 6_000)
    copied = np.concatenate((faces, faces[100 : 100 + length], 7 - faces[100 + length : 101 + length]))
    assert reasons(observations(copied, die="d")) == said
    assert check_size("recycled", 6_000, Terms()) == WINDOW
    assert ask("recycled", throws=6_000).certain


def test_power_of_recycled_rows_is_the_chance_to_be_in_the_sample() -> None:
    dice = 400_000
    length = check_size("recycled", dice, Terms())
    assert length is not None
    recycled = Recycled()
    recycled.add(np.tile(np.arange(1, 7), dice // 6 + 1)[:dice])
    assert thinning(dice) == recycled.bits == 3
    copies = np.random.default_rng(67).integers(0, 6, (1_000, int(length))).astype(np.uint8)
    found = float(np.mean([len(sampled(each, 3)) > 0 for each in copies]))
    # 4 sd of 1,000 copies
    assert check_power("recycled", length, dice, Terms()) == pytest.approx(found, abs=4 * 0.0095)
    longest = check_throws("recycled", length, Terms())
    assert longest is not None
    assert longest >= dice
    assert check_size("recycled", longest, Terms()) == length
    assert (check_size("recycled", longest + 1, Terms()) or 0) > length


@pytest.mark.parametrize("throws", [500, 999, 2_500])
def test_the_fewest_missing_doubled_and_refused_rows_that_are_always_found(throws: int) -> None:
    faces = np.random.default_rng(68).integers(1, 7, throws)
    for more, found in ((0, True), (-1, False)):
        numbers = np.arange(throws)
        numbers[throws // 2 :] += fewest_found("gaps", throws) + more
        twice = np.arange(throws)
        for again in range(fewest_found("twice", throws) + more):
            twice[10 * again + 1 :] -= 1
        assert ("gaps" in reasons(observations(faces, throw=numbers, die="d"))) is found
        assert ("twice" in reasons(observations(faces, throw=twice, die="d"))) is found
        refused = fewest_found("refused", throws) + more
        assert ("refused" in reasons(observations(faces, die="d"), refused)) is found


@pytest.mark.parametrize("name", CHECKS)
def test_sizes_and_throws_answer_each_other(name: str) -> None:
    terms = Terms(dice=CHECKS[name].dice[0])
    throws = {"recycled": 6_000, "voids": 200}.get(name, 3_000)
    size = check_size(name, throws, terms)
    assert size is not None
    assert check_power(name, size, throws, terms) >= 0.9
    back = check_throws(name, size, terms)
    assert back is not None
    assert back >= throws if name == "recycled" else back <= throws


@pytest.mark.parametrize("name", ["gaps", "twice", "refused"])
def test_one_in_a_thousand_is_put_down_to_the_clerk(name: str) -> None:
    found = ask(name, size=0.001)
    assert (found.seen, found.planned_throws, found.certain) == (False, None, True)
    assert "however long the log" in found.words[0]


@pytest.mark.parametrize("name", CHECKS)
def test_checks_of_the_log_are_not_watched_and_say_so(name: str) -> None:
    found = ask(name, throws=200)
    assert (found.watched_throws, found.price) == (None, None)
    assert "looking has no price" in found.words[-1]


@pytest.mark.parametrize(
    ("attack", "given", "said"),
    [
        ("voids", {"size": 0.1, "dice": 1}, "dice must be from 2 to 1000"),
        ("voids", {"size": 0.99}, "at most 0.98"),
        ("voids", {"size": 0.1, "rate": 1.0}, "void rate must be between 0 and 1"),
        ("load", {"size": 0.1, "rate": 0.1}, "void rate must be left out for load"),
        ("twice", {"size": 0.6}, "at most 0.5"),
        ("gaps", {"size": 0.1, "dice": 3}, "dice must be 1"),
        ("sorted", {"throws": 5, "dice": 9}, "dice must be from 2 to 8"),
        ("recycled", {"size": 30.5}, "whole number"),
        ("too_even", {}, "size or throws must be given, got neither"),
        ("gaps", {"throws": 0}, "throws must be from 1"),
    ],
)
def test_impossible_questions_about_logs_are_refused(attack: str, given: dict[str, float], said: str) -> None:
    with pytest.raises(LaboratoryError, match=said):
        answer(attack, rng=np.random.default_rng(1), **given)  # type: ignore[arg-type]
