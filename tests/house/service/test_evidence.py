"""The history as evidence: exported, verified with the public key alone, tampered with in every way, always found."""

import json
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from house.domain.slips import SlipKind
from house.domain.throws import DieState
from house.service import cage, checkpoints, evidence, reports, slips, tables, wagers
from house.service.checkpoints import HistoryBroken, Sealing
from house.service.desk import House, inspect_house, open_house
from house.service.evidence import Verified, verify
from house.service.generator import Draw
from house.service.hooligan import StartGame
from house.store import records
from integrity.proof import records as proof
from integrity.proof.notes import Checkpoint, PublicKey, private_key, read_public_key, sign_checkpoint
from integrity.proof.tree import Frontier, grow, leaf_hash
from tests.figures import Figure
from tests.house.drawing import open_generated, promise
from tests.house.pits import Clock, Pit
from tests.house.service.test_corrections import correct
from tests.house.service.test_rounds import bet, rollback, win
from tests.house.tampering import KINDS, LINE_KINDS, NAME, Files, Lines, checkpoint, cut_export, edit, fork, key

FIELD = wagers.Bet(player="ann", bet="field", stake_minor=15_00)


def play(pit: Pit, rounds: int, rng: random.Random) -> None:
    """Play bets of two players and a throw, so many times."""
    for _ in range(rounds):
        bets = [FIELD, wagers.Bet(player="bob", bet="place", spot=rng.choice("68"), stake_minor=12_00)]
        pit.bet(*bets[: rng.randint(1, 2)])
        pit.throw(rng.randint(1, 6), rng.randint(1, 6))


