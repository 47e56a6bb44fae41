-- grain: one row per question of the run that was searched in an audit: whether gold turned up that the labels lack
SELECT j.query_id,
       max(CASE WHEN j.grade >= $min_grade AND (j.doc_id IS NOT NULL OR j.text IS NOT NULL) AND g.doc_id IS NULL THEN 1
                ELSE 0 END) AS surprised
FROM judgments AS j
JOIN (SELECT DISTINCT query_id FROM answers WHERE status = 'attributable') AS q ON q.query_id = j.query_id
LEFT JOIN same_document AS s ON s.alias = j.doc_id
LEFT JOIN (SELECT DISTINCT query_id, doc_id FROM gold) AS g
    ON g.query_id = j.query_id AND g.doc_id = coalesce(s.doc_id, j.doc_id)
WHERE j.kind = 'audit' AND (j.run_id IS NULL OR j.run_id = $run_id)
GROUP BY j.query_id
