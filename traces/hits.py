"""Hits: one row per judged document found in a stage's list, kept so that nothing downstream reads the lists."""

from __future__ import annotations

from traces.steps import compose
from traces.store import TraceStore

INLINE = "inline"


def add_hits(store: TraceStore, *, run_id: str, first_source: int) -> None:
    """Find the judged documents in a run's lists from ``first_source`` on, for every label set that judges them."""
    for label_set in _label_sets(store, run_id):
        _insert(store, run_id=run_id, label_set=label_set, first_source=first_source)


def rebuild_hits(store: TraceStore, *, run_id: str | None = None, label_set: str | None = None) -> None:
    """Find the judged documents anew: for one run, for one label set, or for all."""
    for run in store.rows(
        "SELECT run_id FROM runs WHERE $run IS NULL OR run_id = $run ORDER BY run_id", {"run": run_id}
    ):
        for name in _label_sets(store, run["run_id"]):
            if label_set is None or label_set == name:
                store.connection.execute(
                    "DELETE FROM hits WHERE run_id = $run AND label_set = $name", {"run": run["run_id"], "name": name}
                )
                _insert(store, run_id=run["run_id"], label_set=name, first_source=0)


def _label_sets(store: TraceStore, run_id: str) -> list[str]:
    found = store.rows(
        """SELECT DISTINCT label_set FROM label_sets
           WHERE run_id IS NULL OR run_id = $run ORDER BY label_set""",
        {"run": run_id},
    )
    return [row["label_set"] for row in found]


def _insert(store: TraceStore, *, run_id: str, label_set: str, first_source: int) -> None:
    query = compose(("traces",), "found")
    values = {"run_id": run_id, "label_set": label_set, "first_source": first_source}
    store.connection.execute(
        """INSERT INTO hits (run_id, label_set, query_id, repeat, search, stage, doc_id, evidence_group, grade, rank,
                             whole) """
        + query.sql,
        query.bind(values),
    )
