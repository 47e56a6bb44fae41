"""How fast metrics of a stored run are: ``python -m benchmarks.stored_metrics [QUESTIONS …]``.

Fills a store with a made-up run of one stage, 100 places and 3 judgments a question, as if it had been loaded: hits are
there, the lists themselves are not, since nothing after the hits reads them. Then times the seven metrics of
``benchmarks.peers`` in a process that has the store open, and as a whole command; the best of several counts.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from attribution.metrics.evaluate import evaluate
from benchmarks.contestants import METRICS
from traces.store import TraceStore

SIZES = (10_000, 100_000, 1_000_000)
RUNS = 3
_FILL = """
INSERT INTO runs (run_id) VALUES ('made');
INSERT INTO run_stages VALUES ('made', 'candidates', 1, NULL);
INSERT INTO label_sets VALUES ('made', 1, NULL, 1, now());
CREATE TEMP TABLE asked AS SELECT i, 'question-' || lpad(i::VARCHAR, 9, '0') AS query_id FROM range($questions) t(i);
INSERT INTO repeats (run_id, query_id, repeat, source_id) SELECT 'made', query_id, 0, 1 FROM asked;
INSERT INTO stage_lists
    (run_id, query_id, repeat, search, stage, items, duplicates, truncated_items, complete, source_id)
SELECT 'made', query_id, 0, 0, 'candidates', 100, 0, 0, TRUE, 1 FROM asked;
INSERT INTO judgments (label_set, version, query_id, doc_id, grade, source_id, line)
SELECT 'made', 1, query_id, 'document-' || lpad((hash(i * 3 + j) % 10000000)::VARCHAR, 11, '0'),
       (hash(i * 5 + j) % 4)::DOUBLE, 1, i * 3 + j
FROM asked, range(3) u(j);
INSERT INTO hits (run_id, label_set, query_id, repeat, search, stage, doc_id, grade, rank, whole)
SELECT 'made', 'made', query_id, 0, 0, 'candidates', doc_id, grade, 1 + (hash(doc_id) % 150)::INTEGER, TRUE
FROM judgments WHERE hash(doc_id) % 150 < 100;
"""


def main() -> None:
    """Print one line a size."""
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, {METRICS}")
    for questions in map(int, sys.argv[1:] or SIZES):
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "store.duckdb"
            with TraceStore.write(database) as store, store.transaction():
                for statement in _FILL.split(";\n")[:-1]:
                    named = {"questions": questions} if "$questions" in statement else {}
                    store.connection.execute(statement, named)
            with TraceStore.read(database) as store:
                inside = best(partial(evaluate, store, "made", METRICS))
            command = [sys.executable, "-m", "foundlost", "metrics", "made", "--metrics", METRICS, "--db", database]
            whole = best(partial(subprocess.run, command, check=True, capture_output=True))
        print(
            f"{questions:,} questions: {_spent(inside, questions)}; the whole command {_spent(whole, questions)}; "
            f"load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


def best(work: Callable[[], object]) -> tuple[float, float]:
    """Return the least wall and CPU seconds of several runs, those of children included."""
    found = []
    for _ in range(RUNS):
        started, used = time.perf_counter(), _cpu()
        work()
        found.append((time.perf_counter() - started, _cpu() - used))
    return min(wall for wall, _ in found), min(cpu for _, cpu in found)


def _cpu() -> float:
    return sum(os.times()[:4])


def _spent(found: tuple[float, float], questions: int) -> str:
    wall, cpu = found
    return f"{wall:.2f} s, CPU {cpu:.2f} s ({wall * 1e6 / questions:.2f} s a million)"


if __name__ == "__main__":
    main()
