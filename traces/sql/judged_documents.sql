-- grain: one row per (judged document, evidence group) in force. Most are judged once, and it costs dear to order what needs
-- no order. Else the latest judgment of a document decides its grade; a later judgment that names no group leaves the
-- document in the groups it had
SELECT j.run_id, j.query_id, j.doc_id, j.evidence_group, j.grade
FROM judged_own AS j
LEFT JOIN judged_again AS a ON a.owner = j.owner AND a.query_id = j.query_id AND a.doc_id = j.doc_id
WHERE a.query_id IS NULL
UNION ALL
SELECT r.run_id, r.query_id, r.doc_id, r.evidence_group, coalesce(n.grade, g.grade) AS grade
FROM judged_rows AS r
JOIN judged_versions AS v ON v.owner = r.owner AND v.query_id = r.query_id AND v.doc_id = r.doc_id
JOIN judged_grades AS g ON g.owner = r.owner AND g.query_id = r.query_id AND g.doc_id = r.doc_id
LEFT JOIN judged_rows AS n
    ON n.owner = r.owner AND n.query_id = r.query_id AND n.doc_id = r.doc_id AND n.evidence_group = r.evidence_group
    AND n.version = v.latest AND n.recency = 1
WHERE r.recency = 1
  AND ((v.grouped IS NOT NULL AND r.evidence_group IS NOT NULL AND r.version = v.grouped)
       OR (v.grouped IS NULL AND r.version = v.latest))
