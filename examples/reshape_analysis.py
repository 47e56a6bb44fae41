"""Reshape a folder of per-seed analysis files into canonical traces: one line a question and seed.

The layout is one that evaluation scripts often leave behind:

    FOLDER/manifest.json          condition, judge, student (all optional)
    FOLDER/retrieval_log.jsonl    idx, question, gold_article_ids, retrieved_ids
    FOLDER/seed13-analysis.jsonl  idx, score, … one file a seed

Usage:
    python examples/reshape_analysis.py FOLDER | foundlost ingest - --run NAME --pass-rule 'score >= 3'

Each seed becomes one repeat of the question, so that answers to the same question count as one cluster. The folder
records one list a question, what retrieval returned; it becomes the only stage, ``retrieved``.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SEED_FILE = re.compile(r"seed(\d+)-analysis\.jsonl")


def traces(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the run's description, then one canonical trace a question and seed."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    yield {
        "run": {
            "build": manifest.get("condition"),
            "stages": ["retrieved"],
            "model": manifest.get("student"),
            "judge": manifest.get("judge"),
            "notes": manifest,
        }
    }
    retrieved = {record["idx"]: record for record in _records(folder / "retrieval_log.jsonl")}
    for file in sorted(folder.iterdir()):
        if seed := SEED_FILE.fullmatch(file.name):
            for verdict in _records(file):
                yield _trace(int(seed.group(1)), verdict, retrieved[verdict["idx"]])


def _trace(seed: int, verdict: dict[str, Any], retrieval: dict[str, Any]) -> dict[str, Any]:
    return {
        "query_id": str(verdict["idx"]),
        "query": retrieval["question"],
        "repeat": seed,
        "stages": {"retrieved": retrieval["retrieved_ids"]},
        "gold": retrieval["gold_article_ids"],
        "score": verdict["score"],
    }


def _records(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def main() -> None:
    """Write the traces of the folder named on the command line to stdout."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    for record in traces(Path(sys.argv[1])):
        print(json.dumps(record, ensure_ascii=False))


if __name__ == "__main__":
    main()
