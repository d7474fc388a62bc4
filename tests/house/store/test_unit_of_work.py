"""Times and ids of a write transaction."""

from house.store.unit_of_work import moment, uuid7


def test_ids_of_entries_are_version_seven_and_sort_by_time() -> None:
    ids = [uuid7(moment(AT_MS * 1000)) for AT_MS in range(10**12, 10**12 + 50)]
    assert ids == sorted(ids)
    assert {one[14] for one in ids} == {"7"}
    assert {one[19] for one in ids} <= set("89ab")
    assert {len(one) for one in ids} == {36}
