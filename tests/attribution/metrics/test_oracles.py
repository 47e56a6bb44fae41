"""Every metric equals what the peers compute, question by question, wherever the conventions are the same."""

from __future__ import annotations

from pathlib import Path

import ir_measures
import pytest
import pytrec_eval

from attribution.metrics.names import parse_metric
from tests.attribution.metrics.scored_runs import (
    TREC_EVAL,
    Qrels,
    Run,
    per_question,
    random_cases,
    scored_store,
)

SEEDS = [range(first, first + 20) for first in (0, 20)]
EQUAL = 1e-15  # of the value: the parts of a sum are added up in whatever order they come
IR_MEASURES = (
    *("P@10", "P(rel=2)@10", "R@10", "R(rel=2)@10", "RR@10", "RR(rel=2)@10", "AP@10", "AP(rel=2)", "nDCG@10", "Rprec"),
    *("Success@5", "nDCG", "P@5", "AP"),
)


FAMILIES = {"P", "recall", "ndcg_cut", "ndcg", "recip_rank", "map", "map_cut", "Rprec", "success"}


def trec_eval(run: Run, qrels: Qrels, rel: int = 1) -> dict[str, dict[str, float]]:
    """Return trec_eval's values by question, then by its own names.

    A question whose grades are all negative is kept from it: it may crash or never return.
    """
    judged = {query: grades for query, grades in qrels.items() if max(grades.values()) >= 0}
    return pytrec_eval.RelevanceEvaluator(judged, FAMILIES, relevance_level=rel).evaluate(run)


def close_to(value: float | None, *, within: float = 2.3e-16) -> object:
    """Return what equals the value but for rounding."""
    return None if value is None else pytest.approx(value, rel=EQUAL, abs=within)


def has_gold(grades: dict[str, int], rel: int = 1) -> bool:
    return any(grade >= rel for grade in grades.values())


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_every_question_is_scored_as_by_trec_eval(seeds: range, tmp_path: Path) -> None:
    run, qrels = random_cases(seeds)
    theirs = trec_eval(run, qrels)
    with scored_store(tmp_path, run, qrels) as store:
        ours = per_question(store, " ".join(TREC_EVAL))
    for query in run.keys() & qrels.keys():
        for name, theirs_name in TREC_EVAL.items():
            expected = theirs[query][theirs_name] if has_gold(qrels[query]) else None
            assert ours[name][query] == close_to(expected), (query, name)


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_every_question_is_scored_as_by_ir_measures(seeds: range, tmp_path: Path) -> None:
    run, qrels = random_cases(seeds, ties=False)
    measures = {str(parse_metric(name)): ir_measures.parse_measure(name) for name in IR_MEASURES}
    theirs: dict[tuple[str, str], float] = {}
    names = {measure: name for name, measure in measures.items()}
    judged = {query: grades for query, grades in qrels.items() if max(grades.values()) >= 0}
    for found in ir_measures.iter_calc(list(measures.values()), judged, run):
        theirs[names[found.measure], found.query_id] = found.value
    with scored_store(tmp_path, run, qrels) as store:
        ours = per_question(store, " ".join(measures))
    for query in qrels:
        for name in measures:
            rel = 2 if "rel=2" in name else 1
            expected = theirs[name, query] if has_gold(qrels[query], rel) else None
            assert ours[name][query] == close_to(expected), (query, name)
