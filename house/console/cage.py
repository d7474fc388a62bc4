"""The cage: players and their money, limits and markers, and the house's own money."""

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from house.console import shell
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.limits import Measure, Span
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import cage, limits, markers
from house.service.desk import Command, House, check_allowed
from house.service.solvency import Vault

router = APIRouter(prefix="/cage")

PAGE = 100
"""Players that are listed at once."""


@router.get("")
def show_cage(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Show the house's money and its players, with the window for buy-ins and cash-outs."""
    return _cage(request, house, visitor)


def _cage(request: Request, house: House, visitor: Visit, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.BOOKS_READ)
    after, asked = request.query_params.get("after", "")[:64], request.query_params.get("player", "")[:64]
    found = cage.players(house, after, PAGE + 1)
    return shell.page(
        request,
        visitor,
        "cage/cage.html",
        posted=posted,
        vault=cage.vault(house),
        tokes=cage.tokes(house),
        players=[(one, cage.balance(house, one.player)) for one in found[:PAGE]],
        following=found[PAGE - 1].player if len(found) > PAGE else "",
        asked=asked,
    )


@router.get("/find")
def find_player(request: Request, house: TheHouse, visitor: Visitor, player: str = "") -> Response:
    """Go to a player's page."""
    check_allowed(visitor.actor, Scope.BOOKS_READ)
    return shell.back(request, visitor, shell.address("/cage/players", player.strip()[:64] or "-"))


@router.post("/{event}")
def move(request: Request, house: TheHouse, visitor: Visitor, form: Form, event: str) -> Response:
    """Carry out what the window asked for: money of players, or of the house."""
    if event not in EVENTS:
        raise Refused(Refusal.NOT_FOUND, "the cage has no such window")

    def shows(posted: Posted) -> HTMLResponse:
        if posted.name.startswith("own-"):
            return _player(request, house, visitor, posted.optional("player"), posted)
        return _cage(request, house, visitor, posted)

    player = form.optional("player")
    to = shell.address("/cage/players", player) if form.name.startswith("own-") or event == "players" else "/cage"
    make, said = EVENTS[event]
    amount = shell.amount_of(request, form)
    return shell.carry_out(
        request, visitor, form, make, to=to, said=said.format(player=player, amount=amount), shows=shows
    )


def _buy_in(form: Posted) -> Command[cage.Balance]:
    return cage.BuyIn(player=form.text("player"), amount_minor=form.money("amount_minor"))


def _cash_out(form: Posted) -> Command[cage.Balance]:
    return cage.CashOut(player=form.text("player"), amount_minor=form.money("amount_minor"))


def _toke(form: Posted) -> Command[cage.Balance]:
    return cage.Toke(player=form.text("player"), amount_minor=form.money("amount_minor"))


def _register(form: Posted) -> Command[cage.Player]:
    return cage.RegisterPlayer(player=form.text("player"), name=form.text("name"))


def _fund(form: Posted) -> Command[Vault]:
    return cage.FundHouse(amount_minor=form.money("amount_minor"))


def _withdraw(form: Posted) -> Command[Vault]:
    return cage.WithdrawCapital(amount_minor=form.money("amount_minor"))


def _pay_tokes(form: Posted) -> Command[cage.TokeBox]:
    return cage.PayTokes(amount_minor=form.money("amount_minor"))


def _line(form: Posted) -> Command[markers.Credit]:
    return markers.SetCreditLine(player=form.text("player"), line_minor=form.money("line_minor"))


def _marker(form: Posted) -> Command[markers.Credit]:
    table = form.optional("table") or None
    return markers.IssueMarker(player=form.text("player"), amount_minor=form.money("amount_minor"), table=table)


def _redeem(form: Posted) -> Command[markers.Credit]:
    cash = form.optional("cash") != "wallet"
    return markers.RedeemMarker(player=form.text("player"), amount_minor=form.money("amount_minor"), cash=cash)


def _which(form: Posted) -> tuple[Measure, Span]:
    """The limit that a form names, like "deposit day". Refused: BAD_VALUE."""
    measure, _, span = form.text("which").partition(" ")
    try:
        return Measure(measure), Span(span)
    except ValueError:
        raise Refused(Refusal.BAD_VALUE, "which must be a limit of this house", "which") from None


def _limit(form: Posted) -> Command[limits.PlayerLimits]:
    measure, span = _which(form)
    amount = form.money("amount_minor") if form.optional("amount_minor") else None
    return limits.SetLimit(player=form.text("player"), measure=measure, span=span, amount_minor=amount)


def _confirm(form: Posted) -> Command[limits.PlayerLimits]:
    measure, span = _which(form)
    return limits.ConfirmLimit(player=form.text("player"), measure=measure, span=span)


def _exclude(form: Posted) -> Command[limits.PlayerLimits]:
    days = form.whole("days") if form.optional("days") else None
    return limits.ExcludePlayer(player=form.text("player"), days=days)


def _readmit(form: Posted) -> Command[limits.PlayerLimits]:
    return limits.ReadmitPlayer(player=form.text("player"))


EVENTS: Mapping[str, tuple[Callable[[Posted], Command[Any]], str]] = {
    "buy-ins": (_buy_in, "{player} bought in for {amount}."),
    "cash-outs": (_cash_out, "{player} is paid {amount}."),
    "tokes": (_toke, "{amount} of {player} to the dealers."),
    "players": (_register, "{player} is registered."),
    "funds": (_fund, "{amount} put into the vault."),
    "withdrawals": (_withdraw, "{amount} taken out of the house."),
    "toke-payments": (_pay_tokes, "{amount} paid to the dealers."),
    "credit-lines": (_line, "The credit line of {player} is set."),
    "markers": (_marker, "Marker of {player} for {amount}."),
    "redemptions": (_redeem, "{player} paid {amount} back."),
    "limits": (_limit, "The limit of {player} is noted."),
    "confirmations": (_confirm, "The raise of {player} is in force."),
    "exclusions": (_exclude, "{player} is kept from play."),
    "readmissions": (_readmit, "{player} may play again."),
}
"""Last word of an address: how its form becomes a command, and what the next page says."""


@router.get("/players/{player}")
def show_player(request: Request, house: TheHouse, visitor: Visitor, player: str) -> HTMLResponse:
    """Show a player: money, limits, markers."""
    return _player(request, house, visitor, player)


def _player(request: Request, house: House, visitor: Visit, player: str, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.BOOKS_READ)
    return shell.page(
        request,
        visitor,
        "cage/player.html",
        posted=posted,
        player=cage.player(house, player),
        balance=cage.balance(house, player),
        limits=limits.limits(house, player),
        credit=markers.credit(house, player),
        measures=[(f"{measure} {span}", f"{measure} a {span}") for measure in Measure for span in Span],
    )
