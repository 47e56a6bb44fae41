-- grain: one row per (slice, measure, stage, question or kind of change): answers both runs gave that changed so
SELECT a.field, a.value, a.measure, a.stage, CASE WHEN $clustered THEN a.query_id END AS query_id,
       CASE WHEN $clustered THEN a.weight END AS weight, b.success AS was, a.success AS came_out, count(*) AS n
FROM gate_after AS a
JOIN gate_before AS b ON b.query_id = a.query_id AND b.repeat = a.repeat AND b.measure = a.measure
     AND coalesce(b.stage, '') = coalesce(a.stage, '')
GROUP BY a.field, a.value, a.measure, a.stage, CASE WHEN $clustered THEN a.query_id END,
         CASE WHEN $clustered THEN a.weight END, b.success, a.success
ORDER BY field NULLS FIRST, value NULLS FIRST, measure NULLS FIRST, stage NULLS FIRST, query_id NULLS FIRST,
         weight NULLS FIRST, was NULLS FIRST, came_out NULLS FIRST
