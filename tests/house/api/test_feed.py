"""The feed over a real socket: events of server-sent events, resumed where a client left off."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest

from house.app import create_app
from house.domain.people import Role
from house.service import cage
from house.service.access import admit
from house.service.desk import House, open_house, perform
from house.service.people import RevokeApiKey
from house.settings import load_settings
from house.store import records
from tests.house.api.serving import listening


@dataclass
class Served:
    """An application on a port, and its house."""

    house: House
    port: int
    key: str
    keys: int = 0

    def write(self, count: int = 1) -> int:
        """Make records; the number of the last."""
        for _ in range(count):
            self.keys += 1
            perform(self.house, cage.FundHouse(amount_minor=1), f"feed-{self.keys}")
        return self.house.writer.size - 1


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path_factory.mktemp('feed') / 'house.db'}"
    settings = replace(load_settings(environment={}), database=url)
    with open_house(url) as house:
        app = create_app(settings, house)
        _, key = admit(house, "watch", (Role.SURVEILLANCE,), 1, "key-of-watch")
        with listening(app) as port:
            yield Served(house, port, key)


@dataclass
class Following:
    """An open feed."""

    connection: HTTPConnection
    answer: HTTPResponse

    def events(self, count: int) -> list[dict[str, str]]:
        """Read so many events: their fields."""
        found: list[dict[str, str]] = []
        event: dict[str, str] = {}
        while len(found) < count:
            read = self.answer.readline()
            assert read, f"the feed ended after {found}"
            line = read.decode().rstrip("\n")
            name, separator, value = line.partition(": ")
            if separator:
                event[name] = value
            elif event:
                found.append(event)
                event = {}
        return found


@pytest.fixture
def follow(served: Served) -> Iterator[Any]:
    opened: list[HTTPConnection] = []

    def start(query: str = "", **headers: str) -> Following:
        connection = HTTPConnection("127.0.0.1", served.port, timeout=10)
        opened.append(connection)
        named = {"Authorization": f"Bearer {served.key}"}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", f"/v1/feed{query}", headers=named)
        return Following(connection, connection.getresponse())

    yield start
    for connection in opened:
        connection.close()


def test_a_client_is_told_where_it_is_and_then_each_record(served: Served, follow: Any) -> None:
    last = served.write()
    client = follow()
    assert client.answer.headers["content-type"].startswith("text/event-stream")
    assert client.answer.headers["cache-control"] == "no-store"
    assert client.events(1) == [{"id": str(last), "retry": "1000"}]
    served.write(2)
    one, two = client.events(2)
    assert (one["id"], two["id"]) == (str(last + 1), str(last + 2))
    assert one["event"] == "cage"
    told = json.loads(one["data"])
    assert {name: told[name] for name in ("record", "kind", "table")} == {
        "record": last + 1,
        "kind": "cage",
        "table": None,
    }
    assert set(told) == {"record", "kind", "table", "at_us", "gaming_day"}


def test_the_id_of_the_last_event_goes_before_after(served: Served, follow: Any) -> None:
    last = served.write(5)
    client = follow("?after=0", Last_Event_ID=str(last - 2))
    assert [event["id"] for event in client.events(3)] == [str(last - 2), str(last - 1), str(last)]


def test_whole_records_are_told_as_they_are_hashed(served: Served, follow: Any) -> None:
    last = served.write()
    _, event = follow(f"?after={last - 1}&records=true").events(2)
    with served.house.read() as connection:
        (kept,) = records.stored(connection, last, last + 1)
    assert event["data"] == kept.text


def test_a_dealer_follows_what_happens_but_not_whole_records(served: Served, follow: Any) -> None:
    _, key = admit(served.house, "dealer", (Role.DEALER,), 1, "key-of-dealer")
    last = served.write()
    dealer = {"Authorization": f"Bearer {key}"}
    assert [event["id"] for event in follow(f"?after={last - 1}", **dealer).events(2)] == [str(last - 1), str(last)]
    answer = follow(f"?after={last - 1}&records=true", **dealer).answer
    assert (answer.status, json.loads(answer.read())["code"]) == (403, "not_allowed")


def test_a_feed_ends_when_the_key_that_follows_is_revoked(served: Served, follow: Any) -> None:
    given, key = admit(served.house, "watch-2", (Role.SURVEILLANCE,), 1, "key-of-watch-2")
    client = follow("?records=true", Authorization=f"Bearer {key}")
    client.events(1)
    perform(served.house, RevokeApiKey(prefix=given.prefix), "revoke-watch-2")
    served.write()
    assert b"key_revoked" not in client.answer.read()


def test_nobody_follows_without_a_token_and_none_is_taken_from_the_address(served: Served, follow: Any) -> None:
    for query in ("", f"?access_token={served.key}", f"?token={served.key}"):
        answer = follow(query, Authorization="").answer
        assert answer.status == 401


@pytest.mark.parametrize(
    ("query", "headers", "pointer"),
    [
        ("?after=-2", {}, "/query/after"),
        ("?after=99999999", {}, "/after"),
        ("?after=x", {}, "/query/after"),
        ("", {"Last_Event_ID": "x"}, "/header/last-event-id"),
        ("?kind=A%20B", {}, "/query/kind/0"),
        ("?table=a%20b", {}, "/query/table"),
        ("?" + "&".join(["kind=throw"] * 33), {}, "/query/kind"),
    ],
)
def test_a_feed_that_cannot_be_is_a_problem(follow: Any, query: str, headers: dict[str, str], pointer: str) -> None:
    answer = follow(query, **headers).answer
    assert (answer.status, answer.headers["content-type"]) == (422, "application/problem+json")
    assert json.loads(answer.read())["errors"][0]["pointer"].lower() == pointer
