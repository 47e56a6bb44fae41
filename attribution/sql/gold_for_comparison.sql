-- grain: one row per (question of the run, gold document, need it meets): what a comparison must share
SELECT DISTINCT g.query_id, g.doc_id, g.need
FROM gold AS g
JOIN in_scope AS q ON q.query_id = g.query_id
