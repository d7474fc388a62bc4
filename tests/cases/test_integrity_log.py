"""Part C of the case list of dice logs: inputs that trip public tools, one test a row, the row's number in its name.

Where a row names no data, data of its kind is built here. d6, fair, unless said.
"""

from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

from integrity.audit import Audit, Verdict, audit
from integrity.errors import ReadError
from integrity.observations import Observations, concatenate, observations
from integrity.readers import read, stated_throws
from integrity.tallies import Tallies, tally

DATA = Path(__file__).parents[1] / "data"
SIX_THROWS = "throw,white,red\n0,1,2\n1,3,4\n2,5,6\n3,6,6\n4,2,3\n5,1,1\n"
WHITE, RED = [1, 3, 5, 6, 2, 1], [2, 4, 6, 6, 3, 1]


def write(folder: Path, content: str | bytes, name: str = "log.csv") -> Path:
    """Put a log into a file."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def rows_of(path: Path, **columns: str) -> Observations:
    """Read a whole file into one batch."""
    return concatenate(list(read(path, columns).batches()))


def counted(path: Path, **columns: str) -> Tallies:
    """Tally a file."""
    return tally(read(path, columns).batches())


def by_die(batch: Observations) -> dict[str | None, list[int]]:
    """Give the faces of each die in order."""
    names = batch.die.values()
    return {
        name: [int(f) for f, d in zip(batch.face, names, strict=True) if d == name] for name in dict.fromkeys(names)
    }


def test_C1_a_byte_order_mark_is_not_part_of_the_first_header(tmp_path: Path) -> None:
    batch = rows_of(write(tmp_path, "\ufeff" + SIX_THROWS))
    assert by_die(batch) == {"white": WHITE, "red": RED}
    assert batch.throw.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.replace(",", ";"),
        lambda text: text.replace(",", "\t"),
        lambda text: "\n" + text + "   \n",
    ],
    ids=["CRLF", "CR", "no final newline", "blank lines", "semicolon", "tab", "blank ends"],
)
def test_C2_the_same_six_throws_in_all_variants(tmp_path: Path, change: object) -> None:
    assert callable(change)
    reading = read(write(tmp_path, change(SIX_THROWS)))
    assert by_die(concatenate(list(reading.batches()))) == {"white": WHITE, "red": RED}
    assert reading.refused == 0


def test_C3_a_list_of_faces_has_no_header_and_comments_are_notes(tmp_path: Path) -> None:
    reading = read(write(tmp_path, "# thrown by hand\n# # second table\n4\n6\n1\n"))
    assert concatenate(list(reading.batches())).face.tolist() == [4, 6, 1]
    assert list(reading.notes) == ["thrown by hand", "second table"]


def test_C6_a_zero_is_an_error_unless_the_base_is_declared(tmp_path: Path) -> None:
    path = write(tmp_path, "".join(f"{face}\n" for face in (0, 1, 2, 3, 4, 5)))
    reading = read(path)
    assert concatenate(list(reading.batches())).face.tolist() == [1, 2, 3, 4, 5]
    assert list(reading.refusals) == ["line 1: face must be 1 to 6, got 0 (declare base=0 if the file counts 0 to 5)"]
    assert rows_of(path, base="0").face.tolist() == [1, 2, 3, 4, 5, 6]


def test_C7_a_table_of_glyphs_is_accepted_and_the_rest_refused_with_its_line(tmp_path: Path) -> None:
    good = ["\u2680", "\u2685\ufe0f", "\uff16", "\u0666", "3"]
    bad = ["\u2461", "\u00b2", "\u2165", "\U0001f3b2"]
    reading = read(write(tmp_path, "\n".join(good + bad)))
    assert concatenate(list(reading.batches())).face.tolist() == [1, 6, 6, 6, 3]
    assert reading.refused == 4
    assert [refusal.split(":")[0] for refusal in reading.refusals] == ["line 6", "line 7", "line 8", "line 9"]


def test_C8_faces_out_of_range_are_refused_counted_and_make_the_log_suspect(tmp_path: Path) -> None:
    faces = [str(1 + row % 6) if row % 7 else "3" for row in range(600)]
    for place, token in ((100, "7"), (200, "-1"), (300, "1e1"), (400, "20")):
        faces[place] = token
    found = audit(write(tmp_path, "\n".join(faces)))
    assert (found.throws, found.refused) == (596, 4)
    assert found.verdict is Verdict.LOG_SUSPECT
    assert "4 of 600 rows were refused" in found.findings[-1].words


def test_C9_one_cocked_die_voids_the_throw_and_stays_in_the_log(tmp_path: Path) -> None:
    words = ["c", "cocked", "-", "off", "no roll"]
    path = write(tmp_path, "throw,white,red\n" + "".join(f"{row},5,{word}\n" for row, word in enumerate([*words, "2"])))
    tallies = counted(path)
    assert tallies.faces().tolist() == [0, 1, 0, 0, 1, 0]
    assert tallies.throws_by_setting()[0].tolist() == [1, 2, 1, 0, 2]


def voided(rate_of: dict[str, float], throws: int = 3000) -> Observations:
    """Throws of one die by three shooters, each voiding a share of the throws."""
    rng = np.random.default_rng(9)
    shooter = rng.choice(sorted(rate_of), throws).tolist()
    void = [rng.random() < rate_of[name] for name in shooter]
    face = np.where(void, 0, rng.integers(1, 7, throws))
    return observations(face, state=["void" if each else "ok" for each in void], shooter=shooter, die="d")


def test_C9_a_void_rate_that_follows_a_shooter_makes_the_log_suspect() -> None:
    found = audit(voided({"Ann": 0.02, "Bob": 0.02, "Cid": 0.10}))
    assert found.verdict is Verdict.LOG_SUSPECT
    assert "shooter Cid" in found.findings[-1].words
    log = found.findings[-1]
    assert log.effect is not None
    assert log.effect.what == "void throws of shooter Cid"
    assert log.effect.expected < log.effect.low < 0.10 < log.effect.high
    assert f"{100 * log.effect.value:.1f} % ({100 * log.effect.low:.1f} % to" in log.words


def test_C9_equal_void_rates_are_no_suspicion() -> None:
    # the checks of the log that depend on luck have 0.1 % between them: this fails by chance once in 1,000 seeds
    assert audit(voided({"Ann": 0.04, "Bob": 0.04, "Cid": 0.04})).verdict is Verdict.NOT_SHOWN


def five_dice(throws: int = 400) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Fair throws of five dice."""
    return np.random.default_rng(11).integers(1, 7, (throws, 5))


