"""Where the peers and we differ: each difference by name, with the value of either side."""

from __future__ import annotations

import math
from pathlib import Path

import ir_measures
import pytest
import pytrec_eval

from attribution.metrics.conventions import MetricChoices
from attribution.metrics.evaluate import evaluate
from tests.attribution.made_runs import made_store
from tests.attribution.metrics.scored_runs import (
    Qrels,
    Run,
    at_stage,
    means,
    per_question,
    scored_store,
    stored,
    write_qrels,
    write_run,
)
from traces.errors import InputError, UsageError
from traces.imports.labels import import_labels
from traces.ingest import ingest_run
from traces.store import TraceStore


def theirs(run: Run, qrels: Qrels, measure: str) -> dict[str, float]:
    """Return trec_eval's values by question."""
    found = pytrec_eval.RelevanceEvaluator(
        qrels, {measure.rstrip("_0123456789") if measure[-1:].isdigit() else measure}
    )
    return {query: values[measure] for query, values in found.evaluate(run).items()}


def of_ir_measures(run: Run, qrels: Qrels, measure: str) -> float:
    """Return the mean that ir_measures gives."""
    parsed = ir_measures.parse_measure(measure)
    return float(ir_measures.calc_aggregate([parsed], qrels, run)[parsed])


def ours(folder: Path, run: Run, qrels: Qrels, metric: str, choices: MetricChoices | None = None) -> float | None:
    """Return our mean of a TREC run."""
    with scored_store(folder, run, qrels) as store:
        return means(store, metric, choices)[metric]


@pytest.mark.parametrize(("relevant", "rank"), [("a", 3), ("c", 1)])
def test_ties_of_a_trec_file_fall_as_in_trec_eval(relevant: str, rank: int, tmp_path: Path) -> None:
    run, qrels = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}, {"q": {relevant: 1}}
    assert theirs(run, qrels, "recip_rank")["q"] == 1 / rank
    assert of_ir_measures(run, qrels, "RR") == 1 / rank
    assert ours(tmp_path, run, qrels, "RR") == 1 / rank
    # A provider of ir_measures goes by the order of the file instead, and its RR@10 is that provider's.
    assert of_ir_measures(run, qrels, "RR@10") == {"a": 1.0, "c": 1 / 3}[relevant]


@pytest.mark.parametrize(("relevant", "rank"), [("a", 1), ("c", 3)])
def test_ties_of_a_trace_keep_the_order_of_the_list(relevant: str, rank: int, tmp_path: Path) -> None:
    items = [{"doc_id": name, "score": 1.0} for name in ("a", "b", "c")]
    with made_store(tmp_path, [{"query_id": "q", "stages": {"candidates": items}, "gold": [relevant]}]) as store:
        assert means(store, "RR") == {"RR": 1 / rank}


def test_scores_are_told_apart_in_double_precision(tmp_path: Path) -> None:
    run, qrels = {"q": {"a": 1.00000002, "b": 1.00000001}}, {"q": {"a": 1}}
    assert theirs(run, qrels, "recip_rank")["q"] == 0.5
    assert of_ir_measures(run, qrels, "RR") == 0.5
    assert ours(tmp_path, run, qrels, "RR") == 1.0


def test_a_score_that_is_no_number_is_refused_with_its_line(tmp_path: Path) -> None:
    run, qrels = {"q": {"a": math.nan, "b": 1.0}}, {"q": {"a": 1}}
    assert theirs(run, qrels, "recip_rank")["q"] == 0.5
    with TraceStore.in_memory() as store:
        report = ingest_run(store, [], run_id="run", stages=[("candidates", write_run(tmp_path / "made.run", run))])
    assert [(issue.line, issue.field) for issue in report.issues] == [(1, "score")]


