-- grain: one row per (question, repeat) with an outcome by the chosen judge
SELECT query_id, repeat, max(passed) AS passed
FROM outcomes
WHERE run_id = $run_id AND passed IS NOT NULL AND (CAST($judge AS VARCHAR) IS NULL OR coalesce(judge, '') = $judge)
GROUP BY query_id, repeat
