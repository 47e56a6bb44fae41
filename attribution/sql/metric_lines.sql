-- grain: one row per (question, metric, stage) as it is handed out
SELECT query_id, stage, metric, value, reason
FROM metric_per_question
ORDER BY query_id NULLS LAST, metric_number NULLS LAST
