-- grain: one row per (question, judged document, evidence group) that counts for the run: the grade in force
SELECT query_id, doc_id, evidence_group, grade
FROM judged_documents
WHERE run_id IS NULL OR run_id = $run_id
