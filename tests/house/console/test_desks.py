"""The laboratory's files and the schedule desk over HTTP: what is bounded, what is refused, what a draft becomes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from house.app import create_app
from house.console import desk, drafts
from house.domain.people import Role
from house.service.access import hashed
from house.service.desk import perform
from house.service.people import AddPerson
from house.settings import load_settings
from payouts.schedule import SCHEDULES, parse, shipped
from tests.house.console.test_pages import PASSWORD, field, sign_in


def filled(sent: str) -> dict[str, str]:
    """What a browser sends of a form that nobody touched."""
    fields = {}
    for tag in re.findall(r"<input[^>]*>", sent):
        attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        if attributes.get("type") != "checkbox" or " checked" in tag:
            fields[attributes["name"]] = unescape(attributes["value"])
    for name, options in re.findall(r'<select[^>]*name="([^"]+)">(.*?)</select>', sent, re.DOTALL):
        fields[name] = re.findall(r'value="([^"]*)" selected', options)[0]
    return fields


SHIPPED = sorted(SCHEDULES.glob("*/*.toml"))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client signed in as an admin, at a house that takes log files of one MiB."""
    file: Path = tmp_path_factory.mktemp("desks") / "house.db"
    settings = replace(load_settings(environment={}), database=f"sqlite:///{file}", max_upload_mib=1)
    with TestClient(create_app(settings), follow_redirects=False) as client:
        house = client.app.state.house  # type: ignore[attr-defined]
        for person in ("olga", "paul"):
            password = hashed(house, PASSWORD, person, person)
            perform(house, AddPerson(person=person, name=person, roles=(Role.ADMIN,), password_hash=password), person)
        sign_in(client, "olga")
        yield client


def form(client: TestClient, address: str, name: str, **fields: str) -> dict[str, str]:
    """A form of a page, with its token."""
    page = client.get(address)
    return {"csrf": field(page, "csrf"), "key": field(page, "key"), "form": name, **fields}


FORMS = (
    "/schedules/craps/strip-345x",
    "/schedules/hooligan/scarne-quarter",
    "/laboratory",
    "/cage",
    "/shift",
    "/people",
)
FORMS += ("/people/olga", "/me", "/tables/open", "/sign-in")


@pytest.mark.parametrize("address", FORMS)
def test_no_form_can_be_filled_beyond_what_is_read(client: TestClient, address: str) -> None:
    page = client.get(address).text
    for sent in re.findall(r"<form method=\"post\".*?</form>", page, re.DOTALL):
        # UTF-8 has at most 3 bytes for a unit of UTF-16, by which browsers count; an encoded form writes each as 3.
        each, around = (3, 150) if "multipart/form-data" in sent else (9, 2)
        size = 0
        for tag in re.findall(r"<(?:input|textarea)[^>]*>", sent):
            typed = not re.search(r'type="(?:hidden|checkbox|radio|file|date)"| hidden>', tag)
            found = re.search(r' maxlength="(\d+)"', tag)
            assert found or not typed, tag
            size += around + (each * int(found[1]) if found else 70)
        assert size < 131_072, (address, sent[:200], size)


def test_a_log_above_the_bound_of_other_requests_is_read(client: TestClient) -> None:
    body = form(client, "/laboratory/logs", "log")
    rows = "".join(f"{throw},{1 + throw * throw % 6}\n" for throw in range(40_000))
    assert len(rows) > 131_072  # what other requests may hold
    answer = client.post("/laboratory/logs", data=body, files={"log": ("night.csv", "throw,face\n" + rows)})
    assert answer.status_code == 200
    assert re.search(r"<dt>Throws counted</dt><dd>40,000</dd>", answer.text)


MIB = 2**20


def parts(fields: Mapping[str, str], name: str, size: int) -> Iterator[bytes]:
    """A form of several parts as a browser writes it, with a file of so many bytes, in pieces."""
    for field_name, value in fields.items():
        yield f'--x1\r\nContent-Disposition: form-data; name="{field_name}"\r\n\r\n{value}\r\n'.encode()
    yield f'--x1\r\nContent-Disposition: form-data; name="log"; filename="{name}"\r\n\r\n'.encode()
    for sent in range(0, size, MIB):
        yield b"6" * min(MIB, size - sent)
    yield b"\r\n--x1--\r\n"


@pytest.mark.timeout(20)  # nobody waits for what was sent already
@pytest.mark.parametrize(("size", "status"), [(MIB + 1, 422), (2 * MIB, 413), (12 * MIB, 413)])
@pytest.mark.parametrize("says_its_length", [True, False])
def test_a_log_that_is_too_large_loses_nothing_that_was_typed(
    client: TestClient, size: int, status: int, says_its_length: bool
) -> None:
    typed = form(client, "/laboratory/logs", "log", columns="die=serial, face=<pips>")
    sent = parts(typed, "night & day.csv", size)
    headers = {"Content-Type": "multipart/form-data; boundary=x1"}
    answer = client.post("/laboratory/logs", content=b"".join(sent) if says_its_length else sent, headers=headers)
    assert answer.status_code == status
    assert field(answer, "columns") == "die=serial, face=&lt;pips&gt;"
    note = re.search(r'<p class="note" id="log-log-note">(.*?)</p>', answer.text)
    assert note
    assert "night &amp; day.csv is larger than 1 MiB" in note[1]
    assert 'aria-invalid="true" autofocus' in answer.text


