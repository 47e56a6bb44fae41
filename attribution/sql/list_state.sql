-- grain: one row per (question, repeat): stages with a recorded list, and whether every list is whole
SELECT query_id, repeat, count(DISTINCT stage) AS recorded, min(CASE WHEN complete THEN 1 ELSE 0 END) AS all_complete
FROM stage_lists
WHERE run_id = $run_id
GROUP BY query_id, repeat
