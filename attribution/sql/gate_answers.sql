-- grain: one row per (attributable question, repeat, slice, measure, stage): is it a success, for pass and for coverage
SELECT m.query_id, m.repeat, m.weight, s.field, s.value, m.measure, t.stage, m.success
FROM marks AS m
JOIN slices AS s ON s.query_id = m.query_id AND s.repeat = m.repeat
LEFT JOIN run_stages AS t ON t.run_id = $run_id AND t.position = m.position
WHERE m.in_cases = 1 AND m.measure IN ('passed', 'covered')
