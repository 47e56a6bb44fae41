-- grain: one row per (question to show, gold document, id it goes by)
SELECT DISTINCT g.query_id, g.doc_id, u.known_as
FROM gold AS g
JOIN judged_under AS u ON u.query_id = g.query_id AND u.doc_id = g.doc_id
JOIN (SELECT DISTINCT query_id FROM shown) AS s ON s.query_id = g.query_id
WHERE u.run_id IS NULL OR u.run_id = $run_id
