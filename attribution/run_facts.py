"""Run facts: where a run's numbers come from, as a reader must see it beside them."""

from __future__ import annotations

from attribution.results import RunFacts, Source, StageOrigin
from traces.runs import require_run
from traces.store import TraceStore


def run_facts(store: TraceStore, run_id: str, label_set: str | None = None) -> RunFacts:
    """Return what is recorded about a run: build, judges, files read, and which lists were inferred.

    Raises:
        UsageError: unknown run.
    """
    require_run(store, run_id)
    values = {"run": run_id}
    run = store.rows("SELECT * FROM runs WHERE run_id = $run", values)[0]
    stages = store.rows("SELECT stage FROM run_stages WHERE run_id = $run ORDER BY position", values)
    origins = store.rows(
        """SELECT l.stage, l.inferred_by, count(*) AS lists FROM stage_lists l
           JOIN run_stages s ON s.run_id = l.run_id AND s.stage = l.stage
           WHERE l.run_id = $run GROUP BY l.stage, l.inferred_by, s.position
           ORDER BY s.position, l.inferred_by NULLS FIRST""",
        values,
    )
    judged = store.rows(
        "SELECT DISTINCT judge, pass_rule FROM outcomes WHERE run_id = $run AND passed IS NOT NULL", values
    )
    sources = store.rows(
        """SELECT name, kind, sha256, records, quarantined, loaded_at FROM sources
           WHERE (kind IN ('run', 'outcomes') AND target = $run) OR (kind = 'labels' AND target = $labels)
           ORDER BY source_id""",
        {"run": run_id, "labels": label_set or ""},
    )
    return RunFacts(
        run=run_id,
        **{key: run[key] for key in ("build", "created_at", "model", "prompt", "index_size", "synthetic")},
        stages=[row["stage"] for row in stages],
        judges=sorted({row["judge"] for row in judged if row["judge"]}),
        pass_rules=sorted({row["pass_rule"] for row in judged if row["pass_rule"]}),
        origins=[StageOrigin(**row) for row in origins],
        sources=[Source(**row) for row in sources],
    )
