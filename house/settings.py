"""Settings of the house: read once from a file and the environment into frozen values, all faults at once."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

from house.domain.inspections import TOLERANCES, Rules, Tolerances
from house.domain.lives import Kind
from house.domain.watching import Watching
from payouts.errors import Fault
from payouts.reading import Section, read_file, read_toml, refuse

CONFIG = Path(__file__).resolve().parent.parent / "config"
"""Where the shipped configuration is."""

FILE_VARIABLE = "FLOORMAN_CONFIG"
"""The environment variable that names another settings file."""

KEYS: Mapping[str, Mapping[str, type]] = {
    "house": {"currency": str, "zone": str, "cut_over_hour": int},
    "store": {"database": str, "queue_limit": int, "reserve_mib": int, "check_minutes": int},
    "history": {"name": str, "folder": str, "records": int, "seconds": int},
    "server": {
        "host": str,
        "port": int,
        "max_body_bytes": int,
        "max_upload_mib": int,
        "grace_s": int,
        "requests_per_s": int,
        "sign_ins_per_min": int,
        "followers": int,
        "behind_proxy": bool,
    },
    "log": {"level": str},
}
"""Keys of the settings file, by section, and of which type each is."""

ENVIRONMENT: Mapping[str, tuple[str, str]] = {
    **{f"FLOORMAN_{section}_{key}".upper(): (section, key) for section, keys in KEYS.items() for key in keys},
    "FLOORMAN_DATABASE": ("store", "database"),
    "FLOORMAN_HOST": ("server", "host"),
    "FLOORMAN_PORT": ("server", "port"),
}
"""Variables that go before the file, and the keys that they replace: every key has one, three a short one."""

OPTIONS: Mapping[str, tuple[str, str]] = {
    "--database": ("store", "database"),
    "--host": ("server", "host"),
    "--port": ("server", "port"),
}
"""Options of the command line that go before both."""

PLACES = {**ENVIRONMENT, **OPTIONS}


class Level(StrEnum):
    """Least severity that is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a house is set to.

    Parameters
    ----------
    currency
        ISO 4217; the currency of every amount.
    zone, cut_over_hour
        Gaming day: named time zone, and the hour, 0..23, at which a new day begins.
    database
        `sqlite:///file` or `postgresql://...`.
    queue_limit
        Commands that may wait for the writer before the house is busy.
    history_name
        Name of the log in its signed checkpoints, and of the key that signs them.
    history_folder
        Where key and checkpoints are; "" for beside a SQLite file, or in build/history for PostgreSQL.
    checkpoint_records, checkpoint_seconds
        A checkpoint is signed at the latest after so many records or seconds.
    host, port
        Address of the service; port 0 takes a free one.
    max_body_bytes
        Greatest request body, in bytes.
    max_upload_mib
        Greatest log file that the laboratory's page takes, MiB.
    grace_s
        Seconds that a stopping server gives to requests under way.
    reserve_mib
        MiB that must be free where the house writes, or it is not ready.
    check_minutes
        Minutes between two checks of the books' invariants while the service runs; 0 for none.
    requests_per_s, sign_ins_per_min
        Requests that whoever asks has a second (and twice as many at once), passwords that an address may try a minute.
    followers
        How many may follow the live feed at once.
    behind_proxy
        Whether a proxy on this machine says, in X-Forwarded-For, who asks.
    log_level
        Least severity that is logged.
    """

    currency: str
    zone: str
    cut_over_hour: int
    database: str
    queue_limit: int
    history_name: str
    history_folder: str
    checkpoint_records: int
    checkpoint_seconds: int
    host: str
    port: int
    max_body_bytes: int
    max_upload_mib: int
    grace_s: int
    reserve_mib: int
    check_minutes: int
    requests_per_s: int
    sign_ins_per_min: int
    followers: int
    behind_proxy: bool
    log_level: Level


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    options: Mapping[str, object] = MappingProxyType({}),
) -> Settings:
    """Read the settings.

    Parameters
    ----------
    file
        Settings file; without it the one that FLOORMAN_CONFIG names, else the shipped one.
    options
        Options of the command line by name, as `OPTIONS` lists them; those that are None were not given.

    Raises
    ------
    ScheduleError
        With every fault of file, environment and options: where, key, value and bound.
    """
    path = file or Path(environment.get(FILE_VARIABLE) or CONFIG / "house.toml")
    text = read_file(path)
    given = {name: value for name, value in environment.items() if name in ENVIRONMENT}
    given |= {name: str(value) for name, value in options.items() if value is not None}
    root = _overlaid(read_toml(text, str(path)), given)
    settings = _settings(root)
    refuse((*_strangers(environment), *(_named(_silent(fault), given) for fault in root.faults())))
    return settings


def without_password(database: str) -> str:
    """Show a database URL without who opens it.

    >>> without_password("postgresql://ann:secret@localhost/house?user=ann&password=secret")
    'postgresql://localhost/house'
    """
    scheme, separator, rest = database.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2].partition('?')[0]}"


_NAMES = {*KEYS, *(f"{section}.{key}" for section, keys in KEYS.items() for key in keys)}


def _silent(fault: Fault) -> Fault:
    """Say nothing of the value of an unknown key, which may be a secret, and of a database's URL its scheme alone."""
    if fault.key and fault.key not in _NAMES:
        return replace(fault, value="a value")
    scheme, separator, _ = fault.value.partition("://")
    return (
        fault if fault.key != "store.database" else replace(fault, value=f"{scheme if separator else ''}{separator}...")
    )


