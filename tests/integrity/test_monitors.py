"""Live monitors of a table: the same numbers as in batch, compiled or not, saved or not; one budget for all."""

import numpy as np
import pytest

from integrity import kernel
from integrity.change import detector_path, magnet_detector
from integrity.errors import LaboratoryError
from integrity.locks import lock_battery, lock_log_e, lock_path
from integrity.monitors import (
    PAIR_LOCKS,
    Panel,
    alarms,
    break_order,
    field,
    log10_evalues,
    max_log10_evalues,
    observe,
    observe_all,
    panel,
    restore,
    save,
    start,
)
from integrity.sequential import face_battery, face_path
from integrity.tails import LN10

PANEL = panel(3, horizon=500)
THROWS = np.random.default_rng(61).integers(1, 7, size=(700, 3))
THROWS[np.random.default_rng(62).random(THROWS.shape) < 0.2] = 0
THROWS[300:420, 1] = 6


@pytest.fixture(params=["numpy", "numba"])
def each_kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with either kernel."""
    if request.param == "numba":
        pytest.importorskip("numba")
    else:
        monkeypatch.setattr(kernel, "compiled_loop", lambda: None)
    return str(request.param)


def monitor(name: str, *dice: int, of: Panel = PANEL) -> int:
    """Find a monitor."""
    return of.names.index((name, dice))


@pytest.mark.usefixtures("each_kernel")
def test_live_evidence_is_the_evidence_of_the_batch() -> None:
    state = observe_all(PANEL, start(PANEL), THROWS)
    now, greatest = log10_evalues(PANEL, state), max_log10_evalues(PANEL, state)
    for die in range(3):
        faces = THROWS[:, die][THROWS[:, die] > 0]
        paths = {
            "faces": face_path(face_battery(), faces),
            "magnet": detector_path(magnet_detector(horizon=500), faces),
            "repeats": lock_path(lock_battery("repeats"), faces[:-1], faces[1:]),
        }
        for kind, path in paths.items():
            assert now[monitor(kind, die)] == pytest.approx(path[-1] / LN10, abs=1e-9)
            assert greatest[monitor(kind, die)] == pytest.approx(max(path.max(), 0.0) / LN10, abs=1e-9)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        both = THROWS[(THROWS[:, a] > 0) & (THROWS[:, b] > 0)]
        for lock in PAIR_LOCKS:
            path = lock_path(lock_battery(lock), both[:, a], both[:, b])
            assert now[monitor(lock, a, b)] == pytest.approx(path[-1] / LN10, abs=1e-9)
            assert greatest[monitor(lock, a, b)] == pytest.approx(max(path.max(), 0.0) / LN10, abs=1e-9)


@pytest.mark.usefixtures("each_kernel")
def test_box_joins_the_repeats_of_its_dice() -> None:
    state = observe_all(PANEL, start(PANEL), THROWS)
    moves = field(PANEL, state, "moves")[:, 1:].reshape(3, 6, 6)
    together = lock_log_e(lock_battery("repeats"), moves, together=True) / LN10
    assert log10_evalues(PANEL, state)[monitor("box", 0, 1, 2)] == pytest.approx(float(together), abs=1e-9)


def test_both_kernels_give_the_same_evidence_and_the_same_alarms(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    fast = observe_all(PANEL, start(PANEL), THROWS)
    monkeypatch.setattr(kernel, "compiled_loop", lambda: None)
    plain = observe_all(PANEL, start(PANEL), THROWS)
    assert log10_evalues(PANEL, fast) == pytest.approx(log10_evalues(PANEL, plain), abs=1e-9)
    assert [a.throw for a in alarms(PANEL, fast)] == [a.throw for a in alarms(PANEL, plain)]
    assert alarms(PANEL, fast)


@pytest.mark.usefixtures("each_kernel")
def test_throw_by_throw_with_restarts_is_the_same_to_the_last_bit() -> None:
    state = start(PANEL)
    for n, faces in enumerate(THROWS[:200].tolist()):
        state = observe(PANEL, state, faces)
        if n % 37 == 0:
            state = restore(PANEL, save(PANEL, state))
    assert np.array_equal(state, observe_all(PANEL, start(PANEL), THROWS[:200]))


def test_a_state_is_left_as_it_was() -> None:
    state = observe_all(PANEL, start(PANEL), THROWS[:10])
    before = save(PANEL, state)
    observe(PANEL, state, (6, 6, 6))
    break_order(PANEL, state)
    assert save(PANEL, state) == before


def test_alarm_names_the_crooked_die_first_and_keeps_its_throw() -> None:
    state = observe_all(PANEL, start(PANEL), THROWS)
    first = alarms(PANEL, state)[0]
    assert first.dice == (1,)
    assert 300 < first.throw < 420
    later = observe_all(PANEL, state, THROWS[:100])
    assert alarms(PANEL, later)[0].throw == first.throw


def test_a_loaded_die_is_not_taken_for_one_that_is_held() -> None:
    # six at 1/2: repeats and pairs cross too, and given the bias nothing is left of them
    throws = np.random.default_rng(65).integers(1, 7, size=(1500, 3))
    throws[np.random.default_rng(66).random(throws.shape[0]) < 0.4, 0] = 6
    raised = alarms(PANEL, observe_all(PANEL, start(PANEL), throws))
    assert (raised[0].kind, raised[0].dice, raised[0].given_bias_log10_evalue) == ("faces", (0,), None) or (
        raised[0].kind == "magnet"
    )
    repeats = next(alarm for alarm in raised if alarm.kind == "repeats")
    assert repeats.max_log10_evalue > 10
    assert all(a.given_bias_log10_evalue < 1 for a in raised if a.given_bias_log10_evalue is not None)


def test_a_die_that_is_held_keeps_its_evidence_given_the_bias() -> None:
    rng = np.random.default_rng(67)
    throws = rng.integers(1, 7, size=(1500, 3))
    for t in range(1, 1500):
        if rng.random() < 0.2:
            throws[t, 2] = throws[t - 1, 2]
    raised = alarms(PANEL, observe_all(PANEL, start(PANEL), throws))
    held = next(alarm for alarm in raised if alarm.kind == "repeats")
    assert held.dice == (2,)
    assert held.given_bias_log10_evalue > 3
    assert not any(alarm.kind in ("faces", "magnet", "equal", "seven") for alarm in raised)


def test_a_change_of_box_breaks_the_order() -> None:
    two = observe(PANEL, observe(PANEL, start(PANEL), (5, 5, 5)), (5, 5, 5))
    broken = observe(PANEL, break_order(PANEL, observe(PANEL, start(PANEL), (5, 5, 5))), (5, 5, 5))
    assert log10_evalues(PANEL, two)[monitor("repeats", 0)] > 0.0
    assert log10_evalues(PANEL, broken)[monitor("repeats", 0)] == pytest.approx(0.0, abs=1e-12)
    assert field(PANEL, broken, "moves")[:, 1:].sum() == 0


@pytest.mark.parametrize("dice", [1, 2, 5])
def test_weights_share_one_budget(dice: int) -> None:
    table = panel(dice, alpha=0.02)
    assert table.weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.exp(-table.bars).sum() == pytest.approx(0.02, abs=1e-12)
    assert len(table.names) == 3 * dice + 1 + 4 * dice * (dice - 1) // 2


@pytest.mark.usefixtures("each_kernel")
def test_a_streak_of_any_length_stays_finite() -> None:
    one = panel(1)
    state = observe_all(one, start(one), np.full((3000, 1), 6))
    state = observe_all(one, state, np.random.default_rng(63).integers(1, 7, size=(3000, 1)))
    assert np.all(np.isfinite(log10_evalues(one, state)))
    path = face_path(face_battery(), np.r_[np.full(3000, 6), np.random.default_rng(63).integers(1, 7, 3000)])
    assert log10_evalues(one, state)[0] == pytest.approx(path[-1] / LN10, abs=1e-9)


def test_fair_tables_seldom_alarm_at_all() -> None:
    # at most 1 % of tables ever, all 56 monitors together: 100 five-dice tables, 1 % + 4 sd = 5 %
    table = panel(5)
    pytest.importorskip("numba")
    throws = np.random.default_rng(64).integers(1, 7, size=(100, 1500, 5))
    accused = sum(bool(alarms(table, observe_all(table, start(table), evening))) for evening in throws)
    assert accused <= 5


def test_impossible_input_is_refused() -> None:
    for faces in ((1, 2), (1, 2, 7), (1, 2, -1)):
        with pytest.raises(LaboratoryError, match="faces must"):
            observe(PANEL, start(PANEL), faces)
    with pytest.raises(LaboratoryError, match="faces must"):
        observe_all(PANEL, start(PANEL), np.zeros((3, 2), dtype=np.int64))
    with pytest.raises(LaboratoryError, match="saved state must"):
        restore(PANEL, b"123")
    with pytest.raises(LaboratoryError, match="saved state must"):
        restore(PANEL, save(panel(3), start(panel(3))))
    with pytest.raises(LaboratoryError, match="dice must"):
        panel(9)
    with pytest.raises(LaboratoryError, match="alpha must"):
        panel(2, alpha=0.0)
