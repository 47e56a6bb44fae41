-- grain: one row per pair of an answer with an outcome before and one of the replay to the same question: gold before, and
-- gold after by the replay; passed and fate stand as before. They pair as in paired_answers
SELECT b.query_id, b.weight, b.has_gold AS gold_before,
       CASE WHEN a.reach = z.position THEN 1 ELSE 0 END AS gold_after,
       b.passed AS passed_before, b.passed AS passed_after, b.fate AS fate_before, b.fate AS fate_after,
       CASE WHEN a.of_question = b.of_question THEN 1 ELSE a.of_question END AS times_before,
       CASE WHEN a.of_question = b.of_question THEN 1 ELSE b.of_question END AS times_after
FROM places_before AS b
JOIN (
    SELECT query_id, reach, row_number() OVER (PARTITION BY query_id ORDER BY repeat NULLS LAST) AS turn,
           count(*) OVER (PARTITION BY query_id) AS of_question
    FROM answers
    WHERE status = 'attributable'
) AS a ON a.query_id = b.query_id AND (a.turn = b.turn OR a.of_question <> b.of_question)
CROSS JOIN last_stage AS z
