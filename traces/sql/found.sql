-- grain: one row per (list, judged document, evidence group) found: its best rank, and whether a whole copy is there
SELECT run_id, CAST($label_set AS VARCHAR) AS label_set, query_id, repeat, search, stage, doc_id, evidence_group,
       max(grade) AS grade, min(place) AS rank, max(CASE WHEN cut_place IS NULL THEN 1 ELSE 0 END) = 1 AS whole
FROM places
WHERE place IS NOT NULL
GROUP BY run_id, query_id, repeat, search, stage, doc_id, evidence_group
