-- grain: one row per status: questions under it. A question with any attributable repeat is attributable
SELECT status, count(*) AS questions
FROM (
    SELECT query_id, CASE WHEN min(CASE WHEN status = 'attributable' THEN 0 ELSE 1 END) = 0 THEN 'attributable'
                          ELSE min(status) END AS status
    FROM answers
    GROUP BY query_id
) AS per_question_status
GROUP BY status
