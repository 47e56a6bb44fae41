-- grain: one row per (slice, measure, position, question): a question is one cluster of its repeats
SELECT s.field, s.value, m.measure, m.position, m.query_id,
       CASE WHEN $weighted THEN max(m.intent) END AS stratum, CASE WHEN $weighted THEN max(m.weight) END AS weight,
       sum(m.success) AS successes, sum(m.in_cases) AS cases
FROM marks AS m
JOIN slices AS s ON s.query_id = m.query_id AND s.repeat = m.repeat
GROUP BY s.field, s.value, m.measure, m.position, m.query_id
