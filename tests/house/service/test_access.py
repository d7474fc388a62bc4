"""Who is asking: passwords, tokens, keys, approvals, the first owner. The clock of a pit moves a second a reading."""

import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from argon2 import Type, extract_parameters
from sqlalchemy import text

from house.domain.people import HOUSE, ROLES, Role, Scope
from house.domain.refusals import Refusal, Refused
from house.service import access, people, tokens
from house.service.access import FREE_FAILURES, LONGEST_WAIT_S, Approved
from house.service.checkpoints import Sealing
from house.service.desk import HouseBusy, open_house, perform
from house.service.tables import ChangeSchedule, table
from house.store import people as store
from house.store.unit_of_work import Unit
from tests.house.pits import Clock, Pit
from tests.house.service.staff import PASSWORD, hire, signed_in, token_of

WRONG = "not the right one"
WORK, NOBODY = dict(access.ARGON2), access._NOBODY
"""As shipped: read before `light_passwords` takes the work out of them."""


def refusal(call: Any, *arguments: Any, **named: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        call(*arguments, **named)
    return refused.value


def passes(pit: Pit, **span: float) -> None:
    pit.clock.now += timedelta(**span)


def test_a_password_gives_a_token_that_tells_who_acts_and_what_he_may_do(pit: Pit) -> None:
    hire(pit, "p-1", Role.DEALER, Role.CAGE)
    given = access.sign_in(pit.house, "p-1", PASSWORD)
    assert access.actor(pit.house, given.token) == given.actor
    assert given.actor.id == "p-1"
    assert given.actor.scopes == ROLES[Role.DEALER] | ROLES[Role.CAGE]
    assert given.seconds == 15 * 60


def test_more_threads_than_connections_may_ask_at_once_who_acts(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    given = access.sign_in(sqlite_pit.house, "p-1", PASSWORD)
    together = threading.Barrier(64)

    def ask(_number: int) -> bool:
        together.wait(30)
        found = access.actor(sqlite_pit.house, given.token) == given.actor
        together.wait(30)
        return found

    with ThreadPoolExecutor(64) as pool:
        assert all(pool.map(ask, range(64)))


def test_whatever_is_wrong_with_who_signs_in_the_answer_is_the_same(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    hire(sqlite_pit, "program", Role.INTEGRATION, password=None)
    hire(sqlite_pit, "locked", Role.DEALER)
    sqlite_pit.do(people.LockPerson(person="locked"))
    tries = [("p-1", WRONG), ("nobody", PASSWORD), ("program", PASSWORD), ("locked", PASSWORD), ("x" * 10**6, "")]
    found = {str(refusal(access.sign_in, sqlite_pit.house, person, password)) for person, password in tries}
    assert len(found) == 1
    assert refusal(access.sign_in, sqlite_pit.house, "nobody", PASSWORD).refusal is Refusal.NOT_SIGNED_IN


def test_no_password_makes_an_error_of_its_own(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    for password in ("", "\ud800" * 12, "x" * 10**6, "\0" * 12):
        assert refusal(access.sign_in, sqlite_pit.house, "p-1", password).refusal is Refusal.NOT_SIGNED_IN


def test_passwords_are_hashed_with_the_work_that_owasp_asks_for() -> None:
    nobodys = extract_parameters(NOBODY.decode())
    assert (nobodys.type, nobodys.memory_cost, nobodys.time_cost) == (Type.ID, 19 * 1024, 2)
    assert all(getattr(nobodys, name) == value for name, value in WORK.items())


def test_it_takes_one_hash_of_the_same_work_to_refuse_anybody(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    for person in ("p-1", "waits", "locked"):
        hire(pit, person, Role.DEALER)
    hire(pit, "program", Role.INTEGRATION, password=None)
    pit.do(people.LockPerson(person="locked"))

    def wait(unit: Unit) -> None:
        with unit.savepoint():
            store.change(unit, "waits", failures=FREE_FAILURES, retry_us=2**62)

    pit.house.writer.submit(wait).result()
    made: list[tuple[str, Any]] = []
    true_verify = access.verify_secret

    def noted(known: bytes, *given: Any) -> bool:
        made.append((asked, extract_parameters(known.decode())))
        return true_verify(known, *given)

    monkeypatch.setattr(access, "verify_secret", noted)
    everybody = [
        ("p-1", WRONG),
        *((who, PASSWORD) for who in ("waits", "locked", "program", "nobody", "", "a\0b", "x" * 65)),
    ]
    for asked, password in everybody:
        assert refusal(access.sign_in, pit.house, asked, password).refusal is Refusal.NOT_SIGNED_IN, asked
    assert [one for one, _ in made] == [one for one, _ in everybody]
    assert all(work == made[0][1] for _, work in made)


def wait_after(pit: Pit, failures: int) -> int:
    """Seconds that are waited after some wrong passwords in a row, by the person's row."""
    for _ in range(failures):
        refusal(access.sign_in, pit.house, "p-1", WRONG)
    with pit.house.read() as connection:
        found = store.find(connection, "p-1")
    assert found is not None
    assert found.failures == failures
    return round(found.retry_us / 1e6 - pit.clock.now.timestamp())


def test_wrong_passwords_make_the_right_one_wait(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    assert wait_after(sqlite_pit, FREE_FAILURES) == 1
    sqlite_pit.clock.now -= timedelta(seconds=2)
    refusal(access.sign_in, sqlite_pit.house, "p-1", PASSWORD)
    passes(sqlite_pit, seconds=5)
    assert access.sign_in(sqlite_pit.house, "p-1", PASSWORD)
    with sqlite_pit.house.read() as connection:
        forgiven = store.find(connection, "p-1")
    assert forgiven is not None
    assert (forgiven.failures, forgiven.retry_us) == (0, 0)


def test_the_wait_doubles_up_to_five_minutes_and_holds_for_nobody_else(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    hire(sqlite_pit, "p-2", Role.DEALER)
    waits = []
    for _ in range(FREE_FAILURES + 10):
        refusal(access.sign_in, sqlite_pit.house, "p-1", WRONG)
        with sqlite_pit.house.read() as connection:
            found = store.find(connection, "p-1")
        assert found is not None
        waits.append(max(0, round(found.retry_us / 1e6 - sqlite_pit.clock.now.timestamp())))
        sqlite_pit.clock.now += timedelta(seconds=waits[-1])
    expected = [0] * (FREE_FAILURES - 1) + [min(2**n, LONGEST_WAIT_S) for n in range(11)]
    assert waits == expected
    assert access.sign_in(sqlite_pit.house, "p-2", PASSWORD)


def test_a_wrong_password_while_one_waits_is_not_counted(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    assert wait_after(sqlite_pit, FREE_FAILURES) == 1
    sqlite_pit.clock.now -= timedelta(minutes=1)
    for _ in range(3):
        refusal(access.sign_in, sqlite_pit.house, "p-1", WRONG)
    with sqlite_pit.house.read() as connection:
        found = store.find(connection, "p-1")
    assert found is not None
    assert found.failures == FREE_FAILURES


def test_unlocking_forgets_wrong_passwords(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    wait_after(sqlite_pit, FREE_FAILURES)
    sqlite_pit.clock.now -= timedelta(minutes=1)
    refusal(access.sign_in, sqlite_pit.house, "p-1", PASSWORD)
    sqlite_pit.do(people.UnlockPerson(person="p-1"))
    assert access.sign_in(sqlite_pit.house, "p-1", PASSWORD)


def test_only_a_few_passwords_are_checked_at_once_and_nothing_else_waits(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    token = token_of(sqlite_pit, "p-1")
    taken = 0
    while access._AT_ONCE.acquire(blocking=False):
        taken += 1
    try:
        with pytest.raises(HouseBusy):
            access.sign_in(sqlite_pit.house, "p-1", PASSWORD)
        assert access.actor(sqlite_pit.house, token).id == "p-1"
        sqlite_pit.seat("carl")
    finally:
        for _ in range(taken):
            access._AT_ONCE.release()
    assert taken == 8


def test_no_password_is_hashed_on_the_writers_thread(sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    for name in ("hash_secret", "verify_secret"):
        true = getattr(access, name)

        def noted(*given: Any, true: Any = true, **more: Any) -> Any:
            threads.append(threading.current_thread().name)
            return true(*given, **more)

        monkeypatch.setattr(access, name, noted)
    by = signed_in(sqlite_pit, "p-1", Role.ADMIN)
    command = access.new_password(sqlite_pit.house, by, PASSWORD, "quite another password", "change")
    perform(sqlite_pit.house, command, "change", by)
    assert len(threads) == 4
    assert "floorman-writer" not in threads


def test_a_token_is_good_for_fifteen_minutes(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    given = access.sign_in(sqlite_pit.house, "p-1", PASSWORD)
    sqlite_pit.clock.now = given.expires_at - timedelta(seconds=2)
    assert access.actor(sqlite_pit.house, given.token)
    assert refusal(access.actor, sqlite_pit.house, given.token).refusal is Refusal.NOT_SIGNED_IN


ENDS: dict[str, tuple[str, Any]] = {
    "other roles": (PASSWORD, lambda _: people.SetRoles(person="p-1", roles=(Role.DEALER, Role.BOXMAN))),
    "a lock": (PASSWORD, lambda _: people.LockPerson(person="p-1")),
    "an unlocking": (PASSWORD, lambda _: people.UnlockPerson(person="p-1")),
    "another password": (
        PASSWORD,
        lambda pit: people.ResetPassword(
            person="p-1", password_hash=access.hashed(pit.house, "quite another password", "p-1", "reset")
        ),
    ),
}
"""What ends older tokens, with the password before it."""


def test_older_tokens_end_with_another_password_other_roles_a_lock_and_an_unlocking(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    for what, (password, command) in ENDS.items():
        token = token_of(sqlite_pit, "p-1", password)
        sqlite_pit.do(command(sqlite_pit))
        for ask in (access.actor, access.renew):
            assert refusal(ask, sqlite_pit.house, token).refusal is Refusal.NOT_SIGNED_IN, what
        sqlite_pit.do(people.UnlockPerson(person="p-1"))


def test_signing_out_ends_every_session_of_ones_own_and_no_key(pit: Pit) -> None:
    hire(pit, "p-1", Role.DEALER)
    hire(pit, "p-2", Role.DEALER)
    mine, older, other = token_of(pit, "p-1"), token_of(pit, "p-1"), token_of(pit, "p-2")
    _, key = access.add_key(pit.house, "p-1", 1, "key")
    by = access.actor(pit.house, mine)
    first = perform(pit.house, people.SignOut(), "out", by)
    for token in (mine, older):
        for ask in (access.actor, access.renew):
            assert refusal(ask, pit.house, token).refusal is Refusal.NOT_SIGNED_IN
    assert [access.actor(pit.house, one).id for one in (key, other)] == ["p-1", "p-2"]
    later = token_of(pit, "p-1")
    again = perform(pit.house, people.SignOut(), "out", by)
    assert (again.replayed, again.body) == (True, first.body)
    assert access.actor(pit.house, later) == by


def test_a_session_is_renewed_for_twelve_hours_and_no_longer(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    began = sqlite_pit.clock.now
    given = access.sign_in(sqlite_pit.house, "p-1", PASSWORD)
    while given.seconds == 15 * 60:
        sqlite_pit.clock.now = given.expires_at - timedelta(seconds=10)
        given = access.renew(sqlite_pit.house, given.token)
    assert timedelta(hours=12) <= given.expires_at - began <= timedelta(hours=12, seconds=5)
    sqlite_pit.clock.now = given.expires_at - timedelta(seconds=3)
    assert access.actor(sqlite_pit.house, given.token)
    sqlite_pit.clock.now = given.expires_at
    assert refusal(access.renew, sqlite_pit.house, given.token).refusal is Refusal.NOT_SIGNED_IN


def test_tokens_of_one_house_are_nothing_to_another(sqlite_pit: Pit, tmp_path: Path) -> None:
    hire(sqlite_pit, "p-1", Role.ADMIN)
    token = token_of(sqlite_pit, "p-1")
    with open_house(f"sqlite:///{tmp_path / 'other.db'}", clock=sqlite_pit.clock) as other:
        access.admit(other, "p-1", (Role.ADMIN,), 1, "key")
        assert refusal(access.actor, other, token).refusal is Refusal.NOT_SIGNED_IN


def test_a_key_acts_for_its_person_as_far_as_both_may(pit: Pit) -> None:
    hire(pit, "p-1", Role.DEALER, Role.CAGE)
    _, key = access.add_key(pit.house, "p-1", 30, "key", scopes=(Scope.PIT_READ, Scope.CAGE_WRITE))
    found = access.actor(pit.house, key)
    assert (found.id, found.scopes) == ("p-1", {Scope.PIT_READ, Scope.CAGE_WRITE})
    pit.do(people.SetRoles(person="p-1", roles=(Role.DEALER,)))
    assert access.actor(pit.house, key).scopes == {Scope.PIT_READ}
    assert refusal(access.renew, pit.house, key).refusal is Refusal.NOT_SIGNED_IN


def test_a_key_ends_when_it_expires_is_revoked_or_its_person_is_locked(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    reply, revoked = access.add_key(sqlite_pit.house, "p-1", 1, "revoked")
    _, kept = access.add_key(sqlite_pit.house, "p-1", 1, "kept")
    for tried in (kept[:-1] + ("A" if kept[-1] != "A" else "B"), kept[:-1], kept[1:], kept + "A", "x.y", "."):
        assert refusal(access.actor, sqlite_pit.house, tried).refusal is Refusal.NOT_SIGNED_IN
    sqlite_pit.do(people.RevokeApiKey(prefix=reply.answer.prefix))
    assert refusal(access.actor, sqlite_pit.house, revoked).refusal is Refusal.NOT_SIGNED_IN
    assert access.actor(sqlite_pit.house, kept)
    sqlite_pit.do(people.LockPerson(person="p-1"))
    assert refusal(access.actor, sqlite_pit.house, kept).refusal is Refusal.NOT_SIGNED_IN
    sqlite_pit.do(people.UnlockPerson(person="p-1"))
    assert access.actor(sqlite_pit.house, kept)
    passes(sqlite_pit, days=1)
    assert refusal(access.actor, sqlite_pit.house, kept).refusal is Refusal.NOT_SIGNED_IN


def test_a_key_can_do_no_more_than_its_person(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    asked = refusal(access.add_key, sqlite_pit.house, "p-1", 1, "key", scopes=(Scope.VAULT_WRITE,))
    assert (asked.refusal, asked.field, asked.value) == (Refusal.BAD_VALUE, "scopes", "vault:write")


def test_the_last_use_of_a_key_is_noted_every_ten_minutes(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    _, key = access.add_key(sqlite_pit.house, "p-1", 1, "key")

    def used() -> Any:
        access.actor(sqlite_pit.house, key)
        sqlite_pit.house.writer.submit(lambda _unit: None).result()  # the use is noted before it
        return people.keys(sqlite_pit.house, "p-1")[0].used_at

    first = used()
    assert used() == first
    passes(sqlite_pit, minutes=11)
    assert used() - first > timedelta(minutes=10)


def test_a_repeat_gives_the_same_key_and_no_secret_stands_in_the_database(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER)
    first, key = access.add_key(sqlite_pit.house, "p-1", 1, "one")
    again, same = access.add_key(sqlite_pit.house, "p-1", 1, "one")
    _, other = access.add_key(sqlite_pit.house, "p-1", 1, "two")
    assert (again.replayed, again.body, same) == (True, first.body, key)
    assert other != key
    token = token_of(sqlite_pit, "p-1")
    sqlite_pit.house.close()
    folder = Path(sqlite_pit.url.removeprefix("sqlite:///")).parent
    stored = b"".join(file.read_bytes() for file in folder.glob("house.db*"))
    for secret in (key.partition(".")[2], other.partition(".")[2], PASSWORD, token):
        assert secret.encode() not in stored
    assert key.partition(".")[0].encode() in stored


def test_nothing_of_a_person_is_logged(sqlite_pit: Pit, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    hire(sqlite_pit, "p-1", Role.DEALER)
    token_of(sqlite_pit, "p-1")
    refusal(access.sign_in, sqlite_pit.house, "p-1", WRONG)
    said = "\n".join(record.getMessage() for record in caplog.records)
    assert not [word for word in (PASSWORD, WRONG, "P-1") if word in said]


def test_the_secret_is_a_file_of_its_owners_alone_and_outlives_the_house(tmp_path: Path, clock: Clock) -> None:
    sealing = Sealing(place=tmp_path / "house.db", name="test.example/house")
    url = f"sqlite:///{tmp_path / 'house.db'}"
    with open_house(url, clock=clock, sealing=sealing) as house:
        _, key = access.admit(house, "p-1", (Role.ADMIN,), 1, "key")
        given = access.hashed(house, PASSWORD, "p-1", "password")
        perform(house, people.ResetPassword(person="p-1", password_hash=given), "password")
        token = access.sign_in(house, "p-1", PASSWORD).token
    assert stat.S_IMODE(sealing.secret.stat().st_mode) == 0o600
    with open_house(url, clock=clock, sealing=sealing) as house:
        assert access.actor(house, token) == access.actor(house, key)
    sealing.secret.unlink()
    with open_house(url, clock=clock, sealing=sealing) as house:
        assert refusal(access.actor, house, token).refusal is Refusal.NOT_SIGNED_IN
        assert access.actor(house, key).id == "p-1"


@pytest.mark.parametrize(
    "text", ["", "00" * 32, "0123456789abcdef" * 4, b"a password of thirty-two letters".hex(), "ab" * 31, "zz" * 32]
)
def test_a_weak_secret_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "house.db.tokens"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(ValueError, match="must hold 32 bytes of chance"):
        tokens.open_secret(file)


def test_a_secret_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "house.db.tokens"
    tokens.open_secret(file)
    file.chmod(0o644)
    with pytest.raises(ValueError, match="its owner alone"):
        tokens.open_secret(file)


@pytest.fixture
def two(sqlite_pit: Pit) -> Pit:
    """A pit with a craps table, a pit boss and another."""
    sqlite_pit.open_craps()
    hire(sqlite_pit, "boss-1", Role.PIT_BOSS)
    hire(sqlite_pit, "boss-2", Role.PIT_BOSS)
    return sqlite_pit


CHANGE = ChangeSchedule(table="c1")
CONTENT = access.content_of("POST", "/c1", b"{}")


def approved(pit: Pit, by: str = "boss-1", second: str = "boss-2", operation: str = "ChangeSchedule") -> str:
    first = access.actor(pit.house, token_of(pit, by))
    return access.approve(pit.house, second, PASSWORD, operation, first, content=CONTENT)


def change(
    pit: Pit, approval: str, key: str, by: str = "boss-1", *, command: Any = CHANGE, content: str = CONTENT
) -> Any:
    first = access.actor(pit.house, token_of(pit, by))
    return perform(
        pit.house, command, key, first, access.second(pit.house, Approved(approval, content), command, first)
    )


def test_an_approval_is_good_once(two: Pit) -> None:
    approval = approved(two)
    first = change(two, approval, "one")
    again = change(two, approval, "one")
    assert (again.replayed, again.body) == (True, first.body)
    assert refusal(change, two, approval, "two").refusal is Refusal.SECOND_PERSON_NEEDED
    assert change(two, approved(two), "two").answer == table(two.house, "c1")


def test_an_approval_of_a_command_that_was_refused_is_not_used_up(two: Pit) -> None:
    approval, unknown = approved(two), ChangeSchedule(table="c9")
    assert refusal(change, two, approval, "one", command=unknown).refusal is Refusal.NOT_FOUND
    assert change(two, approval, "two").answer == table(two.house, "c1")


def test_an_approval_is_good_once_for_eight_at_a_time(two: Pit) -> None:
    approval = approved(two)
    first = access.actor(two.house, token_of(two, "boss-1"))
    second = access.second(two.house, Approved(approval, CONTENT), CHANGE, first)

    def one(number: int) -> str:
        try:
            perform(two.house, CHANGE, f"many-{number}", first, second)
        except Refused as refused:
            return refused.refusal.value
        return "done"

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(one, range(8))) == ["done"] + ["second_person_needed"] * 7


def test_an_approval_stands_in_the_record_with_both_names(two: Pit) -> None:
    change(two, approved(two), "one")
    with two.house.read() as connection:
        body = connection.execute(text("SELECT body FROM record ORDER BY number DESC LIMIT 1")).scalar_one()
    assert '"by":"boss-1"' in body
    assert '"second":"boss-2"' in body


def test_an_approval_is_for_one_command_of_one_person_and_two_minutes(two: Pit) -> None:
    hire(two, "boss-3", Role.PIT_BOSS)
    approval = approved(two)
    assert refusal(change, two, approval, "one", by="boss-3").refusal is Refusal.SECOND_PERSON_NEEDED
    publish = approved(two, operation="PublishSchedule")
    assert refusal(change, two, publish, "two").refusal is Refusal.SECOND_PERSON_NEEDED
    other = access.content_of("POST", "/c1", b"[]")
    assert refusal(change, two, approval, "other", content=other).refusal is Refusal.SECOND_PERSON_NEEDED
    passes(two, seconds=120)
    assert refusal(change, two, approval, "three").refusal is Refusal.SECOND_PERSON_NEEDED


def test_what_was_carried_out_with_an_approval_is_answered_again_after_its_end(two: Pit) -> None:
    approval = approved(two)
    first = change(two, approval, "one")
    passes(two, seconds=120)
    again = change(two, approval, "one")
    assert (again.replayed, again.body) == (True, first.body)


def test_a_token_a_key_or_an_approval_of_somebody_locked_is_no_approval(two: Pit) -> None:
    approval = approved(two)
    assert refusal(access.actor, two.house, approval).refusal is Refusal.NOT_SIGNED_IN
    for forged in (token_of(two, "boss-2"), access.add_key(two.house, "boss-2", 1, "key")[1], "", approval[:-4]):
        assert refusal(change, two, forged, "one").refusal is Refusal.SECOND_PERSON_NEEDED
    two.do(people.LockPerson(person="boss-2"))
    assert refusal(change, two, approval, "one").refusal is Refusal.SECOND_PERSON_NEEDED


def test_nobody_approves_what_he_asks_for_or_may_not_approve(two: Pit) -> None:
    hire(two, "d-1", Role.DEALER)
    first = access.actor(two.house, token_of(two, "boss-1"))
    for second, password, field in (
        ("boss-1", PASSWORD, "person"),
        ("d-1", PASSWORD, "person"),
        ("boss-2", WRONG, "password"),
    ):
        asked = refusal(access.approve, two.house, second, password, "ChangeSchedule", first, content=CONTENT)
        assert (asked.refusal, asked.field) == (Refusal.SECOND_PERSON_NEEDED, field)
    assert (
        refusal(access.approve, two.house, "boss-2", PASSWORD, "Toke", first, content=CONTENT).refusal
        is Refusal.NOT_FOUND
    )
    without = refusal(perform, two.house, CHANGE, "one", first)
    assert without.refusal is Refusal.SECOND_PERSON_NEEDED


def test_the_second_person_proves_himself_as_strictly_as_who_signs_in(two: Pit) -> None:
    first = access.actor(two.house, token_of(two, "boss-1"))
    for _ in range(FREE_FAILURES):
        refusal(access.approve, two.house, "boss-2", WRONG, "ChangeSchedule", first, content=CONTENT)
    two.clock.now -= timedelta(minutes=1)
    refusal(access.approve, two.house, "boss-2", PASSWORD, "ChangeSchedule", first, content=CONTENT)


def test_the_first_owner_claims_the_house_with_its_code(pit: Pit) -> None:
    code = access.first_run_code(pit.house)
    assert code is not None
    assert access.first_run_code(pit.house) == code
    assert refusal(access.claim_owner, pit.house, "AAAAAA-BBBBBB-CCCCCC-DDDDDD", "p-1", PASSWORD).field == "code"
    spoken = code.replace("-", " ").lower()
    owner = access.claim_owner(pit.house, spoken, "p-1", PASSWORD, name="Olive Owner", key="claim").answer
    assert (owner.person, owner.name, owner.roles) == ("p-1", "Olive Owner", (Role.ADMIN,))
    assert access.first_run_code(pit.house) is None
    late = refusal(access.claim_owner, pit.house, code, "p-2", PASSWORD, key="late")
    assert late.refusal is Refusal.NOT_ALLOWED
    assert access.actor(pit.house, token_of(pit, "p-1")).scopes == set(Scope)


def test_a_house_with_a_program_and_no_admin_is_still_to_be_claimed(sqlite_pit: Pit) -> None:
    access.admit(sqlite_pit.house, "camera", (Role.INTEGRATION,), 1, "key")
    code = access.first_run_code(sqlite_pit.house)
    assert code is not None
    assert access.claim_owner(sqlite_pit.house, code, "p-1", PASSWORD).answer.person == "p-1"


@pytest.mark.parametrize(
    "password", ["", "short", "elevenchars", "x" * 129, "aaaabbbbcccc", "Person-12345", "\ud800" * 12 + "abcde"]
)
def test_a_password_outside_the_bounds_is_refused_by_its_bounds(password: str) -> None:
    asked = refusal(access.check_password, password, "person-12345")
    assert (asked.refusal, asked.field, asked.value) == (Refusal.BAD_VALUE, "password", "")
    assert asked.limit.startswith("12 to 128 characters")


@pytest.mark.parametrize("password", ["twelve chars", "x" * 124 + "abcd", "пароль дилера", "🎲 🂡 ♠ ♥ ♦ ♣ ★"])
def test_a_long_password_of_any_script_is_taken(password: str) -> None:
    access.check_password(password, "p-1")


def test_changing_ones_password_needs_the_old_one_and_is_repeated_as_answered(pit: Pit) -> None:
    by = signed_in(pit, "p-1", Role.DEALER)
    wrong = access.new_password(pit.house, by, WRONG, "quite another password", "wrong")
    assert refusal(perform, pit.house, wrong, "wrong", by).field == "old"
    first, again = (
        perform(pit.house, access.new_password(pit.house, by, PASSWORD, "quite another password", "right"), "right", by)
        for _ in range(2)
    )
    assert (again.replayed, again.body) == (True, first.body)
    assert refusal(access.sign_in, pit.house, "p-1", PASSWORD).refusal is Refusal.NOT_SIGNED_IN
    assert access.sign_in(pit.house, "p-1", "quite another password")


def test_one_key_with_two_new_passwords_is_another_request(sqlite_pit: Pit) -> None:
    by = signed_in(sqlite_pit, "p-1", Role.DEALER)
    perform(
        sqlite_pit.house, access.new_password(sqlite_pit.house, by, PASSWORD, "quite another one", "key"), "key", by
    )
    other = access.new_password(sqlite_pit.house, by, "quite another one", "still another one", "key")
    assert refusal(perform, sqlite_pit.house, other, "key", by).refusal is Refusal.IDEMPOTENCY_KEY_REUSED


def test_the_house_stands_for_both_people_at_its_own_command_line(two: Pit) -> None:
    assert perform(two.house, CHANGE, "house", HOUSE).answer == table(two.house, "c1")
