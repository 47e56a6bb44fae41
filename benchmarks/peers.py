"""How fast metrics are computed from files, beside other libraries: ``python -m benchmarks.peers [QUESTIONS]``.

Writes a seeded run of 100 places a question and judgments of it, as Parquet and as TREC text, then has every contestant
read them and compute P@10, R@10, R@100, F1@10, nDCG@10, RR@10 and AP, each in a process of its own. Wall and CPU
seconds are those of reading and computing, without the start of the interpreter and imports; peak memory is the whole
process's. A contestant that is not installed is left out; trec_eval has neither F1 nor RR with a cutoff, ir_measures no
F1, and they compute the rest. The means must agree.

``--growth`` measures ours alone at 10,000, 100,000 and 1,000,000 questions, the last within 1 GB.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.contestants import CONTESTANTS, METRICS

AGREE = 1e-9


def write_parquet(folder: Path, questions: int, judged: int) -> None:
    """Write ``run.parquet`` and ``qrels.parquet``: about ``judged`` documents found a question, and one that is not."""
    import duckdb

    connection = duckdb.connect()
    connection.execute(
        """CREATE TABLE run AS
           SELECT 'query-' || lpad(q::VARCHAR, 7, '0') AS query_id,
                  'document-' || lpad(((q * 7919 + place * 104729) % 10000000)::VARCHAR, 11, '0') AS doc_id,
                  place::INTEGER AS rank, 200.0 - place - (hash(q * 1000 + place) % 1000) / 2000.0 AS score
           FROM range($questions) t(q), range(1, 101) u(place) ORDER BY q, place""",
        {"questions": questions},
    )
    connection.execute(
        """CREATE TABLE qrels AS
           SELECT query_id, doc_id, (hash(doc_id || query_id) % 4)::INTEGER AS grade FROM run
           WHERE hash(query_id || doc_id) % 100 < $judged
           UNION ALL
           SELECT DISTINCT query_id, 'missing-' || query_id AS doc_id, 1 AS grade FROM run""",
        {"judged": judged},
    )
    for name, order in (("run", "query_id, rank"), ("qrels", "query_id, doc_id")):
        path = folder / f"{name}.parquet"
        connection.execute(f"COPY (FROM {name} ORDER BY {order}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


def write_trec(folder: Path) -> None:
    """Write the same as ``run.trec`` and ``qrels.trec``."""
    import duckdb

    connection = duckdb.connect()
    for name, columns in (
        ("run", "query_id, 'Q0', doc_id, rank, score, 'made'"),
        ("qrels", "query_id, 0, doc_id, grade"),
    ):
        connection.execute(
            f"""COPY (SELECT {columns} FROM '{folder / name}.parquet')
                TO '{folder / name}.trec' (FORMAT csv, DELIMITER ' ', HEADER false, QUOTE '')"""  # noqa: S608
        )


def measure(name: str, kind: str, folder: Path) -> dict[str, Any]:
    """Run one contestant in this process: it yields once it is imported, has read, and has computed."""
    steps = CONTESTANTS[name](folder, kind)
    marks, scores = [], []
    for each in steps:
        scores.append(each)
        marks.append((time.perf_counter(), _cpu()))
    return {
        "load": marks[1][0] - marks[0][0],
        "compute": marks[2][0] - marks[1][0],
        "cpu": marks[2][1] - marks[0][1],
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "scores": scores[-1],
    }


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def in_a_child(name: str, kind: str, folder: Path, **environment: str) -> dict[str, Any]:
    """Run one contestant in a process of its own."""
    arguments = ["--contestant", name, "--kind", kind, "--folder", str(folder)]
    found: dict[str, Any] = json.loads(_child(arguments, environment).splitlines()[-1])
    return found | {"wall": found["load"] + found["compute"]}


def make(folder: Path, questions: int, judged: int, kinds: str) -> None:
    """Write the files, in a process of its own: a child's peak memory starts at what its parent holds."""
    _child([str(questions), "--judged", str(judged), "--make", kinds, "--folder", str(folder)], {})


def _child(arguments: list[str], environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", "benchmarks.peers", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | environment)
    return done.stdout


def contest(folder: Path, kind: str, repeats: int) -> None:
    """Print one line a contestant, with its ratio to ours; the best of several runs counts for all."""
    print(
        f"\nfrom {'Parquet' if kind == 'parquet' else 'TREC text'}: load + compute = wall, CPU, peak memory, times ours"
    )
    installed = [name for name in CONTESTANTS if name in ("scan", "foundlost") or importlib.util.find_spec(name)]
    if kind != "parquet":
        installed.remove("scan")
    results = {
        name: min((in_a_child(name, kind, folder) for _ in range(repeats)), key=lambda found: float(found["wall"]))
        for name in installed
    }
    ours = results["foundlost"]
    for name, found in results.items():
        shared = ours["scores"].keys() & found["scores"].keys()
        apart = max((abs(ours["scores"][metric] - found["scores"][metric]) for metric in shared), default=0.0)
        assert apart < AGREE, (name, found["scores"], ours["scores"])
        ratios = ", ".join(
            f"{what} x{found[key] / ours[key]:.1f}"
            for what, key in (("wall", "wall"), ("CPU", "cpu"), ("memory", "megabytes"))
        )
        parts = f"{found['load']:6.2f} + {found['compute']:6.2f}"
        print(f"{name:12} {parts} = {_spent(found)}   {ratios}   {len(shared)} agree", flush=True)


def _spent(found: dict[str, Any]) -> str:
    return f"{found['wall']:6.2f} s, CPU {found['cpu']:6.2f} s, {found['megabytes']:6,.0f} MB"


def growth(folder: Path, judged: int) -> None:
    """Print what ours takes as the run grows."""
    for questions, limit in ((10_000, ""), (100_000, ""), (1_000_000, ""), (1_000_000, "1GB")):
        make(folder, questions, judged, "parquet")
        found = in_a_child("foundlost", "parquet", folder, BENCHMARK_MEMORY=limit)
        floor = in_a_child("scan", "parquet", folder)
        within = f" within {limit}" if limit else ""
        print(f"{questions:,} questions{within}: {_spent(found)}; bare scan {_spent(floor)}", flush=True)


def main() -> None:
    """Run the contests, or one contestant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="?", type=int, default=100_000)
    parser.add_argument("--judged", type=int, default=2, help="judged documents among the 100 of a question")
    parser.add_argument("--repeats", type=int, default=2, help="runs of each contestant, of which the best counts")
    parser.add_argument("--growth", action="store_true")
    for hidden in ("--contestant", "--kind", "--folder", "--make"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        write_parquet(Path(given.folder), given.questions, given.judged)
        if "trec" in given.make:
            write_trec(Path(given.folder))
        return
    if given.contestant:
        print(json.dumps(measure(given.contestant, given.kind, Path(given.folder))))
        return
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if given.growth:
            growth(folder, given.judged)
            return
        make(folder, given.questions, given.judged, "parquet trec")
        judged = f"{given.judged + 1} judgments each on average"
        print(f"{given.questions:,} questions of 100 places, {judged}: {METRICS}")
        for kind in ("parquet", "trec"):
            contest(folder, kind, given.repeats)


if __name__ == "__main__":
    main()
