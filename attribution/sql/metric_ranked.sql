-- grain: one row per (answer, stage, unit) found: the rank it is scored at. A condensed list closes up over the unjudged;
-- groups that share a document, and so a place, take ranks of their own
SELECT answer, question, position, grade, place, place AS rank, reach
FROM metric_units
WHERE $unjudged <> 'condensed' AND $unit = 'document'
UNION ALL
SELECT answer, question, position, grade, place, rank, CASE WHEN $by_tokens THEN reach ELSE rank END AS reach
FROM (
    SELECT answer, question, position, grade, place, reach,
           turn + max(place - turn) OVER (
               PARTITION BY answer, position ORDER BY turn NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
           ) AS rank
    FROM (
        SELECT answer, question, position, grade, place, reach,
               row_number() OVER (
                   PARTITION BY answer, position ORDER BY place NULLS LAST, grade DESC NULLS LAST, unit NULLS LAST
               ) AS turn
        FROM metric_units
        WHERE $unjudged <> 'condensed' AND $unit = 'group'
    ) AS in_turn
) AS apart
UNION ALL
SELECT answer, question, position, grade, place, rank, rank AS reach
FROM (
    SELECT answer, question, position, grade, place,
           row_number() OVER (
               PARTITION BY answer, position ORDER BY place NULLS LAST, grade DESC NULLS LAST, unit NULLS LAST
           ) AS rank
    FROM metric_units
    WHERE $unjudged = 'condensed'
) AS closed_up
