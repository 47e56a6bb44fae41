"""How fast traces go into a store: ``python -m benchmarks.ingest [QUESTIONS] [--rich]``.

Writes seeded traces of 100 + 20 + 8 documents a question, ingests them in a process of their own, and prints items a
second, the time and the peak memory. ``--rich`` gives the packed items tokens, as a context packer records them.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

DEPTHS = {"candidates": 100, "reranked": 20, "packed": 8}
CORPUS = 1_000_000
SEED = 20_260_926


def main() -> None:
    """Measure, in a child process so that its peak memory is its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="?", type=int, default=78_125)
    parser.add_argument("--rich", action="store_true", help="packed items carry tokens")
    parser.add_argument("--load", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.load:
        print(json.dumps(measure(arguments.load)))
        return
    with tempfile.TemporaryDirectory() as folder:
        traces = Path(folder) / "traces.jsonl"
        write_traces(traces, arguments.questions, rich=arguments.rich)
        child = subprocess.run(
            [sys.executable, "-m", "benchmarks.ingest", "--load", str(traces)], check=True, capture_output=True
        )
    found = json.loads(child.stdout)
    print(
        f"{found['items']:,} items of {arguments.questions:,} questions ({found['megabytes']:,.0f} MB): "
        f"{found['seconds']:.1f} s, {found['items'] / found['seconds']:,.0f} items/s, "
        f"CPU {found['cpu']:.1f} s, peak memory {found['peak_megabytes']:,.0f} MB, "
        f"store {found['store_megabytes']:,.0f} MB "
        f"(Python {platform.python_version()}, {platform.machine()})"
    )


def measure(traces: Path) -> dict[str, float]:
    """Ingest a file into a new store beside it."""
    from traces.ingest import ingest_run
    from traces.store import TraceStore

    database = traces.with_suffix(".duckdb")
    started = time.perf_counter()
    with TraceStore.write(database) as store:
        report = ingest_run(store, [traces], run_id="benchmark")
    seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "items": report.counts["items"],
        "seconds": seconds,
        "cpu": used.ru_utime + used.ru_stime,
        "peak_megabytes": used.ru_maxrss / 1024,
        "megabytes": traces.stat().st_size / 1e6,
        "store_megabytes": database.stat().st_size / 1e6,
    }


def write_traces(path: Path, questions: int, *, rich: bool) -> None:
    """Write seeded traces."""
    with path.open("w") as file:
        file.writelines(trace_lines(questions, rich=rich))


def trace_lines(questions: int, *, rich: bool) -> Iterator[str]:
    """Yield one canonical trace a line; later stages keep the best of the stage before."""
    draw = random.Random(SEED)  # noqa: S311 - made-up data
    for number in range(questions):
        documents = [f"document-{draw.randrange(CORPUS):011d}" for _ in range(DEPTHS["candidates"])]
        stages = {
            stage: [_item(name, draw, rich=rich and stage == "packed") for name in documents[:depth]]
            for stage, depth in DEPTHS.items()
        }
        trace = {
            "query_id": f"question-{number:07d}",
            "query": "which of the two builds lost this one",
            "intent": draw.choice(("how", "why", "where")),
            "stages": stages,
            "passed": draw.random() < 0.3,
            "gold": [documents[draw.randrange(100)]],
        }
        yield json.dumps(trace) + "\n"


def _item(name: str, draw: random.Random, *, rich: bool) -> dict[str, object]:
    item: dict[str, object] = {"doc_id": name, "score": round(draw.random() * 20, 5)}
    if rich:
        item |= {"tokens": 480, "kept_tokens": draw.choice((480, 200))}
    return item


if __name__ == "__main__":
    main()
