-- grain: one row per run with outcomes that asked at least half of the questions of this run
SELECT r.run_id, count(DISTINCT r.query_id) AS shared
FROM repeats AS r
JOIN (SELECT DISTINCT query_id FROM repeats WHERE run_id = $run_id) AS q ON q.query_id = r.query_id
WHERE r.run_id IN (SELECT run_id FROM outcomes WHERE passed IS NOT NULL)
GROUP BY r.run_id
HAVING 2 * count(DISTINCT r.query_id) >= (SELECT count(DISTINCT query_id) FROM repeats WHERE run_id = $run_id)
ORDER BY r.run_id NULLS FIRST
