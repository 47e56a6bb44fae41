-- grain: one row: questions with a relevant document that can be averaged over, and how many of them carry a weight
SELECT count(*) AS questions, count(q.weight) AS with_weight
FROM metric_questions AS q
JOIN (SELECT DISTINCT query_id FROM metric_judged WHERE grade >= $min_grade) AS j ON j.query_id = q.query_id
WHERE q.unanswerable = 0
