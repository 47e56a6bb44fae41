"""What the libraries do in ``benchmarks.peers``: each is imported, reads a run and judgments, and computes.

Every contestant yields three times: once it is imported, once it has read, and its means.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

METRICS = "P@10 R@10 R@100 F1@10 nDCG@10 RR@10 AP"
SCORES = dict[str, float]


def scan(folder: Path, kind: str) -> Iterator[SCORES]:
    """Read the columns and do nothing with them: what no contestant can beat."""
    import duckdb

    connection = duckdb.connect()
    yield {}
    yield {}
    connection.execute(
        f"SELECT sum(length(query_id)), sum(length(doc_id)), sum(rank) FROM '{folder / 'run'}.{kind}'"  # noqa: S608
    ).fetchall()
    yield {}


def foundlost(folder: Path, kind: str) -> Iterator[SCORES]:
    """Ours, which reads while it computes."""
    import scipy.special  # noqa: F401 - loaded with the first interval

    from attribution.metrics.files import evaluate_files

    limit = os.environ.get("BENCHMARK_MEMORY") or None
    yield {}
    yield {}
    run, qrels = folder / f"run.{kind}", folder / f"qrels.{kind}"
    found = evaluate_files(run, qrels, METRICS, memory_limit=limit)
    yield {each.metric: each.mean.estimate or 0.0 for each in found.metrics}


def pytrec_eval(folder: Path, kind: str) -> Iterator[SCORES]:
    """trec_eval through its Python binding."""
    import pyarrow.parquet  # noqa: F401 - part of starting up
    import pytrec_eval as library

    yield {}
    run, qrels = (
        (_nested(folder / "run.parquet", "score"), _nested(folder / "qrels.parquet", "grade"))
        if kind == "parquet"
        else (_parsed(folder / "run.trec", library.parse_run), _parsed(folder / "qrels.trec", library.parse_qrel))
    )
    yield {}
    names = {"P_10": "P@10", "recall_10": "R@10", "recall_100": "R@100", "ndcg_cut_10": "nDCG@10", "map": "AP"}
    wanted = {"P.10", "recall.10,100", "ndcg_cut.10", "map", "recip_rank"}
    found = library.RelevanceEvaluator(qrels, wanted).evaluate(run)
    yield {ours: sum(values[theirs] for values in found.values()) / len(found) for theirs, ours in names.items()}


def ir_measures(folder: Path, kind: str) -> Iterator[SCORES]:
    """ir_measures."""
    import pandas as pd

    library: Any = importlib.import_module("ir_measures")

    yield {}
    if kind == "parquet":
        run = pd.read_parquet(folder / "run.parquet", columns=["query_id", "doc_id", "score"])
        qrels = pd.read_parquet(folder / "qrels.parquet").rename(columns={"grade": "relevance"})
    else:
        run = list(library.read_trec_run(str(folder / "run.trec")))
        qrels = list(library.read_trec_qrels(str(folder / "qrels.trec")))
    yield {}
    measures = [library.parse_measure(name) for name in METRICS.split() if not name.startswith("F1")]
    yield {str(measure): value for measure, value in library.calc_aggregate(measures, qrels, run).items()}


def ranx(folder: Path, kind: str) -> Iterator[SCORES]:
    """Ranx."""
    import pandas as pd

    library: Any = importlib.import_module("ranx")
    run_type, qrels_type = library.Run, library.Qrels

    yield {}
    if kind == "parquet":
        kinds = {"query_id": "object", "doc_id": "object"}  # with the text columns of pandas 3 it refuses its own input
        listed = pd.read_parquet(folder / "run.parquet").astype(kinds)
        judged = pd.read_parquet(folder / "qrels.parquet").astype(kinds | {"grade": "int64"})
        run = run_type.from_df(listed, q_id_col="query_id", doc_id_col="doc_id", score_col="score")
        qrels = qrels_type.from_df(judged, q_id_col="query_id", doc_id_col="doc_id", score_col="grade")
    else:
        run = run_type.from_file(str(folder / "run.trec"), kind="trec")
        qrels = qrels_type.from_file(str(folder / "qrels.trec"), kind="trec")
    yield {}
    names = {
        "precision@10": "P@10", "recall@10": "R@10", "recall@100": "R@100", "f1@10": "F1@10", "ndcg@10": "nDCG@10",
        "mrr@10": "RR@10", "map": "AP",
    }  # fmt: skip
    found = library.evaluate(qrels, run, list(names))
    yield {ours: float(found[theirs]) for theirs, ours in names.items()}


CONTESTANTS: dict[str, Callable[[Path, str], Iterator[SCORES]]] = {
    each.__name__: each for each in (scan, foundlost, pytrec_eval, ir_measures, ranx)
}


def _nested(path: Path, value: str) -> dict[str, dict[str, Any]]:
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["query_id", "doc_id", value])
    nested: dict[str, dict[str, Any]] = {}
    for query, document, number in zip(*(table[name].to_pylist() for name in table.column_names), strict=True):
        nested.setdefault(query, {})[document] = number
    return nested


def _parsed(path: Path, parse: Callable[[Any], Any]) -> Any:
    with path.open() as lines:
        return parse(lines)
