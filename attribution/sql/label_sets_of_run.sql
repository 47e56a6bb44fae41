-- grain: one row per label set that judges a question of the run by more than an audit
SELECT DISTINCT j.label_set
FROM judgments AS j
JOIN (SELECT DISTINCT query_id FROM repeats WHERE run_id = $run_id) AS q ON q.query_id = j.query_id
WHERE (j.run_id IS NULL OR j.run_id = $run_id) AND coalesce(j.kind, '') <> 'audit'
ORDER BY j.label_set NULLS FIRST
