-- grain: one row per (attributable question, repeat, stage): needs met there, and whether that is all of them
SELECT a.query_id, a.repeat, a.intent, a.weight, a.passed, a.needed, s.position,
       coalesce(g.met, 0) AS met,
       CASE WHEN coalesce(g.met, 0) = a.needed THEN 1 ELSE 0 END AS covered,
       CASE WHEN coalesce(v.arrived, 0) > 0 THEN 1 ELSE 0 END AS appeared_late
FROM answers AS a
CROSS JOIN (SELECT position FROM run_stages WHERE run_id = $run_id) AS s
LEFT JOIN groups_at_stage AS g ON g.query_id = a.query_id AND g.repeat = a.repeat AND g.position = s.position
LEFT JOIN arrivals AS v ON v.query_id = a.query_id AND v.repeat = a.repeat AND v.position = s.position
WHERE a.status = 'attributable'
