"""Who is asking: passwords, tokens, keys for programs, approvals of a second person, and the first owner.

Nothing here runs on the writer's thread but what it stores: argon2 runs in the caller's, a few at a time. Whatever is
wrong with a credential, the answer is the same, and it takes one hash to say so.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from threading import BoundedSemaphore
from typing import Any

from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError
from argon2.low_level import Type, hash_secret, verify_secret

from house.domain.ids import is_id
from house.domain.people import HOUSE, ROLES, Actor, PersonId, Role, Scope, Second
from house.domain.refusals import Refusal, Refused
from house.service import tokens
from house.service.desk import Command, House, HouseBusy, Reply, perform
from house.service.people import AddApiKey, AddPerson, ApiKey, ClaimOwner, Person, SetPassword, scopes_of
from house.service.tokens import not_signed_in
from house.store import people as store
from house.store.people import StoredKey, StoredPerson
from house.store.unit_of_work import Unit, microseconds

ACCESS, APPROVAL = "floorman:access", "floorman:approval"
TOKEN_LIFE, APPROVAL_LIFE, LONGEST_SESSION = timedelta(minutes=15), timedelta(seconds=120), timedelta(hours=12)
FREE_FAILURES = 5
"""Wrong passwords in a row after which the next is not taken at once: 1 s, then twice as long each time."""
LONGEST_WAIT_S = 300
PASSWORD_CHARACTERS = range(12, 129)
PASSWORD_DIFFERENT = 5
USE_NOTED_EVERY = timedelta(minutes=10)
ARGON2 = {"time_cost": 2, "memory_cost": 19456, "parallelism": 1, "hash_len": 32, "type": Type.ID}
"""What the guidance of OWASP asks of argon2id at the least: 19 MiB, two passes."""

_AT_ONCE = BoundedSemaphore(8)
_NOBODY = hash_secret(b"nobody's password", b"nobody's salt...", **ARGON2)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Access:
    """A token that was given, when it ends, for how many seconds from now, and who acts with it."""

    token: str
    expires_at: datetime
    seconds: int
    actor: Actor


def sign_in(house: House, person: str, password: str) -> Access:
    """Give a token for a person's password. Refused: NOT_SIGNED_IN. Raises HouseBusy when too many ask at once."""
    found = _proved(house, person, password)
    now = house.now()
    return _access(house, found, now, int(now.timestamp()))


def renew(house: House, token: str) -> Access:
    """Give a new token for one that is good, up to twelve hours after signing in. Refused: NOT_SIGNED_IN."""
    now = house.now()
    claims = tokens.read(house.secret, ACCESS, token, now)
    found = _of_generation(house, claims.person, claims.generation)
    since = claims.more.get("since")
    if type(since) is not int or now.timestamp() >= since + LONGEST_SESSION.total_seconds():
        raise not_signed_in()
    return _access(house, found, now, since)


def _access(house: House, person: StoredPerson, now: datetime, since: int) -> Access:
    """Make a token of somebody who signed in at a second since 1970."""
    left = timedelta(seconds=since + LONGEST_SESSION.total_seconds() - int(now.timestamp()))
    life = min(TOKEN_LIFE, left)
    token, ends = tokens.make(house.secret, ACCESS, person.id, person.generation, now=now, life=life, since=since)
    return Access(token, ends, int(life.total_seconds()), _actor(person))


def actor(house: House, token: str) -> Actor:
    """Find who acts with a token or a key, and what he may do now. Refused: NOT_SIGNED_IN."""
    if token.count(".") == 1:
        return _of_key(house, token)
    claims = tokens.read(house.secret, ACCESS, token, house.now())
    return _actor(_of_generation(house, claims.person, claims.generation))


def _actor(person: StoredPerson) -> Actor:
    return Actor(PersonId(person.id), scopes_of(person))


