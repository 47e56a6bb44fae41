"""One failure opened: which gold the list holds, under whatever id and in whichever search, and which it does not."""

from __future__ import annotations

from attribution.results import QuestionStage, RankedDocument
from reports.view.drill import Widths, drill
from reports.view.parts import Drill
from tests.reports import made, made_traces

WIDTHS = Widths.of(40)


def doc(rank: int, doc_id: str, gold_id: str | None = None) -> RankedDocument:
    return RankedDocument(rank=rank, doc_id=doc_id, rank_before=None, score=None, title=None, text=None,
                          gold=gold_id is not None, gold_id=gold_id, truncated=False)  # fmt: skip


def stage(name: str, documents: list[RankedDocument], search: int = 0) -> QuestionStage:
    return QuestionStage(stage=name, search=search, complete=True, inferred_by=None, documents=documents)


def opened(position: int, lists: list[QuestionStage], gold: list[str]) -> Drill:
    trace = made_traces.trace(position, 20, None, gold=gold).model_copy(update={"stages": lists})
    return drill(trace, made.STAGES, "q", WIDTHS)


def missing(found: Drill) -> list[tuple[str, str]]:
    return [(gold.last_seen, gold.text) for gold in found.missing]


def test_gold_listed_under_an_alias_is_there_and_not_absent_as_well() -> None:
    found = opened(3, [stage("packed", [doc(1, "c1"), doc(2, "galt", "g")])], ["g"])
    assert [(item.text, item.gold) for item in found.items] == [("c1", False), ("galt", True)]
    assert missing(found) == []


def test_gold_lost_under_an_alias_is_found_in_the_stage_before() -> None:
    lists = [stage("candidates", [doc(1, "c1"), doc(7, "galt", "g")]), stage("reranked", [doc(1, "c1")])]
    assert missing(opened(1, lists, ["g"])) == [(", 7 in candidates", "galt")]


def test_gold_in_the_list_of_another_search_is_placed_there() -> None:
    lists = [stage("packed", [doc(1, "a", "a"), doc(2, "c")]), stage("packed", [doc(1, "c"), doc(2, "balt", "b")], 1)]
    found = opened(3, lists, ["a", "b"])
    assert found.note == "Search 1 of 2."
    assert [(item.text, item.gold) for item in found.items] == [("a", True), ("c", False)]
    assert missing(found) == [(", 2 in search 2", "balt")]


def test_gold_of_an_earlier_stage_is_looked_for_in_every_search_there() -> None:
    lists = [
        stage("candidates", [doc(1, "a", "a")]), stage("candidates", [doc(9, "b", "b")], 1),
        stage("reranked", [doc(1, "a", "a")]), stage("reranked", [doc(1, "c")], 1),
    ]  # fmt: skip
    assert missing(opened(1, lists, ["a", "b"])) == [(", 9 in candidates", "b")]


def test_only_gold_in_no_list_is_said_to_be_in_none() -> None:
    one, two = [stage("candidates", [doc(1, "c")])], [stage("candidates", [doc(1, "c")], 1)]
    assert missing(opened(0, one, ["g"])) == [(", not in the list", "g")]
    assert missing(opened(0, [*one, *two], ["g"])) == [(", not in any of the lists", "g")]
    # An id that only looks like gold, because another document goes by it, is no gold.
    assert missing(opened(0, [stage("candidates", [doc(1, "g")])], ["g"])) == [(", not in the list", "g")]


def test_documents_beyond_the_third_are_counted_in_the_singular_too() -> None:
    lists = [stage("candidates", [doc(1, "c")])]
    assert missing(opened(0, lists, list("abcd")))[-1] == ("", "1 more document")
    assert missing(opened(0, lists, list("abcde")))[-1] == ("", "2 more documents")
    assert opened(0, lists, ["g"]).list_title == "The only one in candidates:"


def test_a_narrow_row_has_the_answer_and_nothing_else_of_the_list() -> None:
    lists = [stage("packed", [doc(1, "c1"), doc(2, "g", "g"), doc(3, "c3")])]
    trace = made_traces.trace(3, 20, None, gold=["g"]).model_copy(update={"stages": lists, "answer": "yes"})
    found = drill(trace, made.STAGES, "q", Widths.of(5))
    assert (found.list_title, found.answer) == ("3 in prompt.", None)
    assert [(item.rank, item.text) for item in found.items] == [(2, "g")]
    wide = drill(trace, made.STAGES, "q", WIDTHS)
    assert (wide.list_title, wide.answer) == ("All 3 in prompt:", "yes")
    assert [item.rank for item in wide.items] == [1, 2, 3]
