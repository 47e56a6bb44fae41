-- grain: one row per run whose questions the label set judges: answers with gold, and those whose evidence arrived
SELECT r.run_id, count(*) AS n,
       sum(CASE WHEN m.met = q.needed THEN 1 ELSE 0 END) AS covered
FROM repeats AS r
JOIN requirement AS q ON q.query_id = r.query_id AND q.unknown_needs = 0
LEFT JOIN reached_by_run AS m ON m.run_id = r.run_id AND m.query_id = r.query_id AND m.repeat = r.repeat
WHERE $label_set <> 'inline' OR r.run_id = $run_id
GROUP BY r.run_id
ORDER BY r.run_id NULLS FIRST
