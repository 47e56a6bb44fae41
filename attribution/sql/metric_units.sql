-- grain: one row per (answer, stage, unit) found: a document at its best place, or an evidence group at the best place of
-- its best-graded member
SELECT answer, question, position, doc_id AS unit, grade, place, reach
FROM metric_documents
WHERE $unit = 'document'
UNION ALL
SELECT answer, question, position, unit, grade, place, reach
FROM (
    SELECT answer, question, position, unit, grade, place, reach,
           row_number() OVER (
               PARTITION BY answer, position, unit ORDER BY grade DESC NULLS LAST, place NULLS LAST
           ) AS turn
    FROM (
        SELECT answer, question, position, max(grade) AS grade, min(place) AS place, min(reach) AS reach,
               CASE WHEN evidence_group IS NULL THEN concat('document ', doc_id)
                    ELSE concat('group ', evidence_group) END AS unit
        FROM metric_found
        WHERE $unit = 'group'
        GROUP BY answer, question, position, doc_id, evidence_group
    ) AS grouped_units
) AS by_worth
WHERE turn = 1
