-- grain: one row per (question, document, group) judged with more than one grade
SELECT j.query_id, coalesce(s.doc_id, j.doc_id) AS doc_id, j.evidence_group
FROM judgments_on_run AS j
LEFT JOIN same_document AS s ON s.alias = j.doc_id
WHERE j.doc_id IS NOT NULL
GROUP BY j.query_id, coalesce(s.doc_id, j.doc_id), j.evidence_group
HAVING min(j.grade) < max(j.grade)
