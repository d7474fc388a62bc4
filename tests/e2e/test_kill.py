"""A server that is killed in the middle of play starts again with nothing lost and nothing doubled."""

import json
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

import pytest

from house.demo import craps, doors, hooligan
from house.demo.habits import HABITS
from house.demo.script import Answer, Ask, play
from house.demo.story import schedules
from tests.e2e.servers import START_S, all_signed
from tests.figures import Figure

CASHIERS = 2


def asker(client: Any) -> Callable[[Ask], Answer]:
    """The transport of a script over a stubborn client; what two people receive is there already."""

    def send(ask: Ask) -> Answer:
        if ask.approved:
            return {}
        answer: Answer = client.post(ask.path, **ask.body) if ask.method == "POST" else client.get(ask.path)
        return answer

    return send


def buy_in_and_cash_out(client: Any, until: threading.Event) -> int:
    """Bring and take money until told to stop; what the wallet must hold."""
    player, wallet, rng = client.name, 0, Random(client.name)
    client.post("/players", player=player, name=player)
    while not until.is_set():
        amount = rng.randrange(1, 500)
        if amount <= wallet and rng.random() < 0.4:
            client.post(f"/players/{player}/cash-outs", amount_minor=amount)
            wallet -= amount
        else:
            client.post(f"/players/{player}/buy-ins", amount_minor=amount)
            wallet += amount
    return wallet


def play_and_kill(server: Any, stubborn: Any, kills: int) -> list[Any]:
    """Play both tables and the cage at once while the server is killed; check balances and return the clients."""
    house, done = stubborn("house"), threading.Event()
    people = {player: player for player in (*HABITS, *hooligan.PLAYERS)}
    play(doors.opening(people, dict.fromkeys(people, craps.BUY_IN)), asker(house))
    dealers = [stubborn("craps"), stubborn("hooligan")]
    cashiers = [stubborn(f"cashier-{number}") for number in range(CASHIERS)]
    counter = schedules()[1]

    class Enough(Exception):
        """The kills are over."""

    def until_done(_: int) -> None:
        if done.is_set():
            raise Enough

    def deal(client: Any, script: Any) -> None:
        try:
            play(script, asker(client))
        except Enough:
            return

    long = craps.Evening(shooters=10**6, cheat_from=10**6), hooligan.Evening(games=10**6, cheat_from=10**6)
    at_craps = craps.evening(long[0], rng=Random(1), progress=until_done)
    policies = hooligan.policies(counter)
    at_hooligan = hooligan.evening(long[1], counter.rules, policies, rng=Random(2), progress=until_done)
    pauses = random.Random(kills)
    with ThreadPoolExecutor(len(dealers) + CASHIERS) as pool:
        tables = [pool.submit(deal, dealers[0], at_craps), pool.submit(deal, dealers[1], at_hooligan)]
        wallets = [pool.submit(buy_in_and_cash_out, client, done) for client in cashiers]
        for _ in range(kills):
            time.sleep(pauses.uniform(0.3, 1.5))
            server.restart_after_kill()
        time.sleep(0.3)
        done.set()
        for table in tables:
            table.result()
        held = [wallet.result() for wallet in wallets]
    assert [house.get(f"/players/{client.name}")["wallet_minor"] for client in cashiers] == held
    return [house, *dealers, *cashiers]


def check_nothing_lost_or_doubled(clients: list[Any]) -> None:
    """Every acknowledged answer is replayed byte for byte, throws are dense, and the books are sound."""
    house = clients[0]
    for client in clients:
        for path, key, body, answer in client.journal.lines:
            assert house.again("POST", path, body, key) == (201, answer)
    for table in doors.OPENERS:
        numbers = [
            house_answer["throw"]
            for client in clients
            for path, house_answer in answers(client)
            if path == f"/tables/{table}/throws"
        ]
        assert sorted(numbers) == list(range(house.get(f"/tables/{table}")["next_throw"]))
    checked = house.get("/reports/check")
    assert checked["discrepancies"] == []
    assert house.get("/reports/trial-balance")["difference_minor"] == 0


def answers(client: Any) -> list[tuple[str, Any]]:
    """Path and answer of every acknowledged write."""
    return [(path, json.loads(answer)) for path, _, _, answer in client.journal.lines]


def test_a_kill_in_play_loses_and_doubles_nothing_and_all_is_signed_at_the_end(
    server: Any, stubborn: Any, tmp_path: Path
) -> None:
    clients = play_and_kill(server, stubborn, kills=1)
    check_nothing_lost_or_doubled(clients)
    assert server.end(signal.SIGINT) == 0
    assert all_signed(server, tmp_path / "out") > len(clients)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_fifty_kills_in_play_lose_and_double_nothing(server: Any, stubborn: Any, figure: Figure) -> None:
    clients = play_and_kill(server, stubborn, kills=50)
    check_nothing_lost_or_doubled(clients)
    figure("R2", kills=50, acknowledged=sum(len(client.journal.lines) for client in clients), lost=0, doubled=0)


def test_a_server_told_to_stop_finishes_and_signs_what_it_took_and_ends_its_feeds(
    server: Any, stubborn: Any, tmp_path: Path
) -> None:
    clients = [stubborn(f"stopper-{number}") for number in range(4)]
    stop = threading.Event()
    feed = HTTPConnection("127.0.0.1", server.port, timeout=START_S)
    feed.request("GET", "/v1/feed", headers={"Authorization": f"Bearer {server.key}"})
    followed = feed.getresponse()
    assert followed.status == 200
    with ThreadPoolExecutor(len(clients)) as pool:
        wallets = [pool.submit(buy_in_and_cash_out, client, stop) for client in clients]
        time.sleep(1)
        assert server.end(signal.SIGTERM) in (0, -signal.SIGTERM)
        assert followed.read().endswith(b"\n\n")  # it ended, and no event was cut off
        feed.close()
        assert all_signed(server, tmp_path / "out") > 0
        server.start()
        stop.set()
        held = [wallet.result() for wallet in wallets]
    assert [client.get(f"/players/{client.name}")["wallet_minor"] for client in clients] == held
