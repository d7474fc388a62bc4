"""No client is broken unawares: the surface of the API is what was written down, or more."""

import copy
import json
from typing import Any

import pytest

from tests.house.api.surface import GOLDEN, breaks, current


@pytest.fixture(scope="module")
def kept() -> Any:
    return json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_nothing_that_a_client_holds_on_to_is_gone(kept: Any) -> None:
    assert breaks(kept, current()) == []


def test_every_operation_is_written_down(kept: Any) -> None:
    assert set(current()) == set(kept), "run: python -m tests.house.api.surface"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda new: new.pop("buyIn"), "buyIn is gone"),
        (lambda new: new["buyIn"]["statuses"].remove("404"), "lacks 404"),
        (lambda new: new["buyIn"]["answered"].remove("/wallet_minor"), "lacks /wallet_minor"),
        (lambda new: new["buyIn"]["asked"].pop("/amount_minor"), "lacks /amount_minor"),
        (lambda new: new["buyIn"]["asked"].update({"/reason": True}), "must have /reason now"),
        (lambda new: new["listPlayers"]["parameters"].update({"query limit": True}), "must have query limit now"),
        (lambda new: new["buyIn"].update(address="PUT /v1/players/{player}/buy-ins"), "address was"),
        (lambda new: new["buyIn"].update(scopes=["people:write"]), "scopes was"),
    ],
)
def test_a_change_that_breaks_a_client_is_named(kept: Any, change: Any, said: str) -> None:
    new = copy.deepcopy(kept)
    change(new)
    assert [line for line in breaks(kept, new) if said in line]


def test_what_is_added_breaks_nobody(kept: Any) -> None:
    new = copy.deepcopy(kept)
    new["another"] = new["buyIn"]
    new["buyIn"]["statuses"].append("418")
    new["buyIn"]["answered"].append("/more")
    new["buyIn"]["asked"]["/note"] = False
    assert breaks(kept, new) == []
