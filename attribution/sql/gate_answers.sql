-- grain: one row per (attributable question, repeat, slice, measure, stage): is it a success, for pass and for coverage.
-- turn counts the answers of a question there, of which there are so many
SELECT m.query_id, CASE WHEN $weighted THEN m.weight END AS weight, s.field, s.value, m.measure, t.stage, m.success,
       row_number() OVER (
           PARTITION BY m.query_id, s.field, s.value, m.measure, m.position ORDER BY m.repeat NULLS LAST
       ) AS turn,
       count(*) OVER (PARTITION BY m.query_id, s.field, s.value, m.measure, m.position) AS of_question
FROM marks AS m
JOIN slices AS s ON s.query_id = m.query_id AND s.repeat = m.repeat
LEFT JOIN run_stages AS t ON t.run_id = $run_id AND t.position = m.position
WHERE m.in_cases = 1 AND m.measure IN ('passed', 'covered')
