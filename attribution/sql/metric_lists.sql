-- grain: one row per (answer, stage) with a list: its places over all searches, and whether all of them were recorded
SELECT a.answer, l.position, CAST(sum(l.length) AS INTEGER) AS length, min(l.recorded_whole) AS recorded_whole
FROM metric_list_lengths AS l
JOIN metric_answers AS a ON a.query_id = l.query_id AND a.repeat = l.repeat
GROUP BY a.answer, l.position
