-- grain: one row per attributable question of this run, with its weight
SELECT query_id, max(coalesce(weight, 1.0)) AS weight
FROM answers
WHERE status = 'attributable'
GROUP BY query_id
