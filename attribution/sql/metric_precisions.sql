-- grain: one row per (answer, cut that average precision is asked at) with a hit: the precisions at its hits, added up
SELECT o.answer, c.cut, sum(CAST(o.turn AS DOUBLE) / NULLIF(o.rank, 0)) AS precisions
FROM (
    SELECT u.answer, u.position, t.rel, u.rank, u.reach,
           row_number() OVER (PARTITION BY u.answer, u.position, t.rel ORDER BY u.rank NULLS LAST) AS turn
    FROM metric_ranked AS u
    JOIN (SELECT DISTINCT position, rel FROM metric_cuts WHERE wants_order = 1) AS t
        ON t.position = u.position AND u.grade >= t.rel
) AS o
JOIN metric_cuts AS c
    ON c.position = o.position AND c.rel = o.rel AND c.wants_order = 1 AND (c.depth IS NULL OR o.reach <= c.depth)
GROUP BY o.answer, c.cut
