"""Pages of tables by HTTP: who sees which forms, and that nothing that is typed or altered breaks them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from fastapi.testclient import TestClient

from house.domain.people import Role
from house.service import cage
from tests.house.api.conftest import PASSWORD, Write

CRAPS, COUNTER = "/craps/craps-1", "/hooligan/hooligan-1"


@dataclass
class Visitor:
    """Somebody at the console, without a browser; the token is that of all forms of his."""

    client: TestClient
    token: str = ""

    def get(self, address: str) -> str:
        answer = self.client.get(address)
        assert answer.status_code == 200, answer.text
        return answer.text

    def post(self, address: str, **fields: object) -> int:
        """Send a form with its token; the status of the answer, which is never our own mistake."""
        self.token = self.token or re.findall(r'name="csrf" value="([0-9a-f]+)"', self.get("/me"))[0]
        sent = self.client.post(address, data={"csrf": self.token, **fields}, follow_redirects=False)
        assert sent.status_code < 500, (address, fields, sent.text)
        return sent.status_code


As = Callable[[Role], Visitor]


@pytest.fixture(scope="module")
def as_(client: TestClient, write: Write) -> Iterator[As]:
    """Sign somebody with a role in."""
    known: dict[Role, Visitor] = {}

    def visitor(role: Role) -> Visitor:
        if role not in known:
            person = f"p-{role}".replace("_", "-")
            body = {"person": person, "name": role.title(), "roles": [role.value], "password": PASSWORD}
            assert write("/people", body).status_code == 201
            asked = client.post("/v1/tokens", data={"username": person, "password": PASSWORD})
            cookies = {"floorman-session-http": asked.json()["access_token"]}
            known[role] = Visitor(TestClient(client.app, cookies=cookies))
        return known[role]

    yield visitor
    for each in known.values():
        each.client.close()


def forms(html: str) -> set[str]:
    return set(re.findall(r'<form[^>]* id="([^"]+)"', html))


@pytest.mark.parametrize(
    ("role", "may"),
    [
        (Role.DEALER, {"throw", "bet", "change", "arrive", "leave", "toke"}),
        (Role.BOXMAN, {"throw", "bet", "change", "arrive", "leave", "toke"}),
        (Role.STICKMAN, {"throw"}),
        (Role.SURVEILLANCE, set()),
        (Role.AUDITOR, set()),
        (Role.CAGE, set()),
    ],
)
def test_whoever_looks_at_a_craps_table_sees_the_forms_of_his_role_alone(as_: As, role: Role, may: set[str]) -> None:
    html = as_(role).get(CRAPS)
    assert forms(html) == may
    assert ("<foreignObject" in html) == ("bet" in may)
    assert "PASS LINE" in html


def test_at_a_counter_too(as_: As) -> None:
    assert forms(as_(Role.DEALER).get(COUNTER)) == {"game", "peers", "toke"}
    assert forms(as_(Role.SURVEILLANCE).get(COUNTER)) == set()


def test_a_form_that_a_role_has_not_is_refused_whatever_is_sent(as_: As) -> None:
    watcher = as_(Role.SURVEILLANCE)
    token = re.findall(r'name="csrf" value="([0-9a-f]+)"', watcher.get("/me"))[0]
    fields = {"csrf": token, "player": "ann", "chip": "25.00", "at": "pass:"}
    assert watcher.client.post(f"{CRAPS}/bets", data=fields).status_code == 403


def test_a_form_without_the_token_of_the_page_is_refused(as_: As) -> None:
    dealer = as_(Role.DEALER)
    dealer.get(CRAPS)
    sent = {"player": "ann", "chip": "25.00", "at": "pass:"}
    assert dealer.client.post(f"{CRAPS}/bets", data=sent).status_code == 403


def test_a_table_of_another_game_and_one_that_is_not_there_are_not_found(as_: As) -> None:
    dealer = as_(Role.DEALER)
    for address in ("/craps/hooligan-1", "/hooligan/craps-1", "/craps/nowhere", "/hooligan/%2e%2e"):
        assert dealer.client.get(address).status_code == 404
    assert dealer.post(f"{CRAPS}/nothing") == 404


WRONG = [
    "",
    "place:7",
    "\u0000",
    *(
        pytest.param(word, marks=pytest.mark.soak)
        for word in (" ", ":", "place:", "x" * 5000, "1e400", "-5", "٣", "pass:;DROP", "99999999999999999999")
    ),
]
"""What is typed into every field of a form at once; some of it in the long checks alone."""


@pytest.mark.parametrize(
    "event", ["bets", "presses", "take-downs", "reductions", "odds", "working", "throws", "draws", "tokes"]
)
@pytest.mark.parametrize("wrong", WRONG)
def test_nothing_typed_into_a_form_of_a_craps_table_breaks_it(as_: As, event: str, wrong: str) -> None:
    fields = ("player", "chip", "stake_minor", "amount_minor", "at", "wagers", "face_1", "face_2", "state_1", "die_1")
    assert as_(Role.DEALER).post(f"{CRAPS}/{event}", **dict.fromkeys(fields, wrong)) == 422


@pytest.mark.parametrize("event", ["games", "peer-games", "choices", "throws", "draws", "tokes"])
@pytest.mark.parametrize("wrong", WRONG)
def test_nor_into_one_of_a_counter(as_: As, event: str, wrong: str) -> None:
    fields = ("player", "amount_minor", "players", "decides", "choice", "face_1", "state_1", "die_1")
    assert as_(Role.DEALER).post(f"{COUNTER}/{event}", **dict.fromkeys(fields, wrong)) == 422


@pytest.mark.parametrize("wrong", WRONG)
def test_nor_into_a_correction_or_the_address(as_: As, wrong: str) -> None:
    boxman = as_(Role.BOXMAN)
    fields = ("throw", "dice", "face_1", "state_1", "reason", "second_person", "second_password")
    assert boxman.post(f"{CRAPS}/corrections", **dict.fromkeys(fields, wrong)) == 422
    asked = {"choice": wrong, "keep": wrong, "keeping": wrong, "player": wrong, "seeds": wrong, "advise": wrong}
    for page in (CRAPS, COUNTER):
        assert boxman.client.get(page, params=asked).status_code == 200


def test_a_refused_bet_comes_back_with_all_that_was_chosen_and_the_reason_beside_its_field(as_: As) -> None:
    dealer = as_(Role.DEALER)
    token = re.findall(r'name="csrf" value="([0-9a-f]+)"', dealer.get(CRAPS))[0]
    fields = {"csrf": token, "form": "bet", "player": "bob", "chip": "5.00", "stake_minor": "3", "at": "pass:"}
    answer = dealer.client.post(f"{CRAPS}/bets", data={**fields, "toke": "yes"})
    assert answer.status_code == 422
    form = answer.text[answer.text.index('id="bet"') :]
    assert "The stake is below the minimum: at least $15" in form[: form.index("</form>")]
    assert re.search(r'value="bob" id="bet-for-\d" checked', form)
    assert re.search(r'value="5\.00" id="bet-chip-\d" checked', form)
    assert 'name="stake_minor" value="3"' in form
    assert re.search(r'name="toke" value="yes" checked', form)


def test_a_refused_change_keeps_the_bets_that_were_ticked(as_: As) -> None:
    dealer = as_(Role.DEALER)
    assert dealer.post(f"{CRAPS}/bets", player="bob", chip="25.00", stake_minor="", at="field:") == 303
    page = dealer.get(CRAPS)
    token, wager = (re.findall(rf'name="{name}" value="([^"]+)"', page)[0] for name in ("csrf", "wagers"))
    sent = {"csrf": token, "form": "change", "stake_minor": "2.222", "wagers": wager}
    answer = dealer.client.post(f"{CRAPS}/presses", data=sent)
    assert answer.status_code == 422
    assert f'value="{wager}" id="w-{wager}" checked' in answer.text
    assert dealer.post(f"{CRAPS}/take-downs", wagers=wager) == 303


@pytest.mark.parametrize("page", [CRAPS, COUNTER])
def test_a_plain_tip_goes_from_a_player_to_the_dealers_and_a_refused_one_is_said_beside_its_field(
    as_: As, page: str
) -> None:
    dealer, clerk = as_(Role.DEALER), as_(Role.CAGE)

    def box() -> int:
        found = re.findall(r"<dt>Tokes not paid out</dt><dd>\$([\d,.]+)</dd>", clerk.get("/cage"))
        return int(re.sub("[,.]", "", found[0]))

    before = box()
    assert dealer.post(f"{page}/tokes", form="toke", player="ann", amount_minor="5") == 303
    assert box() == before + 5_00
    assert "The dealers thank ann." in dealer.get(page)
    for fields, field, said in (
        ({"player": "nobody", "amount_minor": "5"}, "player", "No player with this id is registered"),
        ({"player": "ann", "amount_minor": "9,999,999"}, "amount_minor", "at most"),
    ):
        answer = dealer.client.post(f"{page}/tokes", data={"csrf": dealer.token, "form": "toke", **fields})
        assert answer.status_code == 422
        note = re.findall(rf'id="toke-{field}-note"><span class="fault" role="alert">([^<]+)', answer.text)
        assert said in note[0]
        assert f'value="{fields[field]}"' in answer.text
    assert box() == before + 5_00
    assert as_(Role.STICKMAN).post(f"{page}/tokes", form="toke", player="ann", amount_minor="5") == 403


def test_the_cage_shows_what_dealers_owe(as_: As, monkeypatch: pytest.MonkeyPatch) -> None:
    page = as_(Role.CAGE).get("/cage")
    assert "owed back by dealers" not in page
    monkeypatch.setattr(cage, "tokes", lambda _: cage.TokeBox(tokes_minor=60_00, owed_minor=45_00))
    page = as_(Role.CAGE).get("/cage")
    assert "<dt>Tokes owed back by dealers</dt><dd>$45.00</dd>" in page
    assert "$45.00 are withheld from their box" in page
