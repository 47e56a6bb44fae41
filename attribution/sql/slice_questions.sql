-- grain: one row per slice: distinct attributable questions in it
SELECT s.field, s.value, count(DISTINCT a.query_id) AS questions
FROM answers AS a
JOIN slices AS s ON s.query_id = a.query_id AND s.repeat = a.repeat
WHERE a.status = 'attributable'
GROUP BY s.field, s.value
