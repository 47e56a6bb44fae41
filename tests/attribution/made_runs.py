"""Small runs made in a test: canonical records in, an open store out, through the real reader."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from traces.imports.labels import import_labels
from traces.ingest import ingest_run
from traces.store import TraceStore

RUN = "run"
Record = Mapping[str, Any]


def trace(
    query_id: str, candidates: list[Any], reranked: list[Any], packed: list[Any], passed: bool | None, **more: Any
) -> dict[str, Any]:
    """Return one canonical record of the default three stages."""
    stages = {"candidates": candidates, "reranked": reranked, "packed": packed}
    return {"query_id": query_id, "stages": stages, "passed": passed, **more}


def write_lines(path: Path, records: Iterable[Record]) -> Path:
    """Write records as JSON Lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@contextmanager
def made_store(
    folder: Path, records: Iterable[Record], *, labels: Iterable[Record] = (), run: str = RUN, **options: Any
) -> Iterator[TraceStore]:
    """Ingest records as a run, and labels as the set ``made``, into a store of their own."""
    with TraceStore.in_memory() as store:
        add_run(store, folder, records, run=run, **options)
        judged = list(labels)
        if judged:
            import_labels(store, write_lines(folder / "labels.jsonl", judged), name="made", kind="human")
        yield store


def add_run(store: TraceStore, folder: Path, records: Iterable[Record], *, run: str, **options: Any) -> None:
    """Ingest records as one more run."""
    ingest_run(store, [write_lines(folder / f"{run}.jsonl", records)], run_id=run, **options)