def test_a_log_that_is_too_large_is_refused_whoever_sends_it_as_any_form_is(client: TestClient) -> None:
    typed = form(client, "/laboratory/logs", "log", columns="die=serial")
    headers = {"Content-Type": "multipart/form-data; boundary=x1"}
    forged = b"".join(parts({**typed, "csrf": "0" * 64}, "night.csv", 2 * MIB))
    assert client.post("/laboratory/logs", content=forged, headers=headers).status_code == 403
    own = b"".join(parts(typed, "night.csv", 2 * MIB))
    signed_in = {cookie.name: cookie.value for cookie in client.cookies.jar}
    for name in [name for name in signed_in if "session" in name]:
        client.cookies.delete(name)
    try:
        door = client.post("/laboratory/logs", content=own, headers=headers)
    finally:
        client.cookies.update({name: value or "" for name, value in signed_in.items()})
    assert door.status_code == 401
    assert "die=serial" in door.text  # carried through the door


def test_a_log_is_called_by_its_name_without_folders_and_what_it_holds_is_escaped(client: TestClient) -> None:
    body = form(client, "/laboratory/logs", "log")
    rows = "throw,face,die\n" + "".join(f"{throw},{1 + throw % 6},<b>x</b>\n" for throw in range(60))
    answer = client.post("/laboratory/logs", data=body, files={"log": ("..\\..\\evil/<i>n.csv", rows)})
    assert answer.status_code == 200
    assert "&lt;i&gt;n.csv" in answer.text
    assert "evil" not in answer.text
    assert "<b>x</b>" not in answer.text


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("night.csv", b"\0" * 200_000, "line 1: a cell must have at most 131,072 characters"),
        ("night.jsonl", b"[" * 200_000, "line 1: a line must be a JSON object"),
    ],
)
def test_a_line_that_is_no_row_at_all_is_refused(client: TestClient, name: str, content: bytes, said: str) -> None:
    body = form(client, "/laboratory/logs", "log")
    answer = client.post("/laboratory/logs", data=body, files={"log": (name, content)})
    assert answer.status_code == 200
    assert said in answer.text


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("die", "must be like"),
        ("teeth=4", "must be like"),
        ("base=7", "ase must be"),
        ("separator=;;", "eparator must be one character"),
    ],
)
def test_columns_that_cannot_be_are_refused_beside_their_field(client: TestClient, columns: str, said: str) -> None:
    body = form(client, "/laboratory/logs", "log", columns=columns)
    answer = client.post("/laboratory/logs", data=body, files={"log": ("a.csv", "throw,face\n0,1\n")})
    assert answer.status_code == 422
    assert said in answer.text
    assert f'value="{columns}"' in answer.text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("attack=recycled&throws=6000", "At most 6,000 dice"),
        ("attack=recycled&size=400", "8,388,630 dice"),
        ("attack=gaps&throws=6000", "7 missing numbers in a log of 6,000 throws are always found, 6 never"),
        ("attack=too_even&size=0.9", "is not seen as often as wanted, in however many throws of the die"),
        ("attack=few_faces", "11 throws"),
        ("attack=load&throws=1", "No size of this attack is seen in 1 throws of each die"),
    ],
)
def test_power_is_told_of_dice_and_of_the_log_itself(client: TestClient, asked: str, said: str) -> None:
    page = client.get(f"/laboratory/power?{asked}")
    assert page.status_code == 200
    assert said in page.text
    assert ("looking has no price" in page.text) is ("few" not in asked and "load" not in asked)


def test_power_over_voids_needs_others_and_says_so_beside_the_field(client: TestClient) -> None:
    page = client.get("/laboratory/power?attack=voids&size=0.05")
    assert (page.status_code, "Dice must be from 2 to 1000 for voids" in page.text) == (422, True)
    assert "<dd>10</dd>" in client.get("/laboratory/power?attack=voids&size=0.05&dice=10").text


def test_whatever_the_laboratory_knows_may_be_declared(client: TestClient) -> None:
    body = form(client, "/laboratory/logs", "log", columns="face=pips, count=seen, separator=;")
    rows = "pips;seen\n" + "".join(f"{face};100\n" for face in range(1, 7))
    answer = client.post("/laboratory/logs", data=body, files={"log": ("sums.csv", rows)})
    assert answer.status_code == 200
    assert "600" in answer.text


