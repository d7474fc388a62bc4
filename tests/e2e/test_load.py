"""Sixty-four clients at once: every request is answered, none stalls, the books balance."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

CLIENTS, REQUESTS = 64, 6
BUY_IN = 1_00


@pytest.mark.soak
def test_sixty_four_clients_are_all_served(server: Any, stubborn: Any) -> None:
    # A stalled request would pass the 60 s of the client's time-out and fail there.
    clients = [stubborn(f"crowd-{number}") for number in range(CLIENTS)]

    def visit(client: Any) -> int:
        client.post("/players", player=client.name, name=client.name)
        for _ in range(REQUESTS):
            client.post(f"/players/{client.name}/buy-ins", amount_minor=BUY_IN)
        wallet: int = client.get(f"/players/{client.name}")["wallet_minor"]
        return wallet

    with ThreadPoolExecutor(CLIENTS) as pool:
        wallets = list(pool.map(visit, clients))
    assert wallets == [REQUESTS * BUY_IN] * CLIENTS
    trial = clients[0].get("/reports/trial-balance")
    assert trial["difference_minor"] == 0
    assert sum(line["balance_minor"] for line in trial["accounts"] if line["account"] == "cage:deposits") == (
        CLIENTS * REQUESTS * BUY_IN
    )
