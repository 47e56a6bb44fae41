-- grain: one row per (question, repeat, stage): places that repeat a document, and documents with no whole copy
SELECT l.query_id, l.repeat, s.position, sum(l.duplicates) AS duplicates, sum(l.truncated_items) AS truncated
FROM stage_lists AS l
JOIN run_stages AS s ON s.run_id = l.run_id AND s.stage = l.stage
WHERE l.run_id = $run_id
GROUP BY l.query_id, l.repeat, s.position
