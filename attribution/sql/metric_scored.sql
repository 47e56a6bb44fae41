-- grain: one row per (question of the run, metric, stage) with a value
SELECT query_id, stage, metric, value, weight
FROM metric_per_question
WHERE asked = 1 AND value IS NOT NULL
