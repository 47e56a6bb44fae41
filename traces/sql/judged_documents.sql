-- grain: one row per judgment in force, under the document's own id
SELECT j.run_id, j.query_id, coalesce(s.doc_id, j.doc_id) AS doc_id, j.evidence_group, j.grade
FROM judged AS j
LEFT JOIN same_document AS s ON s.alias = j.doc_id
