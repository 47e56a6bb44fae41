-- grain: one row per (answer, cut as deep as its own list): the most that can be gained there; an empty list is held
-- against one place, so that it scores 0
SELECT a.answer, c.cut,
       sum(CASE WHEN c.gain = 'exp' THEN POWER(2.0, o.grade) - 1.0 ELSE o.grade END / NULLIF(LOG2(o.place + 1), 0)) AS best
FROM metric_answers AS a
CROSS JOIN (SELECT cut, position, gain, least FROM metric_cuts WHERE to_length = 1 AND ideal IS NOT NULL) AS c
LEFT JOIN metric_lengths AS l ON l.answer = a.answer AND l.position = c.position
JOIN metric_ideal_order AS o
    ON o.question = a.question AND o.grade >= c.least AND o.place <= GREATEST(coalesce(l.length, 1), 1)
GROUP BY a.answer, c.cut
