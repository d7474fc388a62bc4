"""The history: how far it is signed, what happened last, and how anybody checks it without this house."""

import json

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from house.console import shell, standing
from house.console.session import TheHouse, Visitor
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import proofs
from house.service.desk import check_allowed

router = APIRouter(prefix="/history")

LAST = 50
"""Records that are shown at once."""


@router.get("")
def show_history(request: Request, house: TheHouse, visitor: Visitor, before: int | None = None) -> HTMLResponse:
    """Show the last checkpoint and the last records, or those before one."""
    check_allowed(visitor.actor, Scope.HISTORY_READ)
    end = min(proofs.records_in(house), 2**53 if before is None else max(before, 0))
    start = max(end - LAST, 0)
    try:
        signed = proofs.checkpoint(house)
    except Refused:
        signed = None
    return shell.page(
        request,
        visitor,
        "history/history.html",
        signed=signed,
        records=[(one, json.loads(one.text)) for one in reversed(proofs.page(house, start - 1, end - start))],
        start=start,
        history=standing.of(house),
    )


@router.get("/checkpoint")
def checkpoint(house: TheHouse, visitor: Visitor) -> PlainTextResponse:
    """Give the last checkpoint as it was signed, to be kept elsewhere."""
    check_allowed(visitor.actor, Scope.HISTORY_READ)
    headers = {**shell.HEADERS, "Content-Disposition": 'attachment; filename="checkpoint.txt"'}
    return PlainTextResponse(proofs.checkpoint(house).note, headers=headers)


@router.get("/records/{number}")
def show_record(request: Request, house: TheHouse, visitor: Visitor, number: int) -> HTMLResponse:
    """Show a record as it is hashed, and the proof that it is in the signed tree."""
    check_allowed(visitor.actor, Scope.HISTORY_READ)
    found = proofs.page(house, number - 1, 1) if 0 <= number < 2**53 else ()
    if not found or found[0].record != number:
        raise Refused(Refusal.NOT_FOUND, "the history has no record of this number", "record")
    try:
        proof = proofs.inclusion(house, number)
    except Refused:
        proof = None
    body = json.loads(found[0].text)
    return shell.page(
        request,
        visitor,
        "history/record.html",
        record=found[0],
        body=body,
        pretty=json.dumps(body, indent=2, ensure_ascii=False),
        proof=proof,
    )
