-- grain: one row per (question, repeat, field) that has a value
SELECT query_id, repeat, 'intent' AS field, intent AS value FROM in_scope WHERE intent IS NOT NULL
UNION ALL
SELECT query_id, repeat, field, max(value) AS value FROM tags
WHERE run_id = $run_id AND field <> 'intent' GROUP BY query_id, repeat, field
UNION ALL
SELECT a.query_id, a.repeat, t.field, max(t.value) AS value
FROM in_scope AS a
JOIN question_tags AS t ON t.query_id = a.query_id
LEFT JOIN (SELECT DISTINCT field FROM tags WHERE run_id = $run_id) AS own ON own.field = t.field
WHERE own.field IS NULL AND t.field <> 'intent'
GROUP BY a.query_id, a.repeat, t.field
