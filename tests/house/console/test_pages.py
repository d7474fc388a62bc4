"""What every page of the console holds to: who may see it, what it lets a browser do, which forms it takes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient
from httpx2 import Client, Response
from starlette.routing import BaseRoute

from house.app import create_app
from house.console import ROUTERS, shift
from house.domain.people import Role
from house.service import access
from house.service.access import hashed
from house.service.cage import BuyIn, FundHouse, RegisterPlayer
from house.service.desk import perform
from house.service.people import AddPerson
from house.settings import load_settings
from tests.house.api.serving import listening

PASSWORD = "ankle deep in chips"
OPEN = {"/sign-in", "/first-run", "/first-run/sample"}
"""Addresses before the door."""
NAMES = {
    "table": "no-table",
    "player": "ann",
    "person": "carl",
    "number": "1",
    "name": "sheet",
    "prefix": "p",
    "event": "e",
}


@pytest.fixture(scope="module")
def app_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of an application whose house has a cage clerk, a dealer and a player."""
    file: Path = tmp_path_factory.mktemp("pages") / "house.db"
    settings = load_settings(environment={}, options={"--database": f"sqlite:///{file}"})
    with TestClient(create_app(settings), follow_redirects=False) as client:
        house = client.app.state.house  # type: ignore[attr-defined]
        for person, role in (("carl", Role.CAGE), ("dora", Role.DEALER)):
            password = hashed(house, PASSWORD, person, person)
            perform(house, AddPerson(person=person, name=person, roles=(role,), password_hash=password), person)
        perform(house, FundHouse(amount_minor=1_000_00), "fund")
        perform(house, RegisterPlayer(player="ann", name="<b>Ann</b>"), "ann")
        perform(house, BuyIn(player="ann", amount_minor=100_00), "buy")
        yield client


@pytest.fixture
def client(app_client: TestClient) -> TestClient:
    """The client, with an empty jar."""
    app_client.cookies.jar.clear()
    return app_client


