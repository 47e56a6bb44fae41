-- grain: one row per (question, ideal of fixed depth): the most that can be gained there
SELECT o.question, i.ideal,
       sum(CASE WHEN i.gain = 'exp' THEN POWER(2.0, o.grade) - 1.0 ELSE o.grade END / NULLIF(LOG2(o.place + 1), 0)) AS best
FROM metric_ideal_order AS o
JOIN (SELECT DISTINCT ideal, ideal_depth, gain, least FROM metric_cuts WHERE to_length = 0) AS i
    ON o.grade >= i.least AND (i.ideal_depth IS NULL OR o.place <= i.ideal_depth)
WHERE i.ideal IS NOT NULL
GROUP BY o.question, i.ideal
