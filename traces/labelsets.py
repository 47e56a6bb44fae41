"""Label sets and their versions: judgments are only ever added, each addition under the next version."""

from __future__ import annotations

from datetime import UTC, datetime

from traces.gold import GoldSet
from traces.store import TraceStore


def next_version(store: TraceStore, name: str, run_id: str | None) -> int:
    """Return the version the next judgments of a set get; versions count from 1."""
    return int(
        store.value(
            """SELECT coalesce(max(version), 0) + 1 FROM label_sets
               WHERE label_set = $name AND run_id IS NOT DISTINCT FROM $run_id""",
            {"name": name, "run_id": run_id},
        )
    )


def add_version(store: TraceStore, gold_set: GoldSet, source_id: int) -> None:
    """Write down that a set has a new version, and which source brought it."""
    store.connection.execute(
        "INSERT INTO label_sets (label_set, version, run_id, source_id, created_at) VALUES (?, ?, ?, ?, ?)",
        [gold_set.name, gold_set.version, gold_set.run_id, source_id, datetime.now(UTC).replace(tzinfo=None)],
    )
