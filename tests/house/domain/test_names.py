"""Names that look alike share a skeleton, and a name is brought to NFKC once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from house.domain.ids import check_name
from house.domain.names import skeleton
from house.domain.refusals import Refused


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann Archer", "Аnn Аrсhеr"),  # А, с, е of Cyrillic
        ("BIG BIRD", "big bird"),
        ("Bob", "Βоb"),  # Beta of Greek, o of Cyrillic
        ("Ann", "Änn"),
        ("Ann Archer", "Ann-Archer"),
        ("Ian Hill", "lan Hi11"),
        ("Otto", "0tt0"),
        ("Barney", "Bamey"),
        ("Willow", "VVillow"),
    ],
)
def test_lookalikes_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(check_name(one)) == skeleton(check_name(other))


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Bob", "Rob"), ("Иван", "Ivan"), ("山田", "田中")])
def test_other_names_have_other_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=60))
def test_a_name_that_was_taken_is_taken_again_as_it_is(text: str) -> None:
    try:
        name = check_name(text)
    except Refused:
        return
    assert check_name(name) == name
    assert skeleton(name) == skeleton(check_name(name))
