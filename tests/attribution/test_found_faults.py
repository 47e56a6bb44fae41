"""Faults that hostile trials of the whole product once found, each as the kind it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.project import project
from attribution.question_traces import question_traces
from attribution.run_facts import run_facts
from tests.attribution.made_runs import RUN, add_run, made_store, trace, write_lines
from traces.errors import InputError, UsageError
from traces.imports import import_documents, import_labels, import_outcomes, import_questions
from traces.runs import drop_run
from traces.store import TraceStore


def same(query_id: str, listed: list[str], passed: bool | None, **more: Any) -> dict[str, Any]:
    """Return one record with the same list at every stage."""
    return trace(query_id, listed, listed, listed, passed, **more)


def run_of(gold_reached: int, asked: int, **more: Any) -> list[dict[str, Any]]:
    return [same(f"q{i}", ["g"] if i < gold_reached else ["x"], i % 2 == 0, **more) for i in range(asked)]


def judged(store: TraceStore, folder: Path, asked: int) -> None:
    labels = [{"query_id": f"q{i}", "doc_id": "g"} for i in range(asked)]
    import_labels(store, write_lines(folder / "labels.jsonl", labels), name="made")


def highest(store: TraceStore) -> float | None:
    return project(store, RUN, recall=0.9).highest_recall


def test_recall_shown_elsewhere_counts_at_the_same_last_stage_only(tmp_path: Path) -> None:
    with made_store(tmp_path, run_of(20, 40)) as store:
        shallow = [{"query_id": f"q{i}", "stages": {"candidates": ["g"]}} for i in range(40)]
        add_run(store, tmp_path, shallow, run="shallow")
        judged(store, tmp_path, 40)
        assert highest(store) == 0.5


def test_recall_shown_on_few_of_the_questions_does_not_count(tmp_path: Path) -> None:
    with made_store(tmp_path, run_of(20, 40)) as store:
        add_run(store, tmp_path, run_of(3, 3), run="smoke")
        add_run(store, tmp_path, run_of(30, 39), run="whole")
        judged(store, tmp_path, 40)
        assert highest(store) == pytest.approx(30 / 39)


def test_the_highest_recall_is_never_below_the_runs_own(tmp_path: Path) -> None:
    unanswered = [{**record, "query_id": f"u{i}", "passed": None} for i, record in enumerate(run_of(0, 20))]
    with made_store(tmp_path, run_of(30, 40) + unanswered) as store:
        labels = [{"query_id": f"{kind}{i}", "doc_id": "g"} for kind, n in (("q", 40), ("u", 20)) for i in range(n)]
        import_labels(store, write_lines(tmp_path / "labels.jsonl", labels), name="made")
        assert highest(store) == 0.75


def test_a_later_judgment_decides_the_grade_and_leaves_the_groups(tmp_path: Path) -> None:
    record = trace("q1", ["a", "b"], ["a", "b"], ["a", "b"], True)
    first = [
        {"query_id": "q1", "doc_id": doc, "grade": 1, "group": group}
        for doc, group in (("a", "1"), ("c", "1"), ("b", "2"))
    ]
    with made_store(tmp_path, [record], labels=first) as store:
        assert attribute(store, RUN).fates[-1].passed == 1
        import_labels(
            store, write_lines(tmp_path / "two.jsonl", [{"query_id": "q1", "doc_id": "a", "grade": 0}]), name="made"
        )
        # a no longer counts, c stands for group 1 and is not there
        assert attribute(store, RUN).fates[0].passed == 1
        import_labels(
            store, write_lines(tmp_path / "three.jsonl", [{"query_id": "q1", "doc_id": "a", "grade": 2}]), name="made"
        )
        assert attribute(store, RUN).fates[-1].passed == 1
        assert attribute(store, RUN).policy.require == "groups"


def test_a_later_judgment_under_an_alias_is_of_the_same_document(tmp_path: Path) -> None:
    labels = [{"query_id": "q1", "doc_id": "a", "grade": 1}]
    with made_store(tmp_path, [trace("q1", ["a"], ["a"], ["a"], True)], labels=labels) as store:
        import_documents(store, write_lines(tmp_path / "d.jsonl", [{"doc_id": "a", "aliases": ["alias"]}]))
        import_labels(
            store, write_lines(tmp_path / "two.jsonl", [{"query_id": "q1", "doc_id": "alias", "grade": 0}]), name="made"
        )
        found = attribute(store, RUN)
    assert (found.questions.unlabelled, found.labels.conflicts) == (1, 1)


def test_an_alias_of_an_alias_is_refused(tmp_path: Path) -> None:
    chain = [{"doc_id": "a", "aliases": ["b"]}, {"doc_id": "b", "aliases": ["c"]}, {"doc_id": "z", "aliases": ["a"]}]
    with TraceStore.in_memory() as store:
        report = import_documents(store, write_lines(tmp_path / "d.jsonl", chain))
        assert (report.records, report.quarantined) == (1, 2)
        assert store.rows("SELECT alias, doc_id FROM document_aliases") == [{"alias": "b", "doc_id": "a"}]


@pytest.mark.parametrize("first", ['{"run": {"cutoffs": {"candidates": 1}}', '{"run": "nightly"}'])
def test_a_damaged_header_stops_the_file(tmp_path: Path, first: str) -> None:
    from traces.ingest import ingest_run

    path = write_lines(tmp_path / "t.jsonl", run_of(1, 2, gold=["g"]))
    path.write_text(first + "\n" + path.read_text())
    with TraceStore.in_memory() as store, pytest.raises(InputError) as refused:
        ingest_run(store, [path], run_id=RUN)
    assert refused.value.slug == "bad-header"


def test_a_header_with_more_beside_it_is_still_a_header(tmp_path: Path) -> None:
    header = {"run": {"cutoffs": {"candidates": 1}}, "schema": 1}
    with made_store(tmp_path, [header, trace("q1", ["x", "g"], ["x"], ["x"], False, gold=["g"])]) as store:
        assert attribute(store, RUN).fates[0].reasons == {"below_cutoff": 1}


def test_a_later_file_does_not_change_what_a_stage_hands_on(tmp_path: Path) -> None:
    first = [{"run": {"cutoffs": {"candidates": 1}}}, trace("q1", ["x", "g"], ["x"], ["x"], False, gold=["g"])]
    later = [{"run": {"cutoffs": {"candidates": 3}}}, trace("q2", ["x", "g"], ["x"], ["x"], False, gold=["g"])]
    with made_store(tmp_path, first) as store:
        from traces.ingest import ingest_run

        report = ingest_run(store, [write_lines(tmp_path / "later.jsonl", later)], run_id=RUN)
        assert any("cutoff" in note for note in report.notes)
        assert attribute(store, RUN).fates[0].questions == 2


def test_weights_are_asked_of_the_attributable_questions_only(tmp_path: Path) -> None:
    records = [*run_of(10, 20, gold=["g"]), trace("nobody", ["x"], ["x"], ["x"], None, gold=["g"])]
    weights = [{"query_id": f"q{i}", "weight": 9 if i < 10 else 1} for i in range(20)]
    with made_store(tmp_path, records) as store:
        import_questions(store, write_lines(tmp_path / "w.jsonl", weights))
        found = attribute(store, RUN)
    assert found.policy.weighted
    assert found.stages[-1].recall.estimate == pytest.approx(0.9)


def test_gold_that_hurts_is_not_called_an_overlap(tmp_path: Path) -> None:
    records = [same(f"g{i}", ["g"], i % 5 == 0, gold=["g"]) for i in range(60)]
    records += [same(f"n{i}", ["x"], i % 5 > 0, gold=["g"]) for i in range(60)]
    with made_store(tmp_path, records) as store:
        codes = {w.code for w in project(store, RUN, recall=0.8).warnings}
    assert "gold_hurts" in codes
    assert "gold_does_not_help" not in codes


def test_a_question_without_outcome_is_counted_once_where_nothing_is_attributable(tmp_path: Path) -> None:
    records = [same("q1", ["g"], None, gold=["g"]), same("q2", ["x"], False)]
    with made_store(tmp_path, records) as store:
        asked = attribute(store, RUN).questions
    assert (asked.total, asked.attributable, asked.unlabelled, asked.no_outcome) == (2, 0, 1, 1)


def test_a_range_of_recall_ranges_every_figure(tmp_path: Path) -> None:
    with made_store(tmp_path, run_of(20, 40, gold=["g"])) as store:
        low, high, both = (
            project(store, RUN, **asked) for asked in ({"recall": 0.6}, {"recall": 0.9}, {"recall_range": (0.6, 0.9)})
        )
    for figure in ("gain", "projection"):
        lower, upper = getattr(both, figure).bounds
        ends = [*getattr(low, figure).bounds, *getattr(high, figure).bounds]
        assert (lower, upper) == pytest.approx((min(ends), max(ends)))
    assert both.sensitivity.bounds is not None
    assert low.sensitivity.bounds is not None
    assert both.sensitivity.bounds[0] <= low.sensitivity.bounds[0]


def test_one_group_outside_the_index_is_reason_enough(tmp_path: Path) -> None:
    with made_store(tmp_path, [trace("q1", ["x"], ["x"], ["x"], False, gold=[["n"], ["g"]])]) as store:
        import_documents(
            store,
            write_lines(tmp_path / "d.jsonl", [{"doc_id": "n", "indexed": False}, {"doc_id": "g", "indexed": True}]),
        )
        assert attribute(store, RUN).fates[0].reasons == {"not_indexed": 1}


def test_a_tag_without_a_name_is_a_field_like_any_other(tmp_path: Path) -> None:
    records = [{**r, "tags": {"": str(i % 2)}} for i, r in enumerate(run_of(2, 5, gold=["g"]))]
    with made_store(tmp_path, records) as store:
        found = attribute(store, RUN, Choices(by=("",)))
    assert found.passed.n == 5
    assert sorted((by.value or "", by.questions) for by in found.by) == [("0", 3), ("1", 2)]


def test_a_score_without_a_rule_is_said_and_can_be_given_its_verdict_later(tmp_path: Path) -> None:
    from traces.ingest import ingest_run

    scored = [{**r, "passed": None, "score": 4} for r in run_of(1, 2, gold=["g"])]
    with TraceStore.in_memory() as store:
        report = ingest_run(store, [write_lines(tmp_path / "t.jsonl", scored)], run_id=RUN)
        assert any("no pass rule" in note for note in report.notes)
        verdicts = [{"query_id": f"q{i}", "score": 4} for i in range(2)]
        import_outcomes(store, write_lines(tmp_path / "o.jsonl", verdicts), run_id=RUN, pass_rule="score >= 3")  # noqa: S106
        assert attribute(store, RUN).passed.count == 2


def test_dropping_a_run_leaves_no_trace_in_the_next_one_of_that_name(tmp_path: Path) -> None:
    records = [*run_of(1, 3, gold=["g"]), {"query_id": 1.5}]
    with made_store(tmp_path, records) as store:
        before = attribute(store, RUN), [s.name for s in run_facts(store, RUN).sources]
        drop_run(store, RUN)
        add_run(store, tmp_path, records, run=RUN)
        assert (attribute(store, RUN), [s.name for s in run_facts(store, RUN).sources]) == before


def test_gold_listed_under_an_alias_names_the_document_it_is(tmp_path: Path) -> None:
    with made_store(tmp_path, [trace("q1", ["alias"], ["alias"], [], False, gold=["g"])]) as store:
        import_documents(store, write_lines(tmp_path / "d.jsonl", [{"doc_id": "g", "aliases": ["alias"]}]))
        (shown,) = question_traces(store, RUN, "q1")
    assert [(d.doc_id, d.gold, d.gold_id) for d in shown.stages[0].documents] == [("alias", True, "g")]


def test_a_cutoff_beyond_any_list_is_bad_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused, made_store(tmp_path, run_of(1, 2), cuts={"packed": 10**11}):
        pass
    assert refused.value.slug == "bad-cut"
