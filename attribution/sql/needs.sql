-- grain: one row per (question, need): how many known documents can meet it, how many of them were never indexed, and
-- how many more could meet it but go by their text only
SELECT m.query_id, m.need, sum(m.known) AS documents, sum(1 - m.known) AS without_id,
       sum(CASE WHEN m.known = 1 AND x.doc_id IS NOT NULL THEN 1 ELSE 0 END) AS not_indexed
FROM (
    SELECT DISTINCT query_id, need, doc_id, 1 AS known FROM gold
    UNION ALL
    SELECT query_id, need, CAST(NULL AS VARCHAR) AS doc_id, 0 AS known FROM gold_without_id
) AS m
LEFT JOIN outside_index AS x ON x.doc_id = m.doc_id
GROUP BY m.query_id, m.need
