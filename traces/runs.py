"""The runs a store holds: list them, find one by name, drop one."""

from __future__ import annotations

from typing import Any

from traces.errors import UsageError, near
from traces.models import MAX_ID
from traces.store import TraceStore

_OF_A_RUN = (
    "runs",
    "run_stages",
    "repeats",
    "tags",
    "searches",
    "stage_lists",
    "outcomes",
    "oracle_samples",
    "oracle_answers",
    "hits",
    "judgments",
    "label_sets",
)


def checked_name(name: str, what: str) -> str:
    """Return a name the user gave to a run, a stage or a label set, if it can be one.

    Raises:
        UsageError: it is empty, longer than 1,024 characters, or not text that can be stored.
    """
    if not 0 < len(name) <= MAX_ID or "\x00" in name or not _encodes(name):
        raise UsageError("bad-name", f"the name of a {what} is text of 1 to {MAX_ID:,} characters without NUL")
    return name


def _encodes(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # a command line with bytes that are not UTF-8
        return False
    return True


def require_run(store: TraceStore, run_id: str) -> None:
    """Make sure the store holds a run.

    Raises:
        UsageError: it does not; the error names the runs it may have been.
    """
    known = [row["run_id"] for row in store.rows("SELECT run_id FROM runs ORDER BY run_id")]
    if run_id in known:
        return
    raise UsageError("unknown-run", f"there is no run '{run_id}'", hint=near(run_id, known))


def list_runs(store: TraceStore) -> list[dict[str, Any]]:
    """Return one row a run, in the order they came.

    Each has ``run_id, build, created_at, model, prompt, judge, synthetic``, the names of its ``stages`` in order, and
    counts: ``questions``, ``repeats``, ``passed``, ``failed`` and ``unknown`` (repeats by outcome; of several judges'
    verdicts each counts), ``quarantined`` records and ``sources``.
    """
    runs = store.step(("traces",), "run_list", {})
    return [run | {"stages": [held["stage"] for held in run_stages(store, run["run_id"])]} for run in runs]


def run_stages(store: TraceStore, run_id: str) -> list[dict[str, Any]]:
    """Return a run's stages in order, each as ``stage, position, cutoff``."""
    return store.rows(
        "SELECT stage, position, cutoff FROM run_stages WHERE run_id = $run_id ORDER BY position", {"run_id": run_id}
    )


def drop_run(store: TraceStore, run_id: str) -> None:
    """Remove a run: its lists, outcomes, oracle experiments, inline gold, hits and issues.

    Its files can be ingested again afterwards; their entries in the ledger stay as ``dropped``, so that no later source
    gets their number. That its outcomes were seen, and when, is kept: a forecast sealed later did not foretell them.
    Documents and shared label sets stay: they belong to no run.

    Raises:
        UsageError: there is no such run.
    """
    require_run(store, run_id)
    mine = {"run_id": run_id}
    with store.transaction():
        store.connection.execute(
            """INSERT INTO dropped_outcomes
               SELECT DISTINCT o.run_id, s.sha256, s.loaded_at
               FROM outcomes AS o JOIN sources AS s ON s.source_id = o.source_id
               WHERE o.run_id = $run_id""",
            mine,
        )
        store.connection.execute(
            """DELETE FROM ingest_issues WHERE source_id IN
               (SELECT source_id FROM sources WHERE kind IN ('run', 'outcomes', 'oracle') AND target = $run_id)""",
            mine,
        )
        for table in _OF_A_RUN:
            store.connection.execute(f"DELETE FROM {table} WHERE run_id = $run_id", mine)  # noqa: S608 - names are ours
        store.connection.execute(
            "UPDATE sources SET kind = 'dropped' WHERE kind IN ('run', 'outcomes', 'oracle') AND target = $run_id", mine
        )
