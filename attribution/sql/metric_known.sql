-- grain: one row per (question, judged unit): its grade
SELECT q.question, j.grade
FROM metric_judged AS j
JOIN metric_questions AS q ON q.query_id = j.query_id
WHERE NOT $grouped AND $unit = 'document'
UNION ALL
SELECT question, grade
FROM (
    SELECT q.question, max(j.grade) AS grade,
           CASE WHEN $unit = 'document' THEN j.doc_id
                WHEN j.evidence_group IS NULL THEN concat('document ', j.doc_id)
                ELSE concat('group ', j.evidence_group) END AS unit
    FROM metric_judged AS j
    JOIN metric_questions AS q ON q.query_id = j.query_id
    WHERE $grouped OR $unit = 'group'
    GROUP BY q.question, CASE WHEN $unit = 'document' THEN j.doc_id
                              WHEN j.evidence_group IS NULL THEN concat('document ', j.doc_id)
                              ELSE concat('group ', j.evidence_group) END
) AS once_each
