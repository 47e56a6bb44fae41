-- grain: one row: questions with an outcome in either run, in both, and in both with other numbers of answers; and answers
-- before to the questions of both
SELECT count(b.query_id) AS questions_before, count(a.query_id) AS questions_after,
       count(CASE WHEN a.query_id = b.query_id THEN 1 END) AS questions_both,
       count(CASE WHEN a.of_question <> b.of_question THEN 1 END) AS uneven,
       coalesce(sum(CASE WHEN a.query_id = b.query_id THEN b.of_question END), 0) AS answers_both
FROM (SELECT query_id, max(of_question) AS of_question FROM places_before GROUP BY query_id) AS b
FULL OUTER JOIN (SELECT query_id, max(of_question) AS of_question FROM places_after GROUP BY query_id) AS a
    ON a.query_id = b.query_id
