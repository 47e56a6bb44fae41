"""Published runs and judgments of the peers' own tests score as trec_eval scores them."""

from __future__ import annotations

from pathlib import Path

import ir_measures
import pytest

from tests.attribution.metrics.scored_runs import TREC_EVAL, Qrels, Run, per_question, stored
from tests.attribution.metrics.test_oracles import close_to, has_gold, trec_eval

ROUNDING = 1e-15  # sums of hundreds of documents, added up in another order
FILES = [
    ("trec_eval/results.test", "trec_eval/qrels.test"),
    ("trec_eval/results.test", "trec_eval/qrels.rel_level"),
    ("ir_measures/compat.run", "ir_measures/compat.qrels"),
    ("ir_measures/cwl.run", "ir_measures/cwl.qrels"),
    ("ranx/run.trec", "ranx/qrels.trec"),
]


def read(run_file: Path, qrels_file: Path) -> tuple[Run, Qrels]:
    """Read both files with plain loops."""
    run: Run = {}
    qrels: Qrels = {}
    for line in run_file.read_text().splitlines():
        query, _, document, _, score, _ = line.split()
        run.setdefault(query, {})[document] = float(score)
    for line in qrels_file.read_text().splitlines():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    return run, qrels


@pytest.mark.cases
@pytest.mark.parametrize(("run_name", "qrels_name"), FILES, ids=str)
def test_a_published_run_is_scored_as_by_trec_eval(run_name: str, qrels_name: str, trec_samples: Path) -> None:
    run_file, qrels_file = trec_samples / run_name, trec_samples / qrels_name
    run, qrels = read(run_file, qrels_file)
    theirs = trec_eval(run, qrels)
    with stored(run_file, qrels_file) as store:
        ours = per_question(store, " ".join(TREC_EVAL))
    shared = [query for query in run if query in qrels and has_gold(qrels[query])]
    assert shared
    for query in shared:
        for name, theirs_name in TREC_EVAL.items():
            assert ours[name][query] == close_to(theirs[query][theirs_name], within=ROUNDING), (query, name)


@pytest.mark.cases
def test_a_published_run_is_scored_as_by_ir_measures(trec_samples: Path) -> None:
    run_file, qrels_file = (trec_samples / "ir_measures" / name for name in ("compat.run", "compat.qrels"))
    run, qrels = read(run_file, qrels_file)
    names = ["nDCG@20", "P(rel=2)@10", "RR(rel=2)@10", "AP(rel=2)@100", "R(rel=2)@1000"]
    with stored(run_file, qrels_file) as store:
        ours = per_question(store, " ".join(names))
    for found in ir_measures.iter_calc([ir_measures.parse_measure(name) for name in names], qrels, run):
        rel = 2 if "rel=2" in str(found.measure) else 1
        if has_gold(qrels[found.query_id], rel):
            assert ours[str(found.measure)][found.query_id] == close_to(found.value, within=ROUNDING), found