def test_a_document_listed_twice_counts_once_at_its_best_rank(tmp_path: Path) -> None:
    path = tmp_path / "made.run"
    path.write_text("q Q0 a 1 3.0 t\nq Q0 b 2 2.0 t\nq Q0 a 3 1.0 t\n")
    with pytest.raises(AssertionError), path.open() as lines:
        pytrec_eval.parse_run(lines)
    lists = list(ir_measures.read_trec_run(str(path)))  # type: ignore[no-untyped-call]
    parsed = ir_measures.parse_measure("RR")
    assert ir_measures.calc_aggregate([parsed], {"q": {"a": 1}}, lists)[parsed] == 0.5  # the last score wins
    with stored(path, write_qrels(tmp_path / "made.qrels", {"q": {"a": 1}})) as store:
        found = at_stage(store, "RR P@3 R@3 nDCG@3 AP judged@3")
    assert {name: each.mean.estimate for name, each in found.items()} == {
        "RR": 1.0, "P@3": 1 / 3, "R@3": 1.0, "nDCG@3": 1.0, "AP": 1.0, "judged@3": 1 / 3,
    }  # fmt: skip


def test_of_two_judgments_of_a_document_the_latest_counts_and_the_conflict_is_told(tmp_path: Path) -> None:
    path = tmp_path / "made.qrels"
    path.write_text("q 0 a 1\nq 0 b 1\nq 0 a 0\n")
    with pytest.raises(AssertionError), path.open() as lines:
        pytrec_eval.parse_qrel(lines)
    judged = list(ir_measures.read_trec_qrels(str(path)))  # type: ignore[no-untyped-call]
    run = {"q": {"a": 2.0, "b": 1.0}}
    parsed = ir_measures.parse_measure("P@1")
    assert ir_measures.calc_aggregate([parsed], judged, run)[parsed] == 0.0
    with stored(write_run(tmp_path / "made.run", run), path) as store:
        found = evaluate(store, "run", "P@1")
        kept = store.value("SELECT count(*) FROM judgments")
    assert found.metrics[0].mean.estimate == 0.0
    assert "conflicting_judgments" in {warning.code for warning in found.warnings}
    assert kept == 3


MISSING_RUN: Run = {"q1": {"a": 1.0}}
MISSING_QRELS: Qrels = {"q1": {"a": 1}, "q2": {"a": 1}}


def test_a_judged_question_the_run_did_not_ask_scores_zero_and_is_told(tmp_path: Path) -> None:
    assert theirs(MISSING_RUN, MISSING_QRELS, "map") == {"q1": 1.0}  # its mean is 1
    assert of_ir_measures(MISSING_RUN, MISSING_QRELS, "AP") == 0.5
    with scored_store(tmp_path, MISSING_RUN, MISSING_QRELS) as store:
        found = evaluate(store, "run", "AP")
        excluded = at_stage(store, "AP", MetricChoices(missing="excluded"))["AP"]
    assert (found.metrics[0].mean.estimate, found.metrics[0].eligible) == (0.5, 2)
    assert (found.questions.asked, found.questions.missing) == (1, 1)
    assert [w.questions for w in found.warnings if w.code == "missing_questions"] == [1]
    assert (excluded.mean.estimate, excluded.eligible, excluded.excluded) == (1.0, 1, {"missing": 1})


NO_GOLD_RUN: Run = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
NO_GOLD_QRELS: Qrels = {"q1": {"a": 1}, "q2": {"a": 0}}


@pytest.mark.parametrize(
    ("metric", "peers", "reason"), [("AP", "map", "no_gold"), ("nDCG@10", "ndcg_cut_10", "zero_ideal")]
)
def test_a_question_with_grade_zero_only_is_left_out_and_counted(
    metric: str, peers: str, reason: str, tmp_path: Path
) -> None:
    assert theirs(NO_GOLD_RUN, NO_GOLD_QRELS, peers) == {"q1": 1.0, "q2": 0.0}
    assert of_ir_measures(NO_GOLD_RUN, NO_GOLD_QRELS, metric) == 0.5
    with scored_store(tmp_path, NO_GOLD_RUN, NO_GOLD_QRELS) as store:
        found = at_stage(store, metric)[metric]
        zero = means(store, metric, MetricChoices(no_gold="zero", zero_ideal="zero"))[metric]
    assert (found.mean.estimate, found.eligible, found.excluded) == (1.0, 1, {reason: 1})
    assert zero == 0.5


