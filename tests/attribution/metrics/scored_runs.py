"""Runs and judgments as the peers take them, and the same put into a store through the readers of TREC files."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from attribution.metrics.conventions import MetricChoices
from attribution.metrics.evaluate import evaluate, measure
from attribution.results import MetricAtStage
from traces.imports.labels import import_labels
from traces.ingest import ingest_run
from traces.store import TraceStore

STAGE = "candidates"
Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]
# The metrics that the peers have too, under the names trec_eval gives them.
TREC_EVAL = {
    "P@5": "P_5",
    "P@10": "P_10",
    "R@5": "recall_5",
    "R@10": "recall_10",
    "R@100": "recall_100",
    "nDCG@5": "ndcg_cut_5",
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "RR": "recip_rank",
    "AP": "map",
    "AP@10": "map_cut_10",
    "Rprec": "Rprec",
    "Success@1": "success_1",
    "Success@5": "success_5",
}


@contextmanager
def scored_store(folder: Path, run: Mapping[str, Mapping[str, float]], qrels: Qrels) -> Iterator[TraceStore]:
    """Write a run and its judgments as TREC files, and read them into a store of their own."""
    with stored(write_run(folder / "made.run", run), write_qrels(folder / "made.qrels", qrels)) as store:
        yield store


@contextmanager
def stored(run: Path, qrels: Path) -> Iterator[TraceStore]:
    """Read a TREC run and its judgments into a store of their own."""
    with TraceStore.in_memory() as store:
        ingest_run(store, [], run_id="run", stages=[(STAGE, run)])
        import_labels(store, qrels, name="qrels", format="trec-qrels")
        yield store


def write_run(path: Path, run: Mapping[str, Mapping[str, float]]) -> Path:
    """Write a run as a TREC file, its lines in the order of the dictionaries."""
    path.write_text(
        "".join(
            f"{query} Q0 {document} {place} {score!r} made\n"
            for query, scores in run.items()
            for place, (document, score) in enumerate(scores.items(), start=1)
        )
    )
    return path


def write_qrels(path: Path, qrels: Qrels) -> Path:
    """Write judgments as a TREC file."""
    path.write_text(
        "".join(
            f"{query} 0 {document} {grade}\n" for query, grades in qrels.items() for document, grade in grades.items()
        )
    )
    return path


def per_question(
    store: TraceStore, metrics: str, choices: MetricChoices | None = None
) -> dict[str, dict[str, float | None]]:
    """Return every value by metric and question."""
    values = measure(store, "run", metrics, choices)
    found: dict[str, dict[str, float | None]] = {}
    for row in values.per_question().to_pylist():
        found.setdefault(row["metric"], {})[row["query_id"]] = row["value"]
    return found


def means(store: TraceStore, metrics: str, choices: MetricChoices | None = None) -> dict[str, float | None]:
    """Return the mean of every metric."""
    return {name: found.mean.estimate for name, found in at_stage(store, metrics, choices).items()}


def at_stage(store: TraceStore, metrics: str, choices: MetricChoices | None = None) -> dict[str, MetricAtStage]:
    """Return every metric at the one stage of a scored run."""
    return {found.metric: found for found in evaluate(store, "run", metrics, choices).metrics}


def random_case(seed: int, *, ties: bool = True) -> tuple[Run, Qrels]:
    """Return a seeded run and its judgments: negative grades, unjudged documents, questions on one side only."""
    draw = random.Random(seed)
    scores = [0.5, 1.0, 1.5] if ties else []
    documents = [f"d{number:02d}" for number in range(40)]
    run: Run = {}
    qrels: Qrels = {}
    for number in range(draw.randint(1, 12)):
        query = f"q{number}"
        if draw.random() < 0.9:
            listed = draw.sample(documents, draw.choice([1, 2, 5, 12, 40]))
            run[query] = {name: draw.choice([*scores, draw.random()]) for name in listed}
        if draw.random() < 0.9:
            judged = draw.sample(documents, draw.choice([1, 3, 12, 30]))
            qrels[query] = {name: draw.choice([-1, 0, 0, 1, 1, 2, 3]) for name in judged}
    run.setdefault("q0", {"d00": 1.0})
    qrels.setdefault("q0", {"d01": 1})
    return run, qrels


def random_cases(seeds: Iterable[int], *, ties: bool = True) -> tuple[Run, Qrels]:
    """Return several random cases as one, since reading them one by one takes longer than comparing them."""
    run: Run = {}
    qrels: Qrels = {}
    for seed in seeds:
        listed, judged = random_case(seed, ties=ties)
        run |= {f"{seed}-{query}": scores for query, scores in listed.items()}
        qrels |= {f"{seed}-{query}": grades for query, grades in judged.items()}
    return run, qrels
