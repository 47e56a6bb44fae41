-- grain: one row per (answer, cut) with a judged unit in it: what the metrics are made of
SELECT u.answer, c.cut,
       count(CASE WHEN u.grade >= c.rel THEN 1 END) AS hit_count,
       min(CASE WHEN u.grade >= c.rel THEN u.rank END) AS first_rank,
       count(CASE WHEN c.depth IS NULL OR u.place <= c.depth THEN 1 END) AS seen,
       sum(CASE WHEN u.grade <= 0 OR u.grade < c.least THEN 0.0
                WHEN c.gain = 'exp' THEN POWER(2.0, u.grade) - 1.0 ELSE u.grade END) AS cumulated,
       sum(CASE WHEN u.grade <= 0 OR u.grade < c.least THEN 0.0
                WHEN c.gain = 'exp' THEN POWER(2.0, u.grade) - 1.0 ELSE u.grade END
           / NULLIF(LOG2(u.rank + 1), 0)) AS discounted,
       sum(CASE WHEN c.persistence IS NOT NULL AND u.grade >= c.rel THEN POWER(c.persistence, u.rank - 1)
                ELSE 0.0 END) AS persisted
FROM metric_ranked AS u
JOIN metric_cuts AS c ON c.position = u.position AND (c.depth IS NULL OR u.reach <= c.depth)
GROUP BY u.answer, c.cut