def test_C11_sorted_faces_are_seen_and_only_symmetric_tests_run() -> None:
    # a fair throw of five comes out sorted once in 30.9: C(10, 5) / 6^5 = 3.24 %
    assert sum(1 for _ in combinations_with_replacement(range(6), 5)) / 6**5 == 252 / 7776
    found = audit(observations(np.sort(five_dice(), axis=1), die=["a", "b", "c", "d", "e"], box="B"))
    assert found.verdict is Verdict.LOG_SUSPECT
    assert found.findings[-1].attack is not None
    assert found.findings[-1].attack.id == "sorted"
    assert {finding.kind for finding in found.findings} == {"box", "log"}


def test_C11_faces_in_the_order_of_the_dice_are_no_suspicion() -> None:
    assert audit(observations(five_dice(), die=["a", "b", "c", "d", "e"])).verdict is Verdict.NOT_SHOWN


def test_C12_dice_put_aside_count_once() -> None:
    thrown = observations(
        [6, 6, 2, 6, 6, 3],
        throw=[0, 0, 0, 1, 1, 1],
        slot=[0, 1, 2, 0, 1, 2],
        die=list("abcabc"),
        state=["ok", "ok", "ok", "kept", "kept", "ok"],
    )
    tallies = tally([thrown])
    assert (tallies.faces().tolist(), tallies.kept) == ([0, 1, 1, 0, 0, 2], 2)


def test_C13_a_log_of_winners_alone_shows_its_gaps() -> None:
    faces = np.random.default_rng(13).integers(1, 7, 1000)
    won = np.flatnonzero(faces > 3)
    found = audit(observations(faces[won], throw=won, die="d"))
    assert found.verdict is Verdict.LOG_SUSPECT
    assert found.missing == int(won[-1] - won[0] + 1 - len(won))


def test_C14_rows_written_twice_count_once_and_are_reported(tmp_path: Path) -> None:
    text = SIX_THROWS + SIX_THROWS.split("\n", 1)[1]
    tallies = counted(write(tmp_path, text))
    assert tallies.faces().sum() == 12
    assert tallies.doubled == 12
    assert audit(write(tmp_path, text)).verdict is Verdict.LOG_SUSPECT


def test_C15_the_order_is_the_throw_number_and_not_the_time(tmp_path: Path) -> None:
    clock = ["2026-01-31T21:05:00Z", "2026-01-31T20:05:00Z", "2026-01-31T20:05:00Z"]
    body = "".join(f"{number},{at},{face},d\n" for number, at, face in zip((0, 1, 2), clock, (3, 1, 6), strict=True))
    found = audit(write(tmp_path, "throw,at,face,die\n" + body))
    assert found.tallies.streams.last_face.max() == 6
    assert "1 throw has a time before that of the throw before it" in found.notes


