-- grain: one row per (run, question, repeat) whose list of the last stage is whole
SELECT l.run_id, l.query_id, l.repeat
FROM stage_lists AS l
JOIN runs_last_stage AS z ON z.run_id = l.run_id AND z.stage = l.stage
GROUP BY l.run_id, l.query_id, l.repeat
HAVING min(CASE WHEN l.complete THEN 1 ELSE 0 END) = 1
