"""A sample of misses is exported with its gold, and written down as it was drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attribution.choices import Choices
from attribution.oracle.export import Exported, export_oracle
from attribution.oracle.exported import read_exported
from tests.attribution.made_runs import RUN, made_store, trace, write_lines
from tests.attribution.oracle.made_misses import records, store_with_misses, texts
from traces.errors import InputError, UsageError
from traces.imports import import_documents
from traces.runs import drop_run
from traces.store import TraceStore


def drawn(store: TraceStore) -> list[tuple[Any, ...]]:
    return store.connection.execute(
        """SELECT sample_id, query_id, repeat, stratum, stratum_size, stratum_drawn, weight
           FROM oracle_samples ORDER BY ALL"""
    ).fetchall()


def ids(exported: Exported) -> list[str]:
    return [question.query_id for question in exported.questions]


def test_misses_are_exported_with_their_gold_first(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        exported = export_oracle(store, RUN, n=4)
        assert len(drawn(store)) == 4
    assert (exported.sample.missing, exported.sample.drawn, exported.sample.stratified_by) == (8, 4, "intent")
    assert {stratum.name: (stratum.missing, stratum.drawn) for stratum in exported.sample.strata} == {
        "A": (4, 2), "B": (4, 2),
    }  # fmt: skip
    for question in exported.questions:
        number = int(question.query_id[1:])
        assert number >= 6
        assert question.query == f"Question {number}?"
        packed = [(document.doc_id, document.gold, document.text) for document in question.pack]
        assert packed == [
            (f"g{number}", True, f"Text of g{number}."),
            (f"x{number}", False, f"Text of x{number}."),
        ]


def test_the_file_is_a_header_and_a_line_a_question(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        exported = export_oracle(store, RUN, n=4, seed=3)
    first, *rest = [json.loads(line) for line in exported.lines()]
    assert {"sample", "run", "labels", "seed", "drawn", "missing", "strata", "limits"} <= set(first["oracle"])
    assert (first["oracle"]["seed"], first["oracle"]["gold_stands"]) == (3, "first")
    assert first["oracle"]["limits"] == {"documents": 2, "tokens": None}
    assert set(rest[0]) == {"query_id", "repeat", "query", "pack", "left_out"}
    assert {"doc_id", "text", "gold", "tokens"} <= set(rest[0]["pack"][0])
    path = tmp_path / "misses.jsonl"
    path.write_text("".join(f"{line}\n" for line in exported.lines()))
    back = read_exported(path)
    assert (back.sample, back.run_id) == (exported.sample.sample, RUN)
    assert [question.query_id for question in back.questions] == ids(exported)
    assert json.loads(back.questions[0].line) == rest[0]


def test_the_same_draw_is_the_same_sample_and_another_seed_another(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        first = export_oracle(store, RUN, n=4)
        again = export_oracle(store, RUN, n=4)
        assert len(drawn(store)) == 4
        other = export_oracle(store, RUN, n=4, seed=1)
        assert len(drawn(store)) == 8
    assert list(first.lines()) == list(again.lines())
    assert other.sample.sample != first.sample.sample


def test_other_texts_make_another_sample(tmp_path: Path) -> None:
    """So that answers to the old prompts are not taken for answers to the new."""
    with store_with_misses(tmp_path) as store:
        first = export_oracle(store, RUN, n=4)
        fresh = [{"doc_id": f"g{i}", "text": "Revised."} for i in range(14)]
        import_documents(store, write_lines(tmp_path / "fresh.jsonl", fresh))
        second = export_oracle(store, RUN, n=4)
    assert ids(first) == ids(second)
    assert first.sample.sample != second.sample.sample


def test_stored_in_another_order_the_same_questions_are_drawn(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        straight = export_oracle(store, RUN, n=4)
    with store_with_misses(tmp_path, records()[::-1], texts()[::-1]) as store:
        assert list(export_oracle(store, RUN, n=4).lines()) == list(straight.lines())


def test_without_intents_the_strata_are_the_fates(tmp_path: Path) -> None:
    made = records(intents=0)
    made[7]["stages"]["candidates"] = ["g7", "x7"]
    with store_with_misses(tmp_path, made) as store:
        exported = export_oracle(store, RUN, n=60)
    assert exported.sample.stratified_by == "fate"
    assert [(stratum.name, stratum.missing) for stratum in exported.sample.strata] == [
        ("lost:reranked", 1), ("never_found", 7),
    ]  # fmt: skip
    assert (exported.sample.asked, exported.sample.drawn) == (60, 8)


def test_of_a_question_with_several_repeats_one_that_misses_is_drawn(tmp_path: Path) -> None:
    made = [
        trace(f"q{i}", packed, packed, packed, False, gold=["g0"], query="Q?", repeat=repeat)
        for i in range(5)
        for repeat, packed in enumerate((["g0"], ["x0"], ["x0"]))
    ]
    with store_with_misses(tmp_path, made) as store:
        exported = export_oracle(store, RUN, n=3)
        assert {row[-1] for row in drawn(store)} == {2.0}
    assert (exported.sample.missing, exported.sample.missing_questions) == (10, 5)
    assert len(set(ids(exported))) == 3
    assert {question.repeat for question in exported.questions} <= {1, 2}


def test_a_question_without_text_gives_way_and_none_at_all_is_an_error(tmp_path: Path) -> None:
    known = [document for document in texts() if document["doc_id"] not in {"g6", "g9"}]
    with store_with_misses(tmp_path, None, known) as store:
        exported = export_oracle(store, RUN, n=6)
    assert exported.sample.no_text == 2
    assert {"q06", "q09"} & set(ids(exported)) == set()
    assert exported.sample.drawn == 6
    with store_with_misses(tmp_path, None, []) as store:
        with pytest.raises(UsageError, match="documents import") as refused:
            export_oracle(store, RUN, n=6)
        assert refused.value.slug == "no-texts"
        assert drawn(store) == []


def test_texts_that_came_with_the_lists_will_do(tmp_path: Path) -> None:
    made = [
        trace("q1", [{"doc_id": "g", "text": "The gold."}], ["x"], ["x"], False, gold=["g"], query="Q?"),
        trace("q2", ["g"], ["g"], ["g"], True, gold=["g"], query="R?"),
    ]
    with store_with_misses(tmp_path, made, []) as store:
        exported = export_oracle(store, RUN)
    assert [(document.doc_id, document.text) for document in exported.questions[0].pack] == [("g", "The gold.")]


def test_gold_listed_under_another_id_is_known_as_gold(tmp_path: Path) -> None:
    made = [trace("q1", ["h-old", "x"], ["h-old"], ["h-old"], False, gold=[["g"], ["h"]], query="Q?")]
    known: list[dict[str, Any]] = [
        {"doc_id": "g", "text": "G."},
        {"doc_id": "h", "text": "H.", "aliases": ["h-old"]},
    ]
    with store_with_misses(tmp_path, made, known) as store:
        exported = export_oracle(store, RUN)
    (question,) = exported.questions
    assert [(document.doc_id, document.gold) for document in question.pack] == [("g", True)]
    assert (question.left_out, exported.sample.gold_left_out, exported.sample.limits.documents) == (1, 1, 1)


def test_prompts_keep_to_the_tokens_of_the_fullest_one(tmp_path: Path) -> None:
    def item(name: str, tokens: int, kept: int | None = None) -> dict[str, Any]:
        return {"doc_id": name, "tokens": tokens} | ({} if kept is None else {"kept_tokens": kept})

    made = [
        trace("q0", ["g0"], ["g0"], [item("g0", 500), item("x0", 400, 300)], True, gold=["g0"], query="Q?"),
        trace("q1", ["x1"], ["x1"], [item("x1", 300), item("y1", 200)], False, gold=["g1"], query="R?"),
    ]
    with store_with_misses(tmp_path, made) as store:
        exported = export_oracle(store, RUN)
    assert exported.sample.limits.model_dump() == {"documents": 2, "tokens": 800}
    (question,) = exported.questions
    # the gold was never listed, so it is reckoned at the mean of the run's packed documents
    assert [(document.doc_id, document.tokens) for document in question.pack] == [("g1", None), ("x1", 300)]


def test_a_cutoff_of_the_last_stage_is_the_limit(tmp_path: Path) -> None:
    header = {"run": {"stages": ["candidates", "packed"], "cutoffs": {"packed": 2}}}
    made = {"query_id": "q1", "query": "Q?", "passed": False, "gold": ["g1"]}
    lists = {"candidates": ["x1"], "packed": ["x1", "y1", "x2", "g1"]}
    with made_store(tmp_path, [header, {**made, "stages": lists}]) as store:
        import_documents(store, write_lines(tmp_path / "d.jsonl", texts()))
        (question,) = export_oracle(store, RUN).questions
    assert [document.doc_id for document in question.pack] == ["g1", "x1"]


@pytest.mark.parametrize(
    ("made", "asked", "slug"),
    [
        (records(6, 0), {}, "no-misses"),
        ([{**record, "passed": None} for record in records()], {}, "no-outcomes"),
        (records(), {"n": 0}, "bad-sample"),
        (records(), {"seed": -1}, "bad-sample"),
        (records(), {"choices": Choices(labels="none")}, "unknown-labels"),
    ],
)
def test_what_cannot_be_exported_is_one_clear_fault(
    tmp_path: Path, made: list[dict[str, Any]], asked: dict[str, Any], slug: str
) -> None:
    with store_with_misses(tmp_path, made) as store:
        with pytest.raises(UsageError) as refused:
            export_oracle(store, RUN, **asked)
        assert refused.value.slug == slug
        assert drawn(store) == []


def test_a_dropped_run_takes_its_samples_along(tmp_path: Path) -> None:
    with store_with_misses(tmp_path) as store:
        export_oracle(store, RUN)
        drop_run(store, RUN)
        assert drawn(store) == []


@pytest.mark.parametrize("text", ['{"query_id": "q1", "passed": true}\n', '{"oracle": {"sample": 1}}\n', "[]\n", "{\n"])
def test_a_file_that_was_not_exported_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        read_exported(path)
    assert (refused.value.slug, refused.value.where) == ("not-an-export", f"{path}:1")
