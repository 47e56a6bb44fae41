-- grain: one row per (question, repeat) to score; a question the run did not ask has one, with nothing found
SELECT question AS answer, question, query_id, repeat, unanswerable, asked,
       CASE WHEN $weighted THEN intent END AS stratum, CASE WHEN $weighted THEN weight ELSE 1.0 END AS weight
FROM metric_questions
WHERE NOT $repeated
UNION ALL
SELECT CAST(row_number() OVER (ORDER BY q.question NULLS LAST, r.repeat NULLS LAST) AS INTEGER) AS answer, q.question,
       q.query_id, r.repeat, q.unanswerable, q.asked,
       CASE WHEN $weighted THEN q.intent END AS stratum, CASE WHEN $weighted THEN q.weight ELSE 1.0 END AS weight
FROM metric_questions AS q
LEFT JOIN (SELECT query_id, repeat FROM repeats WHERE run_id = $run_id) AS r ON r.query_id = q.query_id
WHERE $repeated
