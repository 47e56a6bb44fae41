-- grain: one row per (slice, stage): answers with gold that appeared late, and places that repeat or are truncated
SELECT s.field, s.value, c.position, sum(c.appeared_late) AS appeared_late,
       sum(coalesce(p.duplicates, 0)) AS duplicates, sum(coalesce(p.truncated, 0)) AS truncated
FROM coverage AS c
JOIN slices AS s ON s.query_id = c.query_id AND s.repeat = c.repeat
LEFT JOIN list_places AS p ON p.query_id = c.query_id AND p.repeat = c.repeat AND p.position = c.position
GROUP BY s.field, s.value, c.position
