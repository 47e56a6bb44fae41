-- grain: one row per attributable (question, repeat) with an outcome: whether its evidence arrived, and its fate by name.
-- turn counts the answers of a question, of which there are so many
SELECT a.query_id, a.repeat, CASE WHEN $weighted THEN a.weight END AS weight, a.passed, CASE WHEN a.reach = z.position THEN 1 ELSE 0 END AS has_gold,
       CASE WHEN a.reach = z.position THEN 'reached'
            WHEN a.reach = 0 THEN 'never_found'
            ELSE concat('lost:', s.stage) END AS fate,
       row_number() OVER (PARTITION BY a.query_id ORDER BY a.repeat NULLS LAST) AS turn,
       count(*) OVER (PARTITION BY a.query_id) AS of_question
FROM answers AS a
CROSS JOIN last_stage AS z
LEFT JOIN run_stages AS s ON s.run_id = $run_id AND s.position = a.reach + 1
WHERE a.status = 'attributable' AND a.passed IS NOT NULL
