-- grain: one row per (slice, fate, reason, outcome): answers in it
SELECT s.field, s.value, a.reach, a.reason, a.passed, count(*) AS n
FROM answers AS a
JOIN slices AS s ON s.query_id = a.query_id AND s.repeat = a.repeat
WHERE a.status = 'attributable'
GROUP BY s.field, s.value, a.reach, a.reason, a.passed
ORDER BY s.field NULLS FIRST, s.value NULLS FIRST, a.reach NULLS FIRST, a.reason NULLS FIRST, a.passed NULLS FIRST