def _of_generation(house: House, person: str, generation: int) -> StoredPerson:
    found = house.glance(lambda connection: store.find(connection, person))
    if found is None or found.locked or found.generation != generation:
        raise not_signed_in()
    return found


def _of_key(house: House, key: str) -> Actor:
    prefix, _, secret = key.partition(".")
    both = None
    if len(key) <= tokens.LONGEST:
        both = house.glance(lambda connection: store.key_and_person(connection, prefix))
    if both is None:
        raise not_signed_in()
    found, person = both
    now = house.now()
    ended = found.revoked_us is not None or microseconds(now) >= found.expires_us
    if not hmac.compare_digest(_digest(secret), found.digest) or ended or person.locked:
        raise not_signed_in()
    _note_use(house, found, now)
    return _acting(person, found.scopes)


@lru_cache(maxsize=1024)
def _acting(person: StoredPerson, scopes: tuple[str, ...]) -> Actor:
    """Somebody who acts by a key that may do some things."""
    return Actor(PersonId(person.id), scopes_of(person) & frozenset(Scope(scope) for scope in scopes))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _note_use(house: House, key: StoredKey, now: datetime) -> None:
    """Note that a key is used, every ten minutes, without waiting for it."""
    if key.used_us is not None and microseconds(now - USE_NOTED_EVERY) < key.used_us:
        return

    def note(unit: Unit) -> None:
        with unit.savepoint():
            store.note_use(unit, key.prefix)

    with suppress(HouseBusy):  # then the next use is noted
        house.writer.submit(note)


@dataclass(frozen=True, slots=True)
class Approved:
    """An approval as it came, and the content of the request that it came with, as `content_of` tells it."""

    token: str
    content: str


def content_of(method: str, path: str, body: bytes) -> str:
    """Tell one request from every other: SHA-256 in hex of its method, its path and its body.

    >>> content_of("POST", "/v1/withdrawals", b'{"amount_minor":100}')[:16]
    'eb394cccd7548db0'
    """
    return hashlib.sha256(f"{method} {path}\n".encode("utf-8", "replace") + body).hexdigest()


def approve(house: House, person: str, password: str, operation: str, by: Actor, *, content: str) -> str:
    """Let a second person approve one command of somebody's; return a token that is good once, for two minutes.

    Parameters
    ----------
    operation
        Class name of the command.
    by
        Who will give the command.
    content
        Digest of what is approved: the command is carried out with no other.

    Raises
    ------
    Refused
        NOT_FOUND: no command of this name needs approval. SECOND_PERSON_NEEDED: the password is not right, or the
        person is the first one, or may not approve it.
    """
    needed = approvals().get(operation)
    if needed is None:
        limit = ", ".join(sorted(approvals()))
        raise Refused(Refusal.NOT_FOUND, "no such operation needs a second person", "operation", limit=limit)
    try:
        found = _proved(house, person, password)
    except Refused:
        message = "the second person's id or password is not right"
        raise Refused(Refusal.SECOND_PERSON_NEEDED, message, "password") from None
    if found.id == by.id or needed not in scopes_of(found):
        message = f"this needs another person, with the scope {needed}"
        raise Refused(Refusal.SECOND_PERSON_NEEDED, message, "person", limit=needed.value)
    said = {"operation": operation, "by": by.id, "content": content}
    token, _ = tokens.make(
        house.secret, APPROVAL, found.id, found.generation, now=house.now(), life=APPROVAL_LIFE, **said
    )
    return token


def approvals() -> dict[str, Scope]:
    """The commands that need a second person by class name, and what he must be allowed."""
    found, waiting = {}, [*Command.__subclasses__()]
    while waiting:
        command = waiting.pop()
        waiting += command.__subclasses__()
        if command.approval is not None:
            found[command.__name__] = command.approval
    return found


