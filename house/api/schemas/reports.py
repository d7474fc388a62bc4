"""Reports over the wire."""

from typing import Annotated

from pydantic import Field

from house.api.schemas.fields import Answered, Balance, BetId, Count, Fingerprint, ScheduleName, Spot, Total, Version


class AccountLine(Answered):
    """One account."""

    account: Annotated[str, Field(description="Account", examples=["house:win"])]
    kind: Annotated[str, Field(description="Asset, liability, equity, income or expense", examples=["income"])]
    balance_minor: Balance


class TrialBalance(Answered):
    """Every account; the difference is 0 in a house that balances."""

    accounts: list[AccountLine]
    entries: Count
    difference_minor: Balance


class Realised(Answered):
    """What one bet brought."""

    game: Annotated[str, Field(description="Game", examples=["craps"])]
    schedule: ScheduleName
    version: Version
    fingerprint: Fingerprint
    bet: BetId
    spot: Spot
    settled: Annotated[Count, Field(description="Wagers won, lost or tied")]
    handle_minor: Annotated[Total, Field(description="Stakes of the wagers settled")]
    lost_minor: Total
    winnings_minor: Total
    commission_minor: Total
    breakage_minor: Total
    tie_minor: Total
    house_minor: Annotated[Total, Field(description="Lost stakes and commission less winnings")]


class RealisedByBet(Answered):
    """What each bet brought, by game, schedule, bet and spot."""

    items: list[Realised]


class Discrepancy(Answered):
    """Something that does not hold."""

    invariant: Annotated[str, Field(description="What must hold", examples=["entry_sums_to_zero"])]
    where: Annotated[str, Field(description="Where it does not", examples=["entry 17"])]
    found: Annotated[str, Field(description="What was found", examples=["5"])]
    due: Annotated[str, Field(description="What was due", examples=["0"])]
    record: Annotated[
        int | None, Field(description="Record by which money went wrong; null where none did", examples=[17])
    ]
    overpaid_minor: Annotated[
        int | None,
        Field(description="What it paid players over what was due, in minor units; below 0 it is owed", examples=[500]),
    ]


class Checked(Answered):
    """The books re-derived and every settlement replayed; sound if there is no discrepancy."""

    entries: Count
    records: Count
    throws: Count
    settlements: Count
    discrepancies: list[Discrepancy]