def evening(folder: Path, rounds: int, seed: int) -> Files:
    """Play an evening of craps, Hooligan and drawn throws on a signed house, and export it; an older copy is kept."""
    rng, clock = random.Random(seed), Clock()
    files = Files(
        folder / "house.db", folder / "older.db", Sealing(place=folder / "h", name=NAME, records=8), folder / "out"
    )
    pit = Pit(open_house(f"sqlite:///{files.database}", clock=clock, sealing=files.sealing), "", clock)
    pit.fund()
    pit.seat("ann")
    pit.seat("bob")
    pit.open_craps()
    play(pit, rounds // 2, rng)
    pit.house.close()
    shutil.copy(files.database, files.older)
    pit.house = open_house(f"sqlite:///{files.database}", clock=clock, sealing=files.sealing)
    pit.open_hooligan()
    pit.do(StartGame(table="h1", player="ann"))
    pit.throw(1, 2, 3, 4, 5, table="h1")
    for point in range(6, 0, -1):
        for number in range(3):
            pit.throw(*(point,) * 5, table="h1", choice=f"name {point}" if number == 1 else None)
    pit.do(tables.CloseTable(table="h1"))
    open_generated(pit)
    for message in (bet("b1"), win(), bet("b2"), rollback(reference="b2")):
        pit.do(message)
    promise(pit)
    for _ in range(5):
        pit.do(Draw(table="g1"))
    play(pit, rounds - rounds // 2, rng)
    correct(pit, int(tables.table(pit.house, "c1").next_throw) - 1, 1, None, states=(DieState.OK, DieState.OFF))
    for kind in (SlipKind.FILL, SlipKind.CREDIT, SlipKind.FILL):
        pit.do(slips.WriteSlip(kind=kind, table="c1", amount_minor=5_00))
    pit.do(slips.VoidSlip(kind=SlipKind.FILL, number=1, reason="wrong table"))
    pit.do(cage.CashOut(player="ann", amount_minor=1))
    pit.house.close()
    with inspect_house(f"sqlite:///{files.database}", files.sealing) as house:
        evidence.export(house, files.export)
    return files


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """An evening of more than 256 records, so that the tree has a node of its own."""
    return evening(tmp_path_factory.mktemp("evening"), 112, seed=1)


@pytest.fixture(scope="module")
def public(files: Files) -> PublicKey:
    return read_public_key(files.sealing.public.read_text())


@pytest.fixture
def copied(files: Files, tmp_path: Path) -> Files:
    return files.copy(tmp_path / "copy")


def inspected(files: Files) -> House:
    return inspect_house(f"sqlite:///{files.database}", files.sealing)


def test_an_honest_evening_verifies_and_every_settlement_is_played_again(files: Files, public: PublicKey) -> None:
    found = verify(files.export, public)
    assert found.holds
    with inspected(files) as house:
        checked = reports.check(house)
    assert checked.discrepancies == ()
    assert (found.records, found.settlements, found.entries) == (checked.records, checked.settlements, checked.entries)
    assert found.check.proved == checked.records > 256
    assert found.check.unproved == 0


def test_the_lines_are_canonical_and_lead_to_the_root_by_the_laboratorys_own_reader(files: Files) -> None:
    lines = (files.export / evidence.RECORDS).read_bytes().splitlines()
    for number, line in enumerate(lines):
        body = proof.parse(line)
        assert (body["record"], body["v"]) == (number, records.VERSION)
        assert records.canonical(body).encode() == line
    root = grow(Frontier(), [leaf_hash(line) for line in lines]).root
    with inspected(files) as house:
        assert house.seal is not None
        signed, wrong = house.seal.all()
    assert wrong == ()
    assert signed[-1].root == root


def test_b09_nobodys_name_is_in_the_history(files: Files) -> None:
    text = (files.export / evidence.RECORDS).read_text()
    assert '"ann"' in text
    assert "Ann" not in text


def covered(where: str) -> range:
    """Records that a place names: "record 5", "records 5 to 9"."""
    found = re.search(r"records? (\d+)(?: to (\d+))?", where)
    return range(0) if found is None else range(int(found[1]), int(found[2] or found[1]) + 1)


def check_database(files: Files, kind: str, rng: random.Random) -> None:
    """Tamper with a copy, and hold the house's check to finding it and naming the record."""
    at = KINDS[kind](files, rng)
    with inspected(files) as house:
        found = reports.check(house).discrepancies
    assert found, kind
    if at is not None:
        assert any(at in covered(one.where) for one in found), (at, [one.where for one in found])


def check_export(
    files: Files, public: PublicKey, tamper: Callable[[Lines, random.Random], int], rng: random.Random
) -> None:
    """Tamper with the lines of an export, and hold `verify` to naming the first that is not as it was signed."""
    file = files.export / evidence.RECORDS
    lines = file.read_bytes().splitlines()
    at = tamper(lines, rng)
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    found = verify(files.export, public)
    assert not found.holds
    assert (found.check.first_bad, found.check.located) == (at, True)
    (files.export / evidence.LEAVES).unlink()
    found = verify(files.export, public)
    assert found.check.first_bad is not None
    assert found.check.first_bad <= at  # without the hashes only the stretch between two checkpoints is known


@pytest.mark.parametrize("kind", KINDS)
def test_r11_a_tampering_with_the_database_or_its_checkpoints_is_found(copied: Files, kind: str) -> None:
    check_database(copied, kind, random.Random(kind))


@pytest.mark.parametrize("kind", LINE_KINDS)
def test_r11_a_tampering_with_an_export_is_found_and_its_first_record_named(
    copied: Files, public: PublicKey, kind: str
) -> None:
    check_export(copied, public, LINE_KINDS[kind], random.Random(kind))


@pytest.mark.parametrize("tamper", [fork, checkpoint, key])
def test_r11_a_tampering_with_the_checkpoints_of_an_export_is_found(
    copied: Files, public: PublicKey, tamper: Callable[[Files, random.Random], None]
) -> None:
    tamper(copied, random.Random(7))
    shutil.copy(copied.sealing.checkpoints, copied.export / evidence.CHECKPOINTS)
    found = verify(copied.export, public)
    assert not found.holds
    assert found.check.proved == 0


def check_cut(files: Files, public: PublicKey, rng: random.Random) -> None:
    """Cut off the end of an export and all that speaks of it, and hold `verify` to naming what nothing vouches for."""
    at = cut_export(files.export, rng)
    found = verify(files.export, public)
    assert (found.holds, found.check.first_bad, found.check.located) == (False, at, True)
    assert "nothing vouches for them" in found.check.reason


@pytest.mark.parametrize("seed", range(3))
def test_r11_an_export_cut_off_with_its_checkpoints_is_found(copied: Files, public: PublicKey, seed: int) -> None:
    check_cut(copied, public, random.Random(seed))


def test_an_export_of_a_house_at_work_ends_with_a_checkpoint_of_its_own(tmp_path: Path) -> None:
    """The house's own file is left alone, and a writer that lost its power in it does no harm."""
    sealing = Sealing(place=tmp_path / "h", name=NAME, records=1000, seconds=3600)
    url = f"sqlite:///{tmp_path / 'house.db'}"
    pit = Pit(open_house(url, clock=Clock(), sealing=sealing), "", Clock())
    pit.fund()
    pit.seat("ann")
    with sealing.checkpoints.open("ab") as file:
        file.write(checkpoints.notes(sealing.checkpoints)[0].encode()[:-9])
    before = sealing.checkpoints.read_bytes()
    with inspect_house(url, sealing) as house:
        count = evidence.export(house, tmp_path / "out")
    assert sealing.checkpoints.read_bytes() == before
    pit.house.close()
    found = verify(tmp_path / "out", read_public_key(sealing.public.read_text()))
    assert (found.holds, found.check.proved) == (True, count)
    assert int(checkpoints.notes(tmp_path / "out" / evidence.CHECKPOINTS)[-2].split("\n")[1]) < count


def test_an_export_signs_nothing_that_its_house_did_not_seal(tmp_path: Path) -> None:
    """Who edits what was not signed yet is not helped by the export; its record is the first that does not hold."""
    sealing = Sealing(place=tmp_path / "h", name=NAME, records=1000, seconds=3600)
    url = f"sqlite:///{tmp_path / 'house.db'}"
    pit = Pit(open_house(url, clock=Clock(), sealing=sealing), "", Clock())
    pit.fund()
    pit.seat("ann")
    signed = len(checkpoints.notes(sealing.checkpoints))
    with inspect_house(url, sealing) as house, house.read() as connection:
        last = records.count(connection) - 1
    edit(url, ("UPDATE record SET body = replace(body, 'ann', 'bob') WHERE number = ?", (last,)))
    with inspect_house(url, sealing) as house:
        evidence.export(house, tmp_path / "out")
    found = verify(tmp_path / "out", read_public_key(sealing.public.read_text()))
    assert len(checkpoints.notes(tmp_path / "out" / evidence.CHECKPOINTS)) == signed
    assert not found.holds
    pit.house.close()


def test_r11_an_older_export_is_found_by_a_checkpoint_that_was_kept(copied: Files, public: PublicKey) -> None:
    """Alone it is in order: it is what the house signed then."""
    kept = copied.sealing.checkpoints
    older = int(checkpoints.notes(kept)[-3].split("\n")[1])
    for name, size in ((evidence.RECORDS, 0), (evidence.LEAVES, evidence.HASH_BYTES)):
        content = (copied.export / name).read_bytes()
        cut = content[: older * size] if size else b"".join(content.splitlines(keepends=True)[:older])
        (copied.export / name).write_bytes(cut)
    (copied.export / evidence.CHECKPOINTS).write_text("".join(f"{note}\n" for note in checkpoints.notes(kept)[:-2]))
    assert verify(copied.export, public).holds
    found = verify(copied.export, public, [kept])
    assert (found.holds, found.check.first_bad) == (False, older)


def test_a_key_of_another_house_vouches_for_nothing(files: Files) -> None:
    found = verify(files.export, private_key(NAME, bytes(32)).public)
    assert (found.holds, found.check.proved, found.records) == (False, 0, 0)


FORGERIES = {
    "a payment": ("a settlement is what its schedule pays", "movements", lambda one: {**one, "winnings": 1}),
    "an entry": ("an entry books its settlement", "entries", lambda one: {**one, "lines": one["lines"][::-1]}),
    "a number": ("entries are numbered without a gap", "entries", lambda one: {**one, "seq": one["seq"] + 1}),
}


def forged(files: Files, folder: Path, number: int, change: Callable[[dict[str, object]], None]) -> Verified:
    """Sign a history in which the house itself wrote something else, and verify it."""
    lines = (files.export / evidence.RECORDS).read_bytes().splitlines()
    body = json.loads(lines[number])
    change(body)
    lines[number] = proof.canonical(body)
    folder.mkdir()
    (folder / evidence.RECORDS).write_bytes(b"".join(line + b"\n" for line in lines))
    root = grow(Frontier(), [leaf_hash(line) for line in lines]).root
    mine = private_key(NAME, bytes(32))
    (folder / evidence.CHECKPOINTS).write_text(sign_checkpoint(Checkpoint(NAME, len(lines), root), [mine]) + "\n")
    return verify(folder, mine.public)


@pytest.mark.parametrize("what", FORGERIES)
def test_a_house_that_signs_a_wrong_settlement_is_caught_by_the_replay(files: Files, tmp_path: Path, what: str) -> None:
    invariant, name, change = FORGERIES[what]
    lines = (files.export / evidence.RECORDS).read_bytes().splitlines()
    number = next(at for at, line in enumerate(lines) if b'"kind":"throw"' in line and f'"{name}"'.encode() in line)

    def once(body: dict[str, object]) -> None:
        listed = body[name]
        assert isinstance(listed, list)
        listed[0] = change(listed[0])

    found = forged(files, tmp_path / "forged", number, once)
    assert found.check.holds
    assert not found.holds
    assert (found.discrepancies[0].where, found.discrepancies[0].invariant) == (f"record {number}", invariant)


SLIPS = {
    "a gap": ("slips of a kind are numbered without a gap", "fill", {"slip": 3}),
    "one twice": ("slips of a kind are numbered without a gap", "fill", {"slip": 1}),
    "another kind's": ("what is voided is a slip that stands", "slip_void", {"slip": 2, "slip_kind": "credit"}),
}


@pytest.mark.parametrize("what", SLIPS)
def test_a_house_that_signs_a_slip_with_another_number_is_caught_by_the_replay(
    files: Files, tmp_path: Path, what: str
) -> None:
    invariant, event, change = SLIPS[what]
    lines = (files.export / evidence.RECORDS).read_bytes().splitlines()
    number = max(at for at, line in enumerate(lines) if f'"event":"{event}"'.encode() in line)
    found = forged(files, tmp_path / "forged", number, lambda body: body.update(change))
    assert found.check.holds
    assert (found.discrepancies[0].where, found.discrepancies[0].invariant) == (f"record {number}", invariant)


def test_a_record_that_no_engine_understands_is_named(files: Files, tmp_path: Path) -> None:
    lines = (files.export / evidence.RECORDS).read_bytes().splitlines()
    number = next(at for at, line in enumerate(lines) if b'"kind":"throw"' in line)
    found = forged(files, tmp_path / "forged", number, lambda body: body.update(faces=[7, 1]))
    assert found.discrepancies[0].where == f"record {number}"
    assert found.discrepancies[0].invariant == "a record can be played again"


def test_a_folder_with_something_in_it_is_not_written_into(files: Files) -> None:
    with inspected(files) as house, pytest.raises(ValueError, match="new or empty"):
        evidence.export(house, files.export)


def test_an_unsigned_house_exports_no_history(sqlite_pit: Pit, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must have been signed"):
        evidence.export(sqlite_pit.house, tmp_path / "out")


def test_a_tampered_house_does_not_open_again(copied: Files) -> None:
    KINDS["truncate"](copied, random.Random(1))
    with pytest.raises(HistoryBroken):
        open_house(f"sqlite:///{copied.database}", sealing=copied.sealing)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_r11_two_thousand_tamperings_are_found_and_fifty_honest_logs_raise_nothing(
    files: Files, public: PublicKey, tmp_path: Path, figure: Figure
) -> None:
    for number in range(840):
        kind = list(KINDS)[number % 12]
        copy = files.copy(tmp_path / "copy")
        check_database(copy, kind, random.Random(number))
        shutil.rmtree(tmp_path / "copy")
    for number in range(1_160):
        kind = list(LINE_KINDS)[number % 8]
        copy = files.copy(tmp_path / "copy")
        if kind == "truncate" and number // 8 % 2:
            check_cut(copy, public, random.Random(number))
        else:
            check_export(copy, public, LINE_KINDS[kind], random.Random(number))
        shutil.rmtree(tmp_path / "copy")
    for number in range(50):
        folder = tmp_path / f"honest-{number}"
        folder.mkdir()
        honest = evening(folder, 10, seed=number)
        assert verify(honest.export, read_public_key(honest.sealing.public.read_text())).holds
        with inspected(honest) as house:
            assert reports.check(house).discrepancies == ()
    figure("R11", tamperings=2_000, kinds=12, found=2_000, honest_logs=50, false_alarms=0)