def field(page: Response, name: str) -> str:
    """Value of a page's first hidden field of a name."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page.text)
    assert found is not None, page.text
    return found[1]


def sign_in(client: TestClient, person: str) -> None:
    page = client.get("/sign-in")
    body = {"csrf": field(page, "csrf"), "form": "sign-in", "person": person, "password": PASSWORD}
    assert client.post("/sign-in", data=body).status_code == 303


def addresses(method: str) -> list[str]:
    """Addresses of the console that take a method, their parameters filled in."""
    routes: list[BaseRoute] = [route for router in ROUTERS for route in router.routes]
    found = [route.path for route in routes if method in getattr(route, "methods", ())]  # type: ignore[attr-defined]
    return [re.sub(r"\{(\w+)\}", lambda word: NAMES.get(word[1], "x"), path) for path in found]


@pytest.mark.parametrize("address", addresses("GET"))
def test_nobody_sees_a_page_before_he_is_signed_in(client: TestClient, address: str) -> None:
    answer = client.get(address)
    if address in OPEN:
        assert answer.status_code in (200, 303)
    else:
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("address", addresses("POST"))
def test_no_form_is_taken_without_its_token(client: TestClient, address: str) -> None:
    sign_in(client, "carl")
    assert client.post(address, data={"csrf": "0" * 64, "form": "x", "key": "k"}).status_code == 403


def test_a_page_lets_a_browser_run_and_frame_nothing_of_others(client: TestClient) -> None:
    sign_in(client, "carl")
    answer = client.get("/cage")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"
    assert "&lt;b&gt;Ann&lt;/b&gt;" in answer.text
    assert not re.search(r"<script(?![^>]*src=)|\sstyle=|\son[a-z]+=", answer.text)


def test_cookies_are_for_this_house_and_no_script_alone(client: TestClient) -> None:
    page = client.get("/sign-in")
    body = {"csrf": field(page, "csrf"), "form": "sign-in", "person": "carl", "password": PASSWORD}
    left = client.post("/sign-in", data=body).headers.get_list("set-cookie")
    assert len(left) == 2
    assert all("HttpOnly" in one and "SameSite=strict" in one and "Secure" not in one for one in left)
    secure = client.get("https://testserver/sign-in").headers.get_list("set-cookie")
    assert all("Secure" in one for one in secure)


def test_signing_in_gives_the_forms_a_new_secret(client: TestClient) -> None:
    before = field(client.get("/sign-in"), "csrf")
    sign_in(client, "carl")
    assert field(client.get("/cage"), "csrf") != before


def test_a_form_that_comes_twice_is_carried_out_once(client: TestClient) -> None:
    sign_in(client, "carl")
    page = client.get("/cage/players/ann")
    body = {
        "csrf": field(page, "csrf"),
        "key": field(page, "key"),
        "form": "own-window",
        "player": "ann",
        "amount_minor": "1",
    }
    before = money(client)
    assert [client.post("/cage/buy-ins", data=body).status_code for _ in range(2)] == [303, 303]
    assert money(client) == before + 1_00


def money(client: TestClient) -> int:
    page = client.get("/cage/players/ann").text
    found = re.search(r"<dt>Wallet</dt><dd>\$([\d,.]+)", page)
    assert found is not None
    return int(found[1].replace(",", "").replace(".", ""))


def test_a_refused_form_comes_back_as_it_was_typed_with_a_new_key(client: TestClient) -> None:
    sign_in(client, "carl")
    page = client.get("/cage")
    body = {"csrf": field(page, "csrf"), "key": "first", "form": "window", "player": "nobody", "amount_minor": "1,5x"}
    answer = client.post("/cage/buy-ins", data=body)
    assert answer.status_code == 422
    assert 'value="nobody"' in answer.text
    assert 'value="1,5x"' in answer.text
    assert "must be an amount like 12.50" in answer.text
    assert field(answer, "key") != "first"
    answer = client.post("/cage/buy-ins", data={**body, "amount_minor": "15"})
    assert answer.status_code == 422
    assert "No player with this id is registered" in answer.text


def test_whoever_may_not_gets_a_page_that_says_so(client: TestClient) -> None:
    sign_in(client, "dora")
    answer = client.get("/cage")
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/html")
    token = field(client.get("/me"), "csrf")
    body = {"csrf": token, "form": "window", "key": "k2", "player": "ann", "amount_minor": "1"}
    assert client.post("/cage/buy-ins", data=body).status_code == 403


def test_the_api_keeps_its_own_problems(client: TestClient) -> None:
    assert client.get("/v1/nowhere").headers["content-type"] == "application/problem+json"
    assert client.get("/nowhere").headers["content-type"].startswith("text/html")
    assert client.get("/nowhere").status_code == 404


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
LARGE = b"x" * 400_000


def test_a_browser_that_is_turned_away_gets_a_page_and_a_program_a_problem(client: TestClient) -> None:
    house = client.app.state.house  # type: ignore[attr-defined]
    settings = replace(load_settings(environment={}), sign_ins_per_min=1, check_minutes=0)
    with listening(create_app(settings, house)) as port, Client(base_url=f"http://127.0.0.1:{port}") as other:
        large = other.post(
            "/cage/buy-ins", content=LARGE, headers=BROWSER
        )  # on a real socket: read before it is answered
        early, late = (other.post("/sign-in", data={}, headers=BROWSER) for _ in range(2))
        programs = [
            other.post("/cage/buy-ins", content=LARGE[:140_000]),
            other.post("/v1/players", content=LARGE[:140_000], headers=BROWSER),
            other.post("/v1/tokens", json={}, headers=BROWSER),
            other.post("/sign-in", data={}),
        ]
    assert [answer.status_code for answer in (large, early, late)] == [413, 403, 429]
    for page in (large, late):
        assert page.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert 'href="/"' in page.text
    assert "Go back in your browser, and send less" in large.text
    assert f"Wait {late.headers['retry-after']} seconds, then reload this page" in late.text
    assert [answer.headers["content-type"] for answer in programs] == ["application/problem+json"] * 4
    assert [answer.status_code for answer in programs] == [413, 413, 429, 429]


def test_signed_out_is_signed_out(client: TestClient) -> None:
    sign_in(client, "carl")
    (kept,) = [cookie for cookie in client.cookies.jar if "session" in cookie.name]
    page = client.get("/me")
    body = {"csrf": field(page, "csrf"), "form": "sign-out", "key": field(page, "key")}
    assert client.post("/sign-out", data=body).headers["location"] == "/sign-in"
    assert "All your sessions have ended" in client.get("/sign-in").text
    assert client.get("/cage").status_code == 303
    client.cookies.set(kept.name, str(kept.value), domain=kept.domain, path=kept.path)  # as whoever copied it would
    assert client.get("/cage").status_code == 303
    body["csrf"] = field(client.get("/sign-in"), "csrf")
    assert client.post("/sign-out", data=body).headers["location"] == "/sign-in"
    assert "had ended already" in client.get("/sign-in").text


def test_the_code_of_the_first_run_is_good_for_nothing_once_the_house_is_owned(client: TestClient) -> None:
    state, begun = client.app.state, list[str]()  # type: ignore[attr-defined]
    code = access.first_run_code(state.house)

    def ask(form: str, to: str) -> Response:
        body = {
            "csrf": field(client.get("/sign-in"), "csrf"),
            "form": form,
            "key": form,
            "code": code,
            "person": "olga",
        }
        return client.post(to, data={**body, "name": "Olga", "password": PASSWORD, "again": PASSWORD})

    without = ask("sample", "/first-run/sample")
    assert (without.status_code, "started without sample play" in without.text) == (422, True)
    state.sample = SimpleNamespace(state="idle", begin=lambda: begun.append("begun"))
    assert ask("sample", "/first-run/sample").status_code == 303
    access.claim_owner(state.house, str(code), "olga", PASSWORD)
    for form, to in (("sample", "/first-run/sample"), ("claim", "/first-run")):
        late = ask(form, to)
        assert (late.status_code, "This house has an owner" in late.text) == (422, True)
        assert "One-time code" not in late.text
    assert begun == ["begun"]
    state.sample = None


def test_spaces_at_the_ends_of_a_password_belong_to_it(client: TestClient) -> None:
    house = client.app.state.house  # type: ignore[attr-defined]
    padded = f" {PASSWORD} "
    hash_ = hashed(house, padded, "spacer", "spacer")
    perform(house, AddPerson(person="spacer", name="S", roles=(Role.DEALER,), password_hash=hash_), "spacer")
    body = {"csrf": field(client.get("/sign-in"), "csrf"), "form": "sign-in", "person": " spacer ", "password": padded}
    assert client.post("/sign-in", data=body).status_code == 303


@pytest.mark.parametrize("asked", ["//elsewhere.example/x", "https://elsewhere.example", "/\\elsewhere.example"])
def test_signing_in_leads_nowhere_else(client: TestClient, asked: str) -> None:
    page = client.get("/sign-in", params={"next": asked})
    body = {"csrf": field(page, "csrf"), "form": "sign-in", "person": "carl", "password": PASSWORD, "next": asked}
    assert client.post("/sign-in", data=body).headers["location"] == "/"


def test_style_and_script_are_kept_by_their_fingerprint(client: TestClient) -> None:
    page = client.get("/sign-in").text
    for name in ("console.css", "console.js"):
        found = re.search(rf"/static/{name}\?[0-9a-f]{{12}}", page)
        assert found is not None
        answer = client.get(found[0])
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert client.get(f"/static/{name}").headers["cache-control"] == "no-cache"


def test_the_pit_shows_incidents_and_the_bank_to_whoever_may_see_them_alone(client: TestClient) -> None:
    sign_in(client, "carl")
    clerk = client.get("/").text
    assert ">Bank<" in clerk
    assert ">Incidents<" not in clerk
    assert client.get("/live", params={"part": "pit"}).status_code == 403
    sign_in(client, "dora")
    dealer = client.get("/").text
    assert ">Bank<" not in dealer
    assert ">Incidents<" not in dealer
    assert client.get("/live", params={"part": "pit-books"}).status_code == 403


def test_a_long_paper_comes_page_by_page_and_its_files_whole(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shift, "LINES", 3)
    sign_in(client, "carl")
    whole = client.get("/shift/papers/book?form=jsonl").text.splitlines()[1:]
    assert len(whole) > 3
    seen, address = 0, "/shift/papers/book"
    while address:
        page = client.get(address).text
        lines = page[page.index("<tbody>") : page.index("</tbody>")].count("<tr>")
        assert lines <= 3
        seen += lines
        following = re.search(r'href="([^"]+)">Following lines', page)
        address = unescape(following[1]) if following else ""
    assert seen == len(whole)
    assert re.search(r"<td[^>]*>20\d\d-\d\d-\d\d \d\d:\d\d:\d\d</td>", page)  # no microseconds for people
    assert client.get("/shift/papers/book?from=99999999999").status_code == 200


def test_a_paper_says_amounts_as_the_trade_writes_them(client: TestClient) -> None:
    sign_in(client, "carl")
    said = client.get("/shift/papers/statement?player=ann").text
    assert re.search(r"riding after</dt><dd[^>]*>\$1\d\d\.00</dd>", said)


def hidden(page: Response, form: str) -> dict[str, str]:
    """Fields of a form that a browser sends although nobody typed them."""
    sent = page.text[page.text.index(f'id="{form}"') :]
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', sent[: sent.index("</form>")])
    return {name: unescape(value) for name, value in found}


def test_what_was_typed_when_the_session_had_ended_goes_through_the_door_and_is_sent_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(client, "carl")
    typed = {"player": "ann", "amount_minor": "7", "second_password": "secret words", "form": "own-window"}
    body = {"csrf": field(client.get("/cage/players/ann"), "csrf"), "key": "typed-once", **typed}
    before = money(client)
    house = client.app.state.house  # type: ignore[attr-defined]
    with monkeypatch.context() as earlier:
        earlier.setattr(access, "TOKEN_LIFE", timedelta(seconds=-1))
        ended = access.sign_in(house, "carl", PASSWORD).token
    client.cookies.set("floorman-session-http", ended, domain="testserver.local", path="/")

    door = client.post("/cage/buy-ins", data=body, headers={"Referer": "http://testserver/cage/players/ann"})
    assert door.status_code == 401
    assert "secret words" not in door.text
    who = {**hidden(door, "sign-in"), "person": "carl"}
    assert who["next"] == "/cage/players/ann"
    wrong = client.post("/sign-in", data={**who, "password": "not his"})
    assert wrong.status_code == 422
    who = {**hidden(wrong, "sign-in"), "person": "carl"}
    again = client.post("/sign-in", data={**who, "password": PASSWORD})
    assert again.status_code == 200
    assert 'action="/cage/buy-ins"' in again.text
    assert 'type="password" id="again-second_password"' in again.text
    sent = hidden(again, "again")
    assert sent["key"] == "typed-once"
    assert [client.post("/cage/buy-ins", data=sent).status_code for _ in range(2)] == [303, 303]
    assert money(client) == before + 7_00


def test_a_form_of_another_site_is_not_carried_through_the_door(client: TestClient) -> None:
    client.get("/sign-in")
    answer = client.post("/cage/buy-ins", data={"csrf": "0" * 64, "player": "ann", "amount_minor": "7"})
    assert answer.status_code == 401
    assert "carried" not in answer.text