def second(house: House, approval: Approved, command: Command[Any], by: Actor) -> Second:
    """Find the second person by an approval of this command; it is used up when the command is carried out.

    One that ended is found too: what was carried out with it is answered again, and nothing else is.

    Refused: SECOND_PERSON_NEEDED.
    """
    try:
        claims = tokens.read(house.secret, APPROVAL, approval.token, None)
        found = _of_generation(house, claims.person, claims.generation)
    except Refused:
        found = None
    said = {"operation": type(command).__name__, "by": by.id, "content": approval.content}
    if found is None or any(claims.more.get(name) != value for name, value in said.items()):
        message = "the approval is expired, void, or not for this: let a second person approve it again"
        raise Refused(Refusal.SECOND_PERSON_NEEDED, message, "second_person")
    return Second(PersonId(found.id), scopes_of(found), claims.id, claims.expires_s)


def first_run_code(house: House) -> str | None:
    """The code with which the first owner claims the house; None once it has an admin."""
    with house.read() as connection:
        if store.with_role(connection, Role.ADMIN):
            return None
    code = _first_run_code(house)
    return "-".join(code[at : at + 6] for at in range(0, 24, 6))


def _first_run_code(house: House) -> str:
    """The code without its dashes: 120 bits that follow from the house's secret."""
    return base64.b32encode(tokens.derive(house.secret, "first run")[:15]).decode()


def claim_owner(
    house: House, code: str, person: str, password: str, *, name: str = "", key: str = "owner"
) -> Reply[Person]:
    """Add the first owner, an admin, who has the code that `floorman serve` printed. Refused: BAD_VALUE, NOT_ALLOWED.

    Parameters
    ----------
    name
        Name of the person, the id where it is not given.
    """
    check_code(house, code)
    hash_ = hashed(house, password, person, key)
    return perform(house, ClaimOwner(person=person, name=name or person, password_hash=hash_), key)


def check_code(house: House, code: str) -> None:
    """Check the code of the first run, however it is written. Refused: NOT_ALLOWED."""
    given = code.replace("-", "").replace(" ", "").upper()
    if not hmac.compare_digest(given.encode("utf-8", "replace"), _first_run_code(house).encode()):
        raise Refused(Refusal.NOT_ALLOWED, "the code is not the one that the house printed when it started", "code")


def new_password(house: House, by: Actor, old: str, new: str, key: str) -> SetPassword:
    """Make the command that changes somebody's own password. Refused: BAD_VALUE."""
    new_hash = hashed(house, new, by.id, key)
    try:
        _proved(house, by.id, old)
    except Refused:
        return SetPassword(password_hash=new_hash, proved=False)
    return SetPassword(password_hash=new_hash, proved=True)


def add_key(
    house: House,
    person: str,
    days: int,
    key: str,
    *,
    scopes: tuple[Scope, ...] = (),
    by: Actor = HOUSE,
) -> tuple[Reply[ApiKey], str]:
    """Add a key for a program; return the answer and the whole key, which nothing keeps. Refused: BAD_VALUE, NOT_FOUND.

    The secret follows from the house's own and the idempotency key, so that a repeat gives the same.
    """
    command, whole = new_key(house, person, days, key, scopes)
    return perform(house, command, key, by), whole


def new_key(house: House, person: str, days: int, key: str, scopes: tuple[Scope, ...] = ()) -> tuple[AddApiKey, str]:
    """Make the command that adds a key, and the whole key."""
    prefix = tokens.derive(house.secret, "prefix", person, key)[:6].hex()
    secret = base64.urlsafe_b64encode(tokens.derive(house.secret, "secret", person, key)).decode().rstrip("=")
    command = AddApiKey(person=person, prefix=prefix, digest=_digest(secret), scopes=scopes, days=days)
    return command, f"{prefix}.{secret}"


def hashed(house: House, password: str, person: str, key: str) -> str:
    """Check a new password and hash it, under a salt of its own for each person and idempotency key.

    Refused: BAD_VALUE.
    """
    check_password(password, person)
    salt = tokens.derive(house.secret, "salt", person, key)[:16]
    with _few():
        return hash_secret(password.encode(), salt, **ARGON2).decode()  # type: ignore[arg-type]


