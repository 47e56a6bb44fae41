-- grain: one row per (question, judged document, evidence group) that counts for the run: the grade in force. Where no
-- document was judged twice or goes by two ids the judgments are that already, and it would cost dear to find out again
SELECT query_id, doc_id, evidence_group, grade
FROM judgments
WHERE $judged_once AND label_set = $label_set AND doc_id IS NOT NULL AND (run_id IS NULL OR run_id = $run_id)
  AND coalesce(kind, '') <> 'audit'
UNION ALL
SELECT query_id, doc_id, evidence_group, grade
FROM judged_documents
WHERE NOT $judged_once AND (run_id IS NULL OR run_id = $run_id)
