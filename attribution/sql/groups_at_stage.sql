-- grain: one row per (question, repeat, stage) with any evidence present: how many needs are met there
SELECT query_id, repeat, position, sum(is_present) AS met
FROM present
GROUP BY query_id, repeat, position
