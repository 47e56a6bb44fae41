-- grain: one row per (answer, stage, threshold, relevant unit): which of the relevant ones it is, from the top
SELECT u.answer, u.position, t.rel, u.rank, u.reach,
       row_number() OVER (PARTITION BY u.answer, u.position, t.rel ORDER BY u.rank NULLS LAST) AS turn
FROM metric_ranked AS u
JOIN metric_orders AS t ON u.grade >= t.rel
