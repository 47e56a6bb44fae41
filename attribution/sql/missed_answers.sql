-- grain: one row per attributable (question, repeat) with an outcome whose evidence did not reach the last stage
SELECT a.query_id, a.repeat, a.intent, a.weight, a.reach
FROM answers AS a
CROSS JOIN last_stage AS z
WHERE a.status = 'attributable' AND a.passed IS NOT NULL AND a.reach < z.position
ORDER BY a.query_id NULLS FIRST, a.repeat NULLS FIRST
