"""The house's own generator: promises, the player's seeds, draws, proofs and the program that checks them."""

from importlib.resources import files
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from house.api import problems
from house.api.bodies import Once
from house.api.deps import AfterNumber, By, Key, Limit, TheHouse, reads, shown, write, writes
from house.api.schemas import fairness as wire
from house.api.schemas.fields import PlayerId, TableId
from house.api.schemas.pages import PAGE
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import fairness, generator

router = APIRouter(tags=["fairness"], route_class=Once)

CHANGES = (Refusal.NOT_FOUND, Refusal.ALREADY_EXISTS, Refusal.NO_SEEDS, Refusal.BETS_RIDING, Refusal.STATE_CHANGED)
VERIFIER = files("house").joinpath("verify_fair.py").read_text(encoding="utf-8")


@router.post(
    "/players/{player}/seeds",
    **writes(generator.CommitSeeds, wire.Seeds, "commitSeeds", Refusal.NOT_FOUND, Refusal.ALREADY_EXISTS),
)
async def commit_seeds(house: TheHouse, key: Key, by: By, player: PlayerId) -> Response:
    """Make a player's first two seeds of the house and publish their commitments."""
    return await write(house, generator.CommitSeeds(player=player), key, by)


@router.get(
    "/players/{player}/seeds",
    **reads(wire.Seeds, "showSeeds", Refusal.NOT_FOUND, Refusal.NO_SEEDS, scope=Scope.PIT_READ),
)
def show_seeds(house: TheHouse, player: PlayerId) -> wire.Seeds:
    """Show the commitments of a player's seeds, his own seed, and the count of the next throw."""
    return shown(wire.Seeds, generator.seeds(house, player))


@router.post("/players/{player}/client-seeds", **writes(generator.SetClientSeed, wire.Seeds, "setClientSeed", *CHANGES))
async def set_client_seed(house: TheHouse, key: Key, by: By, player: PlayerId, body: wire.NewClientSeed) -> Response:
    """Take the player's own seed for the commitment in use."""
    return await write(house, body.command(player), key, by)


@router.post("/players/{player}/reveals", **writes(generator.RevealSeed, wire.Revealed, "revealSeed", *CHANGES))
async def reveal_seed(house: TheHouse, key: Key, by: By, player: PlayerId, body: wire.NewReveal) -> Response:
    """Publish the seed in use, take the player's own for the next, and commit to one after that."""
    return await write(house, body.command(player), key, by)


@router.post(
    "/tables/{table}/draws",
    **writes(
        generator.Draw,
        wire.Drawn,
        "drawThrow",
        *(Refusal.NOT_FOUND, Refusal.TABLE_CLOSED, Refusal.WRONG_GAME, Refusal.WRONG_METHOD),
        *(Refusal.NOT_IN_PLAY, Refusal.BAD_CHOICE, Refusal.NOT_YOUR_TURN, Refusal.NO_SEEDS),
        Refusal.INSUFFICIENT_FUNDS,
    ),
)
async def draw_throw(house: TheHouse, key: Key, by: By, table: TableId, body: wire.NewDraw) -> Response:
    """Let the house draw a throw and settle it, under the seeds of the one who has the dice."""
    return await write(house, generator.Draw(table=table, choice=body.choice), key, by)


@router.get("/seeds/{commitment}", **reads(wire.Proof, "showProof", Refusal.NOT_FOUND, scope=Scope.PIT_READ))
def show_proof(
    request: Request, house: TheHouse, commitment: wire.Commitment, after: AfterNumber = -1, limit: Limit = PAGE
) -> wire.Proof:
    """Show a seed by its commitment, the seed itself once it is revealed, and the throws that it drew."""
    page = shown(wire.Proof, fairness.proof(house, commitment, after, limit))
    if not page.draws or page.draws[-1].nonce + 1 == page.throws:
        return page
    following = urlencode({"after": page.draws[-1].nonce, "limit": limit})
    return page.model_copy(update={"next": f"{request.url.path}?{following}"})


@router.get(
    "/verify_fair.py",
    operation_id="showVerifier",
    response_class=PlainTextResponse,
    responses=problems.documented(),
)
async def show_verifier() -> str:
    """Fetch the program with which a player checks a proof: one file, Python's standard library alone."""
    return VERIFIER
