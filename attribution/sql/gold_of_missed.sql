-- grain: one row per (question to pack, need, gold document that meets it, id the document goes by)
SELECT g.query_id, g.need, g.doc_id, u.known_as, max(u.grade) AS grade
FROM gold AS g
JOIN judged_under AS u ON u.query_id = g.query_id AND u.doc_id = g.doc_id
JOIN drawn_answers AS d ON d.query_id = g.query_id
WHERE u.run_id IS NULL OR u.run_id = $run_id
GROUP BY g.query_id, g.need, g.doc_id, u.known_as
ORDER BY g.query_id NULLS FIRST, g.need NULLS FIRST, grade DESC NULLS LAST, g.doc_id NULLS FIRST, u.known_as NULLS FIRST
