"""Check the throws that a Floorman house drew, with nothing of the house's: one file, the standard library alone.

    python verify_fair.py PROOF.json [PROOF.json ...]   check what the house answers at /v1/seeds/COMMITMENT
    python verify_fair.py --seed HEX --client TEXT --nonce 0 --dice 2   show one throw, and the seed's commitment

Before you play, write down the commitment that the house shows you, then name a seed of your own. When the house has
revealed its seed, save the pages of its proof and check them here, with --commitment and --client as you wrote them
down.
Exit codes: 0 the throws are those the seeds make, 1 they are not, 2 the proof could not be read.
"""

import argparse
import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

DOMAIN = b"floorman seed commitment 1\n"


def commitment(seed: bytes) -> str:
    """Return what the house published before it knew the player's seed: SHA-256 of a domain and the seed."""
    return hashlib.sha256(DOMAIN + seed).hexdigest()


def throw(seed: bytes, client: str, nonce: int, dice: int) -> list[int]:
    """Return the faces of a throw: bytes of HMAC-SHA256 below 252, modulo 6, plus 1; block after block."""
    faces: list[int] = []
    cursor = 0
    while len(faces) < dice:
        block = hmac.new(seed, f"{client}:{nonce}:{cursor}".encode(), hashlib.sha256).digest()
        faces.extend(byte % 6 + 1 for byte in block if byte < 252)
        cursor += 1
    return faces[:dice]


def faults(pages: list[dict[str, Any]], noted: str | None, client: str | None) -> list[str]:
    """List what does not hold in the pages of one seed's proof.

    Parameters
    ----------
    noted, client
        The commitment and the seed that the player wrote down, where he did.
    """
    first = pages[0]
    if any(page[name] != first[name] for page in pages for name in ("commitment", "seed", "throws")):
        return ["the pages are not of one proof"]
    seed = bytes.fromhex(first["seed"])
    found = []
    if commitment(seed) != first["commitment"]:
        found.append(f"the seed is not the one promised: its commitment is {commitment(seed)}")
    if noted not in (None, first["commitment"]):
        found.append(f"the commitment is not the one you wrote down: {first['commitment']}")
    draws = sorted((draw for page in pages for draw in page["draws"]), key=lambda draw: draw["nonce"])
    nonces = [draw["nonce"] for draw in draws]
    if nonces != list(range(first["throws"])):
        found.append(f"{first['throws']} throws were drawn, and the proof holds {len(nonces)} or others")
    for draw in draws:
        due = throw(seed, draw["client"], draw["nonce"], len(draw["faces"]))  # none where a bet was taken back
        if draw["faces"] != due:
            found.append(f"nonce {draw['nonce']}: the house showed {draw['faces']}, the seeds make {due}")
        if client not in (None, draw["client"]):
            found.append(f"nonce {draw['nonce']}: the client seed is not yours: {draw['client']!r}")
    return found


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proofs", nargs="*", metavar="PROOF.json", help="pages of one seed's proof")
    parser.add_argument("--commitment", help="the commitment that you wrote down")
    parser.add_argument("--client", help="your own seed")
    parser.add_argument("--seed", help="a revealed seed of the house, in hex")
    parser.add_argument("--nonce", type=int, help="which throw under the seed, from 0")
    parser.add_argument("--dice", type=int, default=2, help="dice of the throw (2)")
    chosen = parser.parse_args()
    single = None not in (chosen.seed, chosen.client, chosen.nonce)
    if single == bool(chosen.proofs):
        parser.error("give files of a proof, or --seed, --client and --nonce")
    return chosen


def main() -> int:
    """Run the command line and return its exit code."""
    chosen = arguments()
    try:
        if not chosen.proofs:
            seed = bytes.fromhex(chosen.seed)
            print("commitment", commitment(seed))
            print("faces", *throw(seed, chosen.client, chosen.nonce, chosen.dice))
            return int(chosen.commitment not in (None, commitment(seed)))
        pages = [json.loads(Path(name).read_text(encoding="utf-8")) for name in chosen.proofs]
        if any(page["seed"] is None for page in pages):
            print("the house has not revealed this seed yet", file=sys.stderr)
            return 2
        found = faults(pages, chosen.commitment, chosen.client)
    except (OSError, ValueError, TypeError, KeyError) as error:
        print(f"the proof cannot be read: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    for fault in found:
        print("WRONG:", fault)
    if not found:
        untold = sum(not draw["faces"] for page in pages for draw in page["draws"])
        told = f", {untold} of them reserved and never thrown" if untold else ""
        print(f"{pages[0]['throws']} throws are those the seeds make{told}; commitment {pages[0]['commitment']}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
