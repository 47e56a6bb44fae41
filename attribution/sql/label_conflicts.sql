-- grain: one row per (question, document, group) judged with more than one grade
SELECT query_id, doc_id, evidence_group
FROM judgments_on_run
WHERE doc_id IS NOT NULL
GROUP BY query_id, doc_id, evidence_group
HAVING count(DISTINCT grade) > 1
