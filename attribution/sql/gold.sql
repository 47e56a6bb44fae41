-- grain: one row per (question, gold document, need it meets). A need is what must be present for the evidence to count:
-- with $require 'any' a question has one need, which any gold document meets; with 'groups' one per labelled group and one
-- for the documents outside groups; with 'all' every document outside a group is a need of its own
SELECT query_id, doc_id,
       CASE WHEN $require = 'any' THEN 'any'
            WHEN evidence_group IS NOT NULL THEN concat('group ', evidence_group)
            WHEN $require = 'all' THEN concat('document ', doc_id)
            ELSE 'ungrouped' END AS need
FROM judged_documents
WHERE grade >= $min_grade AND (run_id IS NULL OR run_id = $run_id)
