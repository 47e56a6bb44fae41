-- grain: one row per (answer to show, stage with gold): the best rank of a gold document there
SELECT s.query_id, s.repeat, g.position, min(g.rank) AS rank
FROM shown AS s
JOIN gold_hits AS g ON g.query_id = s.query_id AND g.repeat = s.repeat
WHERE g.handed_on = 1
GROUP BY s.query_id, s.repeat, g.position
