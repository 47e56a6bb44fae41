-- grain: one row: questions and answers with an outcome in either run, and in both
SELECT count(DISTINCT b.query_id) AS questions_before, count(DISTINCT a.query_id) AS questions_after,
       count(DISTINCT CASE WHEN a.query_id IS NOT NULL THEN b.query_id END) AS questions_both,
       sum(CASE WHEN a.query_id IS NOT NULL AND b.query_id IS NOT NULL THEN 1 ELSE 0 END) AS answers_both
FROM places_before AS b
FULL OUTER JOIN places_after AS a ON a.query_id = b.query_id AND a.repeat = b.repeat