def test_C15_rows_out_of_order_are_put_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    batch = rows_of(write(tmp_path, "throw,face,die,table\n2,5,d,T\n0,1,d,T\n1,3,d,T\n"))
    assert batch.face.tolist() == [1, 3, 5]


def test_C15_a_time_without_a_zone_is_not_used_unless_the_zone_is_declared(tmp_path: Path) -> None:
    path = write(tmp_path, "throw,at,face\n0,2026-07-01T12:00:00,4\n")
    reading = read(path)
    assert concatenate(list(reading.batches())).at.tolist() == [np.iinfo(np.int64).min]
    assert list(reading.notes) == ["times without a zone were not used: declare zone=..., as in zone=Europe/London"]
    assert rows_of(path, zone="Europe/London").at.tolist() == [1_782_903_600_000_000]  # 11:00 UTC, by date -u


def test_C16_ghost_throws_are_void_rows(tmp_path: Path) -> None:
    tallies = counted(write(tmp_path, "throw,face,state\n0,4,still\n1,4,ghost\n2,2,ok\n"))
    assert tallies.faces().tolist() == [0, 1, 0, 1, 0, 0]
    assert tallies.throws_by_setting()[0].tolist() == [2, 0, 0, 0, 1]


def test_C18_the_life_of_a_die_is_its_serial_and_when_it_was_issued(tmp_path: Path) -> None:
    path = write(tmp_path, "throw,die,issued,face\n0,A,2026-01-01,3\n1,A,2026-02-01,3\n")
    assert rows_of(path).die.values() == ["A issued 2026-01-01", "A issued 2026-02-01"]


def test_C18_a_die_that_moves_between_tables_keeps_no_transition_and_is_noted() -> None:
    found = audit(observations([3, 3], throw=[0, 0], die="A", table=["T1", "T2"]))
    assert found.tallies.cells.counts[:, 1:].sum() == 0
    assert "die A was thrown at 2 tables" in found.notes


def test_C20_the_number_of_throws_is_what_is_there_and_a_mismatch_is_shown(tmp_path: Path) -> None:
    counts = dict(zip(range(1, 7), (622, 698, 650, 684, 666, 812), strict=True))
    body = "# wet dice, 4,310 throws\nface,count\n" + "".join(f"{face},{count}\n" for face, count in counts.items())
    found = audit(write(tmp_path, body))
    assert found.throws == 4132
    assert "the log states 4,310 throws, it has 4,132" in found.notes
    assert stated_throws(["35,000 throws"]) == 35_000


def test_C22_counts_rebuilt_from_rounded_shares_show_their_band() -> None:
    # four decimals: half a unit of the last place, 0.00005 x 315,671 = 15.8 a face
    assert "counts were rebuilt from rounded shares of 4 decimals: each +-16" in audit(DATA / "labby_faces.csv").notes


def test_C23_batches_of_any_size_give_the_same_audit() -> None:
    whole = rows_of(DATA / "robot_d6_throws.csv")
    cut = audit([whole.take(slice(at, at + 997)) for at in range(0, len(whole), 997)])
    assert cut.record()["findings"] == audit(whole).record()["findings"]


def test_C26_stakes_are_classes_and_may_be_missing(tmp_path: Path) -> None:
    path = write(tmp_path, "throw,face,stake_class,stake\n0,4,3,$25.00\n1,5,,0\n2,6,$5,0\n")
    reading = read(path)
    assert concatenate(list(reading.batches())).stake_class.tolist() == [3, -1]
    assert list(reading.refusals) == ["line 4: stake_class must be a whole number from 0 to 3, got '$5'"]
    assert list(reading.notes) == ["columns not used: stake"]


def test_a_file_without_faces_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no column of faces among when, who"):
        rows_of(write(tmp_path, "when,who\nnoon,Ann\n"))


def test_a_column_that_stands_twice_is_refused_and_not_half_read(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="column 'face' must stand once, got it twice among throw, face, face"):
        rows_of(write(tmp_path, "throw,face,face\n0,3,4\n"))


def test_A17_shares_given_as_counts_are_refused(tmp_path: Path) -> None:
    shares = (15.1, 16.9, 15.7, 16.5, 16.1, 19.6)
    found: Audit = audit(
        write(tmp_path, "face,count\n" + "".join(f"{f},{c}\n" for f, c in zip(range(1, 7), shares, strict=True)))
    )
    assert (found.verdict, found.refused) == (Verdict.NO_DATA, 6)
