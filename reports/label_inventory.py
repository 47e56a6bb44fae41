"""Every label set of a store: how much it holds, who made it and when, and what an audit of it found."""

from __future__ import annotations

from datetime import datetime

from attribution.results import Result
from traces.store import TraceStore


class LabelSet(Result):
    """One label set over the whole store; the judgments of audits are counted apart, for they are no labels.

    Attributes:
        name: of the set; ``inline`` stands for what runs brought along themselves.
        version: its newest version.
        kinds: what kinds of judgments it holds.
        judgments: how many.
        questions: on how many questions.
        annotators: by how many people or models, as far as they are named.
        oldest: when the first judgment was made, in UTC, where that is recorded.
        newest: when the last one was.
        imported: when its newest version came into the store.
        conflicts: documents judged with more than one grade.
        audited: questions searched in an audit imported under this name.
    """

    name: str
    version: int
    kinds: tuple[str, ...]
    judgments: int
    questions: int
    annotators: int
    oldest: datetime | None
    newest: datetime | None
    imported: datetime | None
    conflicts: int
    audited: int


def label_sets(store: TraceStore) -> list[LabelSet]:
    """Return every label set by name."""
    rows = store.rows(
        """SELECT s.label_set AS name, max(s.version) AS version, max(s.created_at) AS imported
           FROM label_sets AS s GROUP BY s.label_set ORDER BY s.label_set"""
    )
    held = {row["name"]: row for row in store.rows(_HELD)}
    conflicts = {row["name"]: row["conflicts"] for row in store.rows(_CONFLICTS)}
    kinds: dict[str, list[str]] = {}
    for row in store.rows(_KINDS):
        kinds.setdefault(row["name"], []).append(row["kind"])
    return [
        LabelSet(
            **row,
            kinds=tuple(kinds.get(row["name"], [])),
            **{key: value for key, value in held[row["name"]].items() if key != "name"},
            conflicts=conflicts.get(row["name"], 0),
        )
        for row in rows
        if row["name"] in held
    ]


_HELD = """
    SELECT label_set AS name,
           count(*) FILTER (coalesce(kind, '') <> 'audit') AS judgments,
           count(DISTINCT query_id) FILTER (coalesce(kind, '') <> 'audit') AS questions,
           count(DISTINCT annotator) FILTER (coalesce(kind, '') <> 'audit') AS annotators,
           min(judged_at) FILTER (coalesce(kind, '') <> 'audit') AS oldest,
           max(judged_at) FILTER (coalesce(kind, '') <> 'audit') AS newest,
           count(DISTINCT query_id) FILTER (kind = 'audit') AS audited
    FROM judgments GROUP BY label_set
"""
_CONFLICTS = """
    SELECT name, count(*) AS conflicts FROM (
        SELECT label_set AS name FROM judgments
        WHERE doc_id IS NOT NULL AND coalesce(kind, '') <> 'audit'
        GROUP BY label_set, run_id, query_id, doc_id, evidence_group HAVING count(DISTINCT grade) > 1
    ) GROUP BY name
"""
_KINDS = "SELECT DISTINCT label_set AS name, kind FROM judgments WHERE kind IS NOT NULL ORDER BY name, kind"


def most_shared(store: TraceStore) -> str | None:
    """Return the label set that judges most runs; of several, one that belongs to no run, then the first by name."""
    rows = store.rows(
        """SELECT j.label_set AS name, count(DISTINCT r.run_id) AS runs
           FROM judgments AS j JOIN repeats AS r ON r.query_id = j.query_id
           WHERE (j.run_id IS NULL OR j.run_id = r.run_id) AND coalesce(j.kind, '') <> 'audit'
           GROUP BY j.label_set ORDER BY runs DESC, name = 'inline', name LIMIT 1"""
    )
    return str(rows[0]["name"]) if rows else None
