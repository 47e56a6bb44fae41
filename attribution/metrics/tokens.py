"""Token positions of judged documents: how much of a budget is used up once a document is in.

Tokens are in the lists, and no portable step reads those. The two look-ups here go through the view ``stage_items``, on
DuckDB only; what they yield takes the place of the step ``metric_found``, and all steps after it run as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from traces.store import TraceStore

_STAGES_WITH_TOKENS = """
SELECT i.stage, sum(coalesce(i.kept_tokens, i.tokens)) AS tokens
FROM stage_items i
WHERE i.run_id = $run_id
GROUP BY i.stage
HAVING count(*) = count(coalesce(i.kept_tokens, i.tokens))
"""

_USED = """
SELECT stage, min(tokens) AS shortest, avg(tokens) AS average, max(tokens) AS longest
FROM (
    SELECT l.query_id, l.repeat, l.stage, coalesce(sum(coalesce(i.kept_tokens, i.tokens)), 0) AS tokens
    FROM stage_lists l
    JOIN run_stages s ON s.run_id = l.run_id AND s.stage = l.stage
    LEFT JOIN stage_items i ON i.run_id = l.run_id AND i.query_id = l.query_id AND i.repeat = l.repeat
        AND i.search = l.search AND i.stage = l.stage AND (s.cutoff IS NULL OR i.rank <= s.cutoff)
    WHERE l.run_id = $run_id
    GROUP BY l.query_id, l.repeat, l.stage
)
GROUP BY stage
"""

_FOUND_BY_TOKENS = """
CREATE OR REPLACE TEMP TABLE metric_found AS
WITH walked AS (
    SELECT query_id, repeat, search, stage, rank, coalesce(kept_tokens, tokens) AS own,
           row_number() OVER reading AS place, sum(coalesce(kept_tokens, tokens)) OVER reading AS used
    FROM stage_items
    WHERE run_id = $run_id
    WINDOW reading AS (PARTITION BY query_id, repeat, stage ORDER BY search, rank ROWS UNBOUNDED PRECEDING)
)
SELECT a.answer, a.question, s.position, h.doc_id, h.evidence_group, w.place,
       CASE WHEN $truncated = 'kept' THEN w.used - greatest(w.own, 1) + 1 ELSE w.used END AS reach,
       CASE WHEN h.whole OR $truncated = 'kept' THEN h.grade ELSE 0.0 END AS grade
FROM hits h
JOIN run_stages s ON s.run_id = h.run_id AND s.stage = h.stage
JOIN metric_answers a ON a.query_id = h.query_id AND a.repeat = h.repeat
JOIN walked w ON w.query_id = h.query_id AND w.repeat = h.repeat AND w.search = h.search AND w.stage = h.stage
    AND w.rank = h.rank
WHERE h.run_id = $run_id AND h.label_set = $label_set AND w.used IS NOT NULL
"""


def stages_with_tokens(store: TraceStore, run_id: str) -> list[str]:
    """Return the stages whose every item carries its tokens."""
    return [row["stage"] for row in store.rows(_STAGES_WITH_TOKENS, {"run_id": run_id})]


def tokens_used(store: TraceStore, run_id: str, stages: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return, per stage, the tokens of the shortest list that is handed on, on average, and of the longest."""
    return {row["stage"]: row for row in store.rows(_USED, {"run_id": run_id}) if row["stage"] in stages}


def keep_found_by_tokens(store: TraceStore, values: Mapping[str, Any]) -> None:
    """Keep ``metric_found`` with token positions as reach.

    A document is within a budget once all its tokens are; where truncated pieces are kept, once its first token is. The
    steps ``metric_answers`` and before must stand as tables.
    """
    store.connection.execute(_FOUND_BY_TOKENS, {name: values[name] for name in ("run_id", "label_set", "truncated")})
