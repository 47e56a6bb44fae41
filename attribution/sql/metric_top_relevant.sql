-- grain: one row per (answer, cut as deep as the question has relevant units) with a hit: hits within that depth
SELECT u.answer, c.cut, count(*) AS top_hits
FROM metric_ranked AS u
JOIN metric_cuts AS c ON c.position = u.position AND c.wants_top = 1 AND u.grade >= c.rel
JOIN metric_relevant AS g ON g.question = u.question AND g.rel = c.rel AND u.reach <= g.relevant
GROUP BY u.answer, c.cut
