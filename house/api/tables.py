"""Tables: opened, shown, given other dice, closed."""

from fastapi import APIRouter, Request, Response

from house.api.bodies import Once
from house.api.deps import AfterId, By, Key, Limit, SecondPerson, TheHouse, page, reads, shown, write, writes
from house.api.schemas import tables as wire
from house.api.schemas.fields import TableId
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import tables

router = APIRouter(prefix="/tables", tags=["tables"], route_class=Once)


@router.post(
    "",
    **writes(
        tables.OpenTable,
        wire.Table,
        "openTable",
        Refusal.ALREADY_EXISTS,
        Refusal.NOT_FOUND,
        Refusal.WRONG_GAME,
        Refusal.NOT_IN_PLAY,
        Refusal.NOT_FIT,
        Refusal.NOT_INSPECTED,
        Refusal.INSUFFICIENT_FUNDS,
    ),
)
async def open_table(house: TheHouse, key: Key, by: By, body: wire.NewTable) -> Response:
    """Open a table with a published schedule, dice and a box; its opener comes from the vault."""
    return await write(house, body.command(), key, by)


@router.get("", **reads(Page[wire.Table], "listTables", scope=Scope.PIT_READ))
def list_tables(request: Request, house: TheHouse, after: AfterId = "", limit: Limit = PAGE) -> Page[wire.Table]:
    """List tables by id, closed ones too."""
    found = tables.tables(house, after, limit)
    return page(request, wire.Table, found, limit, found[-1].table if len(found) == limit else None)


@router.get("/{table}", **reads(wire.Table, "showTable", Refusal.NOT_FOUND, scope=Scope.PIT_READ))
def show_table(house: TheHouse, table: TableId) -> wire.Table:
    """Show a table: its schedule, dice, float, state, and what may be bet or chosen now."""
    return shown(wire.Table, tables.table(house, table))


@router.post(
    "/{table}/dice-changes",
    **writes(
        tables.ChangeDice,
        wire.Table,
        "changeDice",
        Refusal.NOT_FOUND,
        Refusal.TABLE_CLOSED,
        Refusal.NOT_IN_PLAY,
        Refusal.NOT_FIT,
        Refusal.NOT_INSPECTED,
    ),
)
async def change_dice(house: TheHouse, key: Key, by: By, table: TableId, body: wire.NewDice) -> Response:
    """Put other dice and another box into play; those that were there go out of play."""
    return await write(house, tables.ChangeDice(table=table, dice=tuple(body.dice), box=body.box), key, by)


@router.post(
    "/{table}/schedule-changes",
    **writes(
        tables.ChangeSchedule,
        wire.Table,
        "changeSchedule",
        Refusal.NOT_FOUND,
        Refusal.TABLE_CLOSED,
        Refusal.BETS_RIDING,
    ),
)
async def change_schedule(
    house: TheHouse, key: Key, by: By, table: TableId, *, body: wire.NewSchedule, second: SecondPerson
) -> Response:
    """Let new bets be made by another version of the schedule; what rides is settled by its own."""
    return await write(house, tables.ChangeSchedule(table=table, version=body.version), key, by, second)


@router.post(
    "/{table}/closings",
    **writes(
        tables.CloseTable,
        wire.TableClosed,
        "closeTable",
        *(Refusal.NOT_FOUND, Refusal.TABLE_CLOSED, Refusal.BETS_RIDING, Refusal.INSUFFICIENT_FUNDS),
    ),
)
async def close_table(house: TheHouse, key: Key, by: By, table: TableId) -> Response:
    """Close a table: its float goes to the vault, its dice and box out of play."""
    return await write(house, tables.CloseTable(table=table), key, by)
