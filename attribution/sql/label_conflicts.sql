-- grain: one row per (question, document, group) judged with more than one grade
SELECT j.query_id, j.doc_id, j.evidence_group
FROM judged_own AS j
JOIN judged_again AS a ON a.owner = j.owner AND a.query_id = j.query_id AND a.doc_id = j.doc_id
JOIN (SELECT DISTINCT query_id FROM repeats WHERE run_id = $run_id) AS q ON q.query_id = j.query_id
WHERE j.run_id IS NULL OR j.run_id = $run_id
GROUP BY j.query_id, j.doc_id, j.evidence_group
HAVING min(j.grade) < max(j.grade)
