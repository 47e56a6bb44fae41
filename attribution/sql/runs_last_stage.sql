-- grain: one row per run: its last stage, which is what the model saw
SELECT s.run_id, s.stage, s.cutoff
FROM run_stages AS s
JOIN (SELECT run_id, max(position) AS position FROM run_stages GROUP BY run_id) AS z
    ON z.run_id = s.run_id AND z.position = s.position
