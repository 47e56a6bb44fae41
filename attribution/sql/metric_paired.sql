-- grain: one row per question of both runs with a value of the metric in both
SELECT a.query_id, b.value AS old, a.value AS new, a.weight
FROM metric_values_after AS a
JOIN metric_values_before AS b ON b.query_id = a.query_id AND b.metric = a.metric AND b.stage = a.stage
WHERE a.metric = $metric AND a.stage = $stage
ORDER BY a.query_id NULLS LAST