def test_both_gains_are_to_be_had_by_name(tmp_path: Path) -> None:
    run, qrels = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"q": {"a": 1, "b": 2, "c": 3}}
    assert theirs(run, qrels, "ndcg_cut_10")["q"] == pytest.approx(0.7899980042460358)
    with scored_store(tmp_path, run, qrels) as store:
        found = means(store, "nDCG@10 nDCG(gain=exp)@10")
    assert found["nDCG@10"] == pytest.approx(0.7899980042460358, abs=1e-15)
    assert found["nDCG(gain=exp)@10"] == pytest.approx(0.6806060568, abs=1e-10)


def test_the_exponential_gain_takes_any_grade_and_any_id(tmp_path: Path) -> None:
    run, qrels = {"q1": {"a": 2.0, "b": 1.0}}, {"q1": {"a": 5, "b": 7}}
    found = ours(tmp_path, run, qrels, "nDCG(gain=exp)@10")
    gained, best = 31 + 127 / math.log2(3), 127 + 31 / math.log2(3)
    assert found == pytest.approx(gained / best, abs=1e-15)


def test_the_first_hit_below_the_cutoff_scores_zero(tmp_path: Path) -> None:
    run, qrels = {"q": {f"d{place:02d}": 100.0 - place for place in range(1, 21)}}, {"q": {"d13": 1}}
    assert theirs(run, qrels, "recip_rank")["q"] == pytest.approx(1 / 13)  # there is none with a cutoff
    assert of_ir_measures(run, qrels, "RR@10") == 0.0
    with scored_store(tmp_path, run, qrels) as store:
        assert means(store, "RR@10 RR") == {"RR@10": 0.0, "RR": 1 / 13}


def test_scores_win_over_the_rank_column_and_that_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "made.run"
    path.write_text("q Q0 a 1 1.0 t\nq Q0 b 2 2.0 t\n")
    with TraceStore.in_memory() as store:
        report = ingest_run(store, [], run_id="run", stages=[("candidates", path)])
        import_labels(store, write_qrels(tmp_path / "made.qrels", {"q": {"a": 1}}), name="qrels")
        assert means(store, "RR") == {"RR": 0.5}
    assert sum("the rank column" in note for note in report.notes) == 1
    with path.open() as lines:
        assert theirs(pytrec_eval.parse_run(lines), {"q": {"a": 1}}, "recip_rank")["q"] == 0.5


def test_grades_need_not_be_whole_numbers(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        theirs({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 0.5, "b": 1.0}}, "ndcg")  # type: ignore[dict-item]
    gold = [{"doc_id": "a", "grade": 0.5}, {"doc_id": "b", "grade": 1.0}]
    with made_store(tmp_path, [{"query_id": "q", "stages": {"candidates": ["a", "b"]}, "gold": gold}]) as store:
        found = means(store, "nDCG R P@2 RR R(rel=.5)")
    best = 1 + 0.5 / math.log2(3)
    assert found == {
        "nDCG": pytest.approx((0.5 + 1 / math.log2(3)) / best),
        "R": 1.0,
        "P@2": 0.5,
        "RR": 0.5,
        "R(rel=.5)": 1.0,
    }


def test_the_order_of_questions_in_either_file_means_nothing(tmp_path: Path) -> None:
    run: Run = {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
    assert ours(tmp_path, run, {"q2": {"b": 1}, "q1": {"a": 1}}, "RR") == 1.0


def test_a_list_shorter_than_the_cutoff_is_filled_up_with_misses_unless_told_otherwise(tmp_path: Path) -> None:
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "c": 1}}
    assert (theirs(run, qrels, "P_10")["q"], theirs(run, qrels, "recall_10")["q"]) == (0.1, 0.5)
    with scored_store(tmp_path, run, qrels) as store:
        assert means(store, "P@10 R@10 F1@10") == {"P@10": 0.1, "R@10": 0.5, "F1@10": 1 / 6}
        returned = means(store, "P@10 R@10 F1@10", MetricChoices(short_lists="returned"))
    assert returned == {"P@10": 0.5, "R@10": 0.5, "F1@10": 0.5}


