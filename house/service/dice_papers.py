"""The reconciliation of dice and the day's incidents as papers."""

from house.service.papers import Column, Kind, Paper, row_of
from house.service.reconciliation import DaysIncidents, Reconciliation

_AREA = (
    Column("area", "Storage area"),
    Column("kind", "Kind"),
    *(
        Column(name, name.capitalize(), Kind.COUNT)
        for name in (
            "opening", "received", "returned", "moved", "issued", "destroyed", "closing", "reserve", "suspected",
            "sealed", "cancelled", "failed", "counted", "difference",
        )
    ),
)  # fmt: skip


def reconciliation(report: Reconciliation) -> Paper:
    """The daily reconciliation of dice and boxes."""
    return Paper(
        "dice-reconciliation",
        f"Dice and boxes: {report.gaming_day}",
        (
            ("Gaming day", report.gaming_day),
            ("In play", str(report.in_play)),
            *(
                (f"In play for {one.hours} h", f"{one.kind} {one.serial} at {one.table}, since {one.issued_day}")
                for one in report.long_in_use
            ),
            *((f"Difference: {one.where}", f"found {one.found}, due {one.due}") for one in report.differences),
        ),
        _AREA,
        tuple(row_of(_AREA, line) for line in report.lines),
        (
            "Closing = opening + received + returned + moved - issued - destroyed. Reserve is what is fit for play.",
            "Difference is what a physical count found above the books at that moment.",
        ),
        report.made,
        ("Floorman", "Surveillance"),
    )


_INCIDENT = (
    Column("incident", "Incident", Kind.COUNT),
    Column("status", "Status"),
    Column("table", "Table"),
    Column("throw", "Throw", Kind.COUNT),
    Column("accused", "About"),
    Column("attack", "Fits"),
    Column("log10_evalue", "log10 e"),
    Column("bar", "Bar"),
    Column("assigned", "Assigned to"),
    Column("reason", "Closed as"),
    Column("words", "What was seen, and what to check"),
)


def incidents(report: DaysIncidents) -> Paper:
    """The incidents of a day."""
    still_open = sum(one.status == "open" for one in report.incidents)
    return Paper(
        "incidents",
        f"Incidents: {report.gaming_day}",
        (("Gaming day", report.gaming_day), ("Incidents", str(len(report.incidents))), ("Open", str(still_open))),
        _INCIDENT,
        tuple(row_of(_INCIDENT, one) for one in report.incidents),
        ("Incidents from earlier days are listed while they are open.",),
        report.made,
        ("Surveillance",),
    )
