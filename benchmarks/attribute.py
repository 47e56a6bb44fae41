"""How fast a stored run is attributed: ``python -m benchmarks.attribute [QUESTIONS]``.

Ingests the traces of ``benchmarks.ingest`` with one labelled document a question, then times the whole command,
start-up included, and as a ratio to the load, since seconds differ from machine to machine.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.ingest import write_traces
from traces.imports import import_labels
from traces.ingest import ingest_run
from traces.store import TraceStore

RUNS = 5


def main() -> None:
    """Load, label, and time the command several times."""
    questions = int(sys.argv[1]) if len(sys.argv) > 1 else 78_125
    with tempfile.TemporaryDirectory() as folder:
        traces, labels, database = (Path(folder) / name for name in ("traces.jsonl", "labels.jsonl", "store.duckdb"))
        write_traces(traces, questions, rich=False)
        items = label_some(traces, labels)
        started = time.perf_counter()
        with TraceStore.write(database) as store:
            ingest_run(store, [traces], run_id="benchmark")
            loaded = time.perf_counter() - started
            import_labels(store, labels, name="made")
        plain = median_seconds("attribute", "benchmark", "--labels", "made", "--db", database)
        split = median_seconds("attribute", "benchmark", "--labels", "made", "--by", "intent", "--db", database)
    print(
        f"{questions:,} questions, {items:,} items: load {loaded:.1f} s; attribute {plain:.2f} s "
        f"({loaded / plain:.0f} times faster than the load), by intent {split:.2f} s; median of {RUNS} whole commands "
        f"(Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores)"
    )


def label_some(traces: Path, labels: Path) -> int:
    """Label one document a question: one it retrieved, or for every fourth question one it did not. Returns items."""
    items = 0
    with traces.open() as lines, labels.open("w") as out:
        for number, line in enumerate(lines):
            trace = json.loads(line)
            if "query_id" not in trace:
                continue
            candidates = trace["stages"]["candidates"]
            items += sum(len(listed) for listed in trace["stages"].values())
            found = candidates[number % len(candidates)]
            gold = "not-retrieved" if number % 4 == 0 else found["doc_id"] if isinstance(found, dict) else found
            out.write(json.dumps({"query_id": trace["query_id"], "doc_id": gold}) + "\n")
    return items


def median_seconds(*arguments: object) -> float:
    """Return the median wall time of the whole command."""
    seconds = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "foundlost", *map(str, arguments)], check=True, capture_output=True)
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