@pytest.mark.parametrize("path", SHIPPED, ids=[path.stem for path in SHIPPED])
def test_a_schedule_written_anew_is_the_same_schedule(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    again = parse(drafts.write(drafts.read(text)), "again")
    assert again.fingerprint == parse(text, "first").fingerprint
    assert again.header == parse(text, "first").header


@pytest.mark.parametrize("path", SHIPPED, ids=[path.stem for path in SHIPPED])
def test_the_fields_of_a_page_sent_back_untouched_are_the_same_schedule_as_a_new_version(
    client: TestClient, path: Path
) -> None:
    game, name = path.parent.name, path.stem
    address = f"/schedules/{game}/{name}"
    page = client.get(address)
    if page.status_code == 404:  # in another currency than the books, so it was not published
        assert name == "uk"
        return
    sent = page.text[page.text.index('id="fields"') : page.text.index("</form>", page.text.index('id="fields"'))]
    answer = client.post(f"{address}/draft", data=filled(sent))
    assert answer.status_code == 200, re.findall(r'class="fault[^"]*"[^>]*>([^<]*)', answer.text)
    text = re.findall(r'<textarea name="body" hidden>(.*?)</textarea>', answer.text, re.DOTALL)[0]
    draft = parse(unescape(text), "draft")
    before = parse(path.read_text(encoding="utf-8"), name)
    assert draft.header.version == 2
    assert replace(draft.header, version=1, declared={}, notes="") == replace(before.header, declared={}, notes="")
    assert replace(draft, header=before.header) == before


def test_a_version_needs_a_second_person_and_is_published_once(client: TestClient) -> None:
    address = "/schedules/hooligan/bar-trade"
    text = shipped("hooligan", "bar-trade").read_text(encoding="utf-8").replace("version = 1", "version = 2")
    body = form(client, address, "publish", base="1", body=text, second_person="paul", second_password="wrong")
    assert client.post(f"{address}/versions", data=body).status_code == 422
    answer = client.post(f"{address}/versions", data={**body, "second_password": PASSWORD})
    assert answer.status_code == 303
    assert "version 2" in client.get(address).text
    changed = text.replace('"25.00"', '"24.00"').replace('optimal = "26.87 %"\n', "")
    again = form(client, address, "publish", base="1", body=changed, second_person="paul", second_password=PASSWORD)
    answer = client.post(f"{address}/versions", data=again)
    assert answer.status_code == 422
    assert "stands with another fingerprint" in answer.text


def test_a_draft_with_faults_names_all_of_them_and_keeps_what_was_typed(client: TestClient) -> None:
    address = "/schedules/hooligan/scarne-quarter"
    body = form(client, address, "draft", base="1", body='game = "hooligan"\nname = "X"\nversion = 0')
    answer = client.post(f"{address}/draft", data=body)
    assert answer.status_code == 422
    for key in ("name", "version", "currency", "stake", "pays"):
        assert f"<code>{key}</code> must be" in answer.text
    assert "name = &#34;X&#34;" in answer.text
    figures = client.post(f"{address}/figures", data=body)
    assert figures.status_code == 422
    assert figures.text.lstrip().startswith('<div class="fault-list" role="alert">')


def test_the_figures_are_those_of_the_mathematics(client: TestClient) -> None:
    text = shipped("hooligan", "scarne-quarter").read_text(encoding="utf-8")
    figures = desk.judged(text).figures
    assert isinstance(figures, desk.HooliganFigures)
    assert f"{100 * figures.players[0][2].house_edge:.2f}" == "51.59"  # declared in the file, and checked there
    assert [row.slope for row in figures.bands] == [row.chance for row in figures.bands]  # cash costs its face value
    craps = desk.judged(shipped("craps", "strip-345x").read_text(encoding="utf-8")).figures
    assert isinstance(craps, desk.CrapsFigures)
    rows = {(row.bet, row.variant): row.edge_made for _, rows in craps.groups for row in rows}
    assert float(rows["pass", ""]) == pytest.approx(7 / 495)  # 1.41 %
    assert float(rows["place", "6"]) == pytest.approx(1 / 66)  # 1.52 %


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"target": "150", "thresholds": "84 90", "step": "1", "most": "5"}, "percentage below 100"),
        ({"target": "15", "thresholds": "84 x", "step": "1", "most": "5"}, "must be scores"),
        ({"target": "15", "thresholds": "90 84", "step": "1", "most": "5"}, "rising numbers"),
        ({"target": "15", "thresholds": "84 90", "step": "1", "most": "900"}, "up to 400"),
        ({"target": "15", "thresholds": "70 75 80 84 90 94 100", "step": "0.10", "most": "40"}, "at most"),
    ],
)
def test_a_design_that_cannot_be_searched_is_refused(client: TestClient, fields: dict[str, str], said: str) -> None:
    address = "/schedules/hooligan/scarne-quarter"
    answer = client.post(f"{address}/design", data=form(client, address, "design", base="1", **fields))
    assert answer.status_code == 422
    assert said in answer.text


def test_no_schedule_of_this_name_is_a_page_of_its_own(client: TestClient) -> None:
    for address in ("/schedules/hooligan/nobody", "/schedules/poker/x", "/schedules/hooligan/bar-trade?version=99"):
        assert client.get(address).status_code == 404
