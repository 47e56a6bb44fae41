-- grain: one row per (answer, stage, judged document) found: its best place, and the grade of the best copy of it there is.
-- With one search and no groups a document is found once anyhow
SELECT answer, question, position, doc_id, grade, place, reach
FROM metric_found
WHERE $found_once
UNION ALL
SELECT answer, question, position, doc_id, max(grade) AS grade, min(place) AS place, min(reach) AS reach
FROM metric_found
WHERE NOT $found_once
GROUP BY answer, question, position, doc_id
