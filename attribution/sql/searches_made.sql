-- grain: one row per (question, repeat, search) of the run: a search shows by the text it sent, or by a list at the first
-- stage its answer has; what later stages hand on is often recorded once for all searches, under a number of its own
SELECT query_id, repeat, search
FROM (
    SELECT l.query_id, l.repeat, l.search, p.position,
           min(p.position) OVER (PARTITION BY l.query_id, l.repeat) AS earliest
    FROM stage_lists AS l
    JOIN run_stages AS p ON p.run_id = l.run_id AND p.stage = l.stage
    WHERE l.run_id = $run_id
) AS listed
WHERE position = earliest
UNION
SELECT query_id, repeat, search FROM searches WHERE run_id = $run_id