def check_password(password: str, person: str) -> None:
    """Check that a password is long, of several characters, and not the person's id. Refused: BAD_VALUE.

    Examples
    --------
    >>> check_password("ankle deep in chips", "ann")
    """
    few = len(set(password)) < PASSWORD_DIFFERENT
    surrogates = any("\ud800" <= one <= "\udfff" for one in password)
    if len(password) not in PASSWORD_CHARACTERS or few or surrogates or password.casefold() == person.casefold():
        low, high = PASSWORD_CHARACTERS[0], PASSWORD_CHARACTERS[-1]
        limit = f"{low} to {high} characters, {PASSWORD_DIFFERENT} of them different, and not the person's id"
        raise Refused(Refusal.BAD_VALUE, f"password must be {limit}", "password", "", limit)


@contextmanager
def _few() -> Iterator[None]:
    """Let a few hashes be made at once, for each takes a core and 19 MiB. Raises HouseBusy."""
    if not _AT_ONCE.acquire(blocking=False):
        raise HouseBusy("too many passwords are being checked")
    try:
        yield
    finally:
        _AT_ONCE.release()


def _proved(house: House, person: str, password: str) -> StoredPerson:
    """Find the person whose password this is; count those that are wrong. Refused: NOT_SIGNED_IN."""
    with house.read() as connection:
        found = store.find(connection, person) if is_id(person) else None
    at_us = microseconds(house.now())
    open_now = found is not None and found.password is not None and not found.locked and at_us >= found.retry_us
    known = found.password.encode() if open_now and found is not None and found.password is not None else _NOBODY
    right = _verified(known, password)
    if not (right and open_now) or found is None:
        _count(house, found.id if open_now and found is not None else None)
        raise _wrong()
    if found.failures:
        _forget(house, found.id)
    return found


def _verified(known: bytes, password: str) -> bool:
    with _few():
        try:
            return verify_secret(known, password.encode("utf-8", "replace")[:1024], Type.ID)
        except (VerifyMismatchError, VerificationError, InvalidHashError):
            return False


def _wrong() -> Refused:
    message = "person or password is not right, or too many wrong ones came before: wait some minutes"
    return Refused(Refusal.NOT_SIGNED_IN, message)


def _count(house: House, person: str | None) -> None:
    """Count a wrong password, and let the next wait longer; for None, only write as much, which takes as long."""

    def count(unit: Unit) -> None:
        found = None if person is None else store.find(unit.connection, person)
        if found is None:
            with unit.savepoint():
                store.touch(unit)
            return
        failures = found.failures + 1
        wait_s = 0 if failures < FREE_FAILURES else min(2 ** min(failures - FREE_FAILURES, 20), LONGEST_WAIT_S)
        with unit.savepoint():
            store.change(unit, found.id, failures=failures, retry_us=unit.at_us + wait_s * 1_000_000)

    house.writer.submit(count).result()


def _forget(house: House, person: str) -> None:
    def forget(unit: Unit) -> None:
        with unit.savepoint():
            store.change(unit, person, failures=0, retry_us=0)

    house.writer.submit(forget).result()


def admit(house: House, person: str, roles: tuple[Role, ...], days: int, key: str) -> tuple[ApiKey, str]:
    """Make a key for a person at the house's own command line; return it and the whole key.

    Somebody whom the house does not know is added with the roles, under the id for a name; somebody known gets a key
    for what those roles may do and must have them. Refused: BAD_VALUE.
    """
    with house.read() as connection:
        found = store.find(connection, person)
    if found is None:
        perform(house, AddPerson(person=person, name=person, roles=roles), f"{key}-person")
    scopes = frozenset[Scope]().union(*(ROLES[role] for role in roles))
    reply, whole = add_key(house, person, days, key, scopes=tuple(sorted(scopes)))
    return reply.answer, whole
