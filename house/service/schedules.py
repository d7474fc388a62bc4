"""Payout schedules as the house publishes them: a version, once published, never changes."""

from dataclasses import dataclass

from house.service.desk import Command, House


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A published version of a schedule; `body` is its canonical form."""

    game: str
    name: str
    version: int
    fingerprint: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishSchedule(Command[Published]):
    """Publish a schedule in its canonical form (`payouts.schedule`).

    Publishing the same version again with the same fingerprint changes nothing.

    Raises
    ------
    Refused
        SCHEDULE_CHANGED: this version stands with another fingerprint.
    """

    body: str


def schedules(house: House) -> tuple[Published, ...]:
    """List every published version, by game, name and version."""
    raise NotImplementedError
