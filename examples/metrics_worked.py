"""Small retrieval cases in which one metric hides what another shows, computed by the tool.

Usage:
    python examples/metrics_worked.py

Each case is a run of one or two questions with a handful of documents, so every number can be checked by hand.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attribution.metrics.evaluate import evaluate
from traces.ingest import ingest_run
from traces.store import TraceStore

FOUR = ["g1", "g2", "g3", "g4"]
SIX = ["x1", "x2", "x3", "x4", "x5", "x6"]
GRADED = [{"doc_id": "A", "grade": 3}, {"doc_id": "B", "grade": 1}]


@dataclass(frozen=True)
class Case:
    """Ranked lists and gold, one entry a question, the metrics to look at, and what they show."""

    name: str
    lists: Sequence[Sequence[str]]
    gold: Sequence[Sequence[Any]]
    metrics: str
    shows: str


CASES = (
    Case(
        "A: four relevant documents first",
        [FOUR + SIX], [FOUR], "P@10 R@10 F1@10 P@5 R@5 RR@10 RR@5",
        "at ten places A and B tie; a prompt of five has everything from A and nothing from B",
    ),
    Case("B: the same four last", [SIX + FOUR], [FOUR], "P@10 R@10 F1@10 P@5 R@5 RR@10 RR@5", "as A at ten"),
    Case(
        "X: grade 1 first, grade 3 fourth",
        [["B", "x1", "x2", "A"]], [GRADED], "RR@10 RR(rel=2)@10 R@10 DCG@10 nDCG@10 nDCG(gain=exp)@10",
        "the first hit ties X and Y until the threshold rises; gain tells them apart from the start",
    ),
    Case(
        "Y: grade 3 first, grade 1 fourth",
        [["A", "x1", "x2", "B"]], [GRADED], "RR@10 RR(rel=2)@10 R@10 DCG@10 nDCG@10 nDCG(gain=exp)@10",
        "as X in R@10 and RR@10, ahead of it in the rest",
    ),
    Case(
        "One of three pieces that are all needed",
        [["g1", "x1", "x2"]], [[["g1"], ["g2"], ["g3"]]], "RR Success@1 Groups Coverage",
        "a reciprocal rank of 1 says nothing of the two pieces that are not there",
    ),
    Case(
        "A perfect first place",
        [["g1", "x1"]], [FOUR[:3]], "nDCG@1 R@1", "the best possible order so far, and two thirds missing",
    ),
    Case(
        "Only the weaker document is retrieved",
        [["weak"]], [[{"doc_id": "weak", "grade": 1}, {"doc_id": "strong", "grade": 3}]], "nDCG@1",
        "the ideal knows the document that was not found",
    ),
    Case(
        "The same list, judged by what it holds",
        [["weak"]], [[{"doc_id": "weak", "grade": 1}]], "nDCG@1", "an ideal over the candidates alone would give this",
    ),
    Case(
        "Fifteen returned",
        [[f"x{number}" for number in range(10)] + [*FOUR, "x11"]], [FOUR], "R@5 R@15",
        "five places hold nothing of the four documents, fifteen hold all of them",
    ),
    Case(
        "The same fifteen, filtered to five afterwards",
        [[*FOUR, "x11"]], [FOUR], "R@5", "a better figure without a better retriever: it read fifteen places",
    ),
    Case(
        "One question answered, one of a hundred documents missed",
        [["g1"], ["x1"]], [["g1"], [f"m{number}" for number in range(100)]], "R",
        "each question counts once in the mean; pooled, the large one drowns the small one",
    ),
)  # fmt: skip


def scores(folder: Path, case: Case) -> Mapping[str, tuple[float | None, float | None]]:
    """Return mean and pooled figure of every metric of a case."""
    records = [
        {"query_id": f"q{number}", "stages": {"candidates": ranked}, "gold": gold}
        for number, (ranked, gold) in enumerate(zip(case.lists, case.gold, strict=True))
    ]
    traces = folder / "traces.jsonl"
    traces.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    with TraceStore.in_memory() as store:
        ingest_run(store, [traces], run_id="case")
        return {
            found.metric: (found.mean.estimate, found.pooled) for found in evaluate(store, "case", case.metrics).metrics
        }


def main() -> None:
    """Print every case with its metrics and what they show."""
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            print(case.name)
            for metric, (mean, pooled) in scores(Path(folder), case).items():
                beside = f"   pooled {pooled:.6f}" if len(case.lists) > 1 and pooled is not None else ""
                print(f"  {metric:<20} {mean:.6f}{beside}")
            print(f"  {case.shows}\n")
    right = 10**7 - len(FOUR)
    print(f"Retrieving nothing from 10,000,000 documents, four of them relevant: right about {right / 10**7} of them")


if __name__ == "__main__":
    main()