def test_every_metric_goes_by_the_same_order(tmp_path: Path) -> None:
    """With floored scores one report of ir_measures mixes two orders: RR goes by trec_eval's, RR@10 by the file's."""
    run = {
        f"q{n}": {f"d{(n * 7 + place * 13) % 50:02d}": float(10 - place // 4) for place in range(40)} for n in range(50)
    }
    qrels = {f"q{n}": {f"d{(n * 11) % 50:02d}": 1, f"d{(n * 3 + 1) % 50:02d}": 1} for n in range(50)}
    first_ten = theirs(run, qrels, "recip_rank")
    expected = sum(value if value >= 0.1 else 0.0 for value in first_ten.values()) / len(run)
    assert of_ir_measures(run, qrels, "RR@10") != pytest.approx(expected, abs=1e-3)
    assert ours(tmp_path, run, qrels, "RR@10") == pytest.approx(expected, abs=1e-15)


def test_a_threshold_of_relevance_applies_to_ndcg_only_by_name(tmp_path: Path) -> None:
    run, qrels = {"q": {"b": 2.0, "a": 1.0}}, {"q": {"a": 3, "b": 1}}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"}, relevance_level=2)
    with_both = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert evaluator.evaluate(run)["q"]["ndcg"] == pytest.approx(with_both)  # the level is ignored
    with scored_store(tmp_path, run, qrels) as store:
        found = means(store, "nDCG nDCG(rel=2)")
        lowered = means(store, "nDCG", MetricChoices(min_grade=2))
    assert found == {"nDCG": pytest.approx(with_both), "nDCG(rel=2)": pytest.approx(1 / math.log2(3))}
    assert lowered == {"nDCG": pytest.approx(with_both)}


def test_no_judgments_at_all_are_an_error_of_one_line(tmp_path: Path) -> None:
    assert pytrec_eval.RelevanceEvaluator({}, {"map"}).evaluate({"q": {"a": 1.0}}) == {}
    with TraceStore.in_memory() as store:
        ingest_run(store, [], run_id="run", stages=[("c", write_run(tmp_path / "made.run", {"q": {"a": 1.0}}))])
        with pytest.raises(UsageError, match="no-judgments: no label set judges any of this run's questions"):
            evaluate(store, "run")
        (tmp_path / "empty.qrels").write_text("")
        with pytest.raises(InputError):
            import_labels(store, tmp_path / "empty.qrels", name="empty", format="trec-qrels")


def test_a_question_without_results_is_scored(tmp_path: Path) -> None:
    records = [
        {"query_id": "q1", "stages": {"candidates": ["a"]}, "gold": ["a"]},
        {"query_id": "q2", "stages": {"candidates": []}, "gold": ["a"]},
    ]
    with made_store(tmp_path, records) as store:
        assert means(store, "P@1 RR nDCG@5 AP") == {"P@1": 0.5, "RR": 0.5, "nDCG@5": 0.5, "AP": 0.5}
        returned = at_stage(store, "P", MetricChoices())["P"]
    assert (returned.mean.estimate, returned.excluded) == (1.0, {"empty_list": 1})


def test_ndcg_never_exceeds_one(tmp_path: Path) -> None:
    """Not with a document listed twice, nor one in two groups, nor with several searches that find the same."""
    lists = [
        {"stage": "candidates", "search": 0, "items": ["a", "a", "b"]},
        {"stage": "candidates", "search": 1, "items": ["a", "b"]},
    ]
    gold = [["a"], ["a", "b"]]
    with made_store(tmp_path, [{"query_id": "q", "stages": lists, "gold": gold}]) as store:
        for unit in ("document", "group"):
            found = means(store, "nDCG@1 nDCG@2 nDCG@3 nDCG R", MetricChoices(unit=unit))
            assert max(value for value in found.values() if value is not None) <= 1.0
            assert found["R"] == 1.0


def test_ids_of_one_side_only_change_nothing(tmp_path: Path) -> None:
    run: Run = {"q1": {"a": 1.0, "x": 0.5}, "q9": {"a": 1.0}}
    qrels: Qrels = {"q1": {"a": 1, "z": 0}}
    with scored_store(tmp_path, run, qrels) as store:
        found = at_stage(store, "RR")["RR"]
        assert per_question(store, "RR")["RR"] == {"q1": 1.0, "q9": None}
    assert (found.mean.estimate, found.excluded) == (1.0, {"unlabelled": 1})
