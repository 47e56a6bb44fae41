-- grain: one row per (answer, stage) with a list: width is its places, length those that ranks are counted over
SELECT answer, position, recorded_whole, length AS width, length
FROM metric_lists
WHERE $unjudged <> 'condensed'
UNION ALL
SELECT l.answer, l.position, l.recorded_whole, l.length AS width, CAST(coalesce(u.n, 0) AS INTEGER) AS length
FROM metric_lists AS l
LEFT JOIN (SELECT answer, position, count(*) AS n FROM metric_units GROUP BY answer, position) AS u
    ON u.answer = l.answer AND u.position = l.position
WHERE $unjudged = 'condensed'
