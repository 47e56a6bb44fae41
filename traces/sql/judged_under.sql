-- grain: one row per (judgment in force, id the document goes by): lists may name it by its own id or by an alias
SELECT run_id, query_id, doc_id, evidence_group, grade, doc_id AS known_as
FROM judged_documents
UNION ALL
SELECT j.run_id, j.query_id, j.doc_id, j.evidence_group, j.grade, s.alias AS known_as
FROM judged_documents AS j
JOIN same_document AS s ON s.doc_id = j.doc_id