def _settings(root: Section) -> Settings:
    house, store, server = (root.section(key, required=True) for key in ("house", "store", "server"))
    history = root.section("history", required=True)
    return Settings(
        currency=house.text("currency", pattern="[A-Z]{3}", bound='a currency of ISO 4217 like "USD"'),
        zone=_zone(house),
        cut_over_hour=house.integer("cut_over_hour", 0, 23),
        database=store.text(
            "database", pattern="(sqlite:///|postgresql://).{1,500}", bound='"sqlite:///FILE" or "postgresql://..."'
        ),
        queue_limit=store.integer("queue_limit", 1, 100_000),
        history_name=history.text("name", pattern=r"[^\s+]{1,100}", bound="1 to 100 characters, no space, no plus"),
        history_folder=history.text("folder", "", pattern=".{0,500}", bound="a folder, or nothing"),
        checkpoint_records=history.integer("records", 1, 1_000_000),
        checkpoint_seconds=history.integer("seconds", 1, 86_400),
        host=server.text("host", pattern="[A-Za-z0-9.:_-]{1,253}", bound="a host name or address"),
        port=server.integer("port", 0, 65535),
        max_body_bytes=server.integer("max_body_bytes", 1024, 16 * 2**20),
        max_upload_mib=server.integer("max_upload_mib", 1, 4096),
        grace_s=server.integer("grace_s", 1, 600),
        reserve_mib=store.integer("reserve_mib", 0, 2**20),
        check_minutes=store.integer("check_minutes", 0, 10_080),
        requests_per_s=server.integer("requests_per_s", 1, 1_000_000),
        sign_ins_per_min=server.integer("sign_ins_per_min", 1, 100_000),
        followers=server.integer("followers", 0, 100_000),
        behind_proxy=server.boolean("behind_proxy"),
        log_level=root.section("log", required=True).choice("level", Level),
    )


def _zone(house: Section) -> str:
    zone = house.text("zone", pattern="[A-Za-z0-9_+/-]{1,64}", bound='a named time zone like "America/New_York"')
    try:
        ZoneInfo(zone)
    except (ValueError, OSError, KeyError):
        if isinstance(house.raw("zone"), str):
            house.fault("zone", 'a named time zone like "America/New_York"')
    return zone


def _overlaid(root: Section, given: Mapping[str, str]) -> Section:
    """The file's table with the environment's values in place of its own."""
    table = {key: root.raw(key) for key in root.keys}
    for name, value in given.items():
        section, key = PLACES[name]
        within = table.get(section)
        table[section] = {**(within if isinstance(within, dict) else {}), key: _typed(value, KEYS[section][key])}
    return Section(table, root.file)


def _typed(value: str, kind: type) -> object:
    """Read the text of a variable as the file has it; text that is no such value stays text, and is a fault."""
    if kind is int and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return {"true": True, "false": False}.get(value, value) if kind is bool else value


def _named(fault: Fault, given: dict[str, str]) -> Fault:
    """Name the variable or the option as the place of a fault that came from there; options are last and win."""
    for name in reversed(given):
        if fault.key == ".".join(PLACES[name]):
            return replace(fault, file="command line" if name in OPTIONS else "environment", key=name)
    return fault


def _strangers(environment: Mapping[str, str]) -> tuple[Fault, ...]:
    known = ", ".join((FILE_VARIABLE, *ENVIRONMENT))
    return tuple(
        Fault("environment", name, "a value", f"a known variable ({known})")
        for name in sorted(environment)
        if name.startswith("FLOORMAN_") and name != FILE_VARIABLE and name not in ENVIRONMENT
    )


def load_monitors(file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Watching:
    """Read how the dice are watched: the budget of false alarms. Raises ScheduleError with every fault."""
    path = file or _beside("monitors.toml", environment)
    root = read_toml(read_file(path), str(path))
    alpha, sets = root.fraction("alpha", Fraction(1, 10**6), Fraction(1, 10)), root.integer("sets", 1, 10_000, 64)
    root.finish()
    return Watching(alpha=alpha, sets=sets)


def load_equipment(file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Rules:
    """Read the rules for dice and boxes: reception, inspection, tolerances. Raises ScheduleError with every fault."""
    path = file or _beside("equipment.toml", environment)
    root = read_toml(read_file(path), str(path))
    reception = root.choice("reception", Reception, Reception.TWO)
    inspection = root.choice("inspection", Inspection)
    tolerances = {kind: _tolerances(root.section(kind.value, required=True), kind) for kind in Kind}
    root.finish()
    required = inspection is Inspection.REQUIRED
    return Rules(two_receive=reception is Reception.TWO, inspection_required=required, tolerances=tolerances)


class Reception(StrEnum):
    """How many people receive dice and boxes."""

    TWO = "two"
    ONE = "one"


class Inspection(StrEnum):
    """Whether dice and boxes must pass an inspection before play."""

    ADVISED = "advised"
    REQUIRED = "required"


def _tolerances(section: Section, kind: Kind) -> Tolerances:
    """Read a pair of bounds for every measure; one that is not there is as shipped."""
    found = dict(TOLERANCES[kind])
    for name in found:
        given = section.raw(name)
        if given is None:
            continue
        pair = given if isinstance(given, list) else []
        if len(pair) == 2 and all(type(bound) is int for bound in pair) and 0 <= pair[0] <= pair[1] <= 10**6:
            found[name] = (pair[0], pair[1])
        else:
            section.fault(name, "two whole numbers from 0 to 1000000, the least first")
    return found


def _beside(name: str, environment: Mapping[str, str]) -> Path:
    """The file of this name beside the settings file that is named, if it is there, else the shipped one."""
    named = environment.get(FILE_VARIABLE)
    beside = Path(named).parent / name if named else CONFIG / name
    return beside if beside.is_file() else CONFIG / name
