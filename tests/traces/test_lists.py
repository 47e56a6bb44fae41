"""A stage's list as stored: places, gaps, duplicates, truncated documents."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.errors import RecordError
from traces.gate import Item, ScoredItem
from traces.lists import StoredList, stored_list


def item(doc_id: str, **fields: Any) -> Item:
    return Item(doc_id=doc_id, **fields)


def test_ids_alone_keep_their_order() -> None:
    assert stored_list(["d2", "d1"]) == StoredList(docs=["d2", "d1"], items=2, duplicates=0)


def test_an_empty_list_is_a_list() -> None:
    assert stored_list([]) == StoredList(docs=[], items=0, duplicates=0)


def test_scores_stand_beside_their_documents() -> None:
    assert stored_list([ScoredItem("d1", 2.5), ScoredItem("d2")]).scores == [2.5, None]
    assert stored_list([ScoredItem("d1"), ScoredItem("d2")]).scores is None


def test_ids_and_items_may_be_mixed() -> None:
    stored = stored_list([ScoredItem("d1", 2.5), "d2", 3])
    assert stored.docs == ["d1", "d2", "3"]
    assert stored.scores == [2.5, None, None]


def test_integers_and_stripped_ids_become_text() -> None:
    assert stored_list([7, "d1"]).docs == ["7", "d1"]
    stored = stored_list(["a-1", "a-2", "b-1"], lambda name: str(name).split("-")[0])
    assert (stored.docs, stored.items, stored.duplicates) == (["a", "a", "b"], 3, 1)


def test_ranks_sort_the_list_and_leave_gaps() -> None:
    stored = stored_list([item("d3", rank=5, tokens=3), item("d1", rank=2, tokens=1)])
    assert stored.docs == [None, "d1", None, None, "d3"]
    assert stored.tokens == [None, 1, None, None, 3]
    assert (stored.items, stored.duplicates) == (2, 0)


def test_items_that_share_a_rank_follow_one_another_in_their_order() -> None:
    stored = stored_list([item("d1", rank=1), item("d3", rank=2), item("d2", rank=1), item("d4", rank=9)])
    assert stored.docs == ["d1", "d2", "d3", None, None, None, None, None, "d4"]


def test_ranks_are_given_by_all_items_or_none() -> None:
    with pytest.raises(RecordError, match="1 of 2 items carry a rank"):
        stored_list([item("d1", rank=1), item("d2")])


def test_lists_beyond_the_longest_are_refused() -> None:
    assert stored_list(["d"] * 65_535).duplicates == 65_534
    with pytest.raises(RecordError, match="65,536 items"):
        stored_list(["d"] * 65_536)
    with pytest.raises(RecordError, match="past 65,535"):
        stored_list([item("d1", rank=65_535), item("d2", rank=65_535)])


def test_a_document_is_truncated_where_no_whole_copy_is_in_the_list() -> None:
    stored = stored_list(
        [
            item("cut", tokens=9, kept_tokens=5),
            item("both", tokens=9, kept_tokens=5),
            item("both", tokens=9, kept_tokens=9),
            item("cut", chars=100, kept_chars=99),
            item("unknown", tokens=9),
            item("whole", chars=5, kept_chars=5),
        ]
    )
    assert stored.truncated == ["cut"]
    assert (stored.items, stored.duplicates, stored.truncated_items) == (6, 2, 1)
    assert stored.kept_chars == [None, None, None, 99, None, 5]
    assert stored.scores is None


def test_nothing_truncated_is_no_list() -> None:
    stored = stored_list([item("d1", tokens=3, kept_tokens=3)])
    assert stored.truncated is None
    assert stored.truncated_items == 0


def test_metadata_is_kept_by_place() -> None:
    stored = stored_list([item("d1", rank=3, metadata={"page": 2}), item("d2", rank=1)])
    assert stored.metadata == '{"3":{"page":2}}'


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(1, 12)), max_size=10))
def test_every_item_has_one_place_at_or_after_its_rank(entries: list[tuple[str, int]]) -> None:
    stored = stored_list([item(name, rank=rank) for name, rank in entries])
    assert sorted(name for name in stored.docs if name is not None) == sorted(name for name, _ in entries)
    assert stored.items == len(entries)
    in_order = [name for name, _ in sorted(entries, key=lambda entry: entry[1])]
    assert [name for name in stored.docs if name is not None] == in_order
    places = [place for place, name in enumerate(stored.docs, start=1) if name is not None]
    ranks = sorted(rank for _, rank in entries)
    assert all(place >= rank for place, rank in zip(places, ranks, strict=True))
    if len(set(ranks)) == len(ranks):
        assert places == ranks
