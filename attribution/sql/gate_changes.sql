-- grain: one row per (slice, measure, stage, question or kind of change): pairs of answers to one question that changed so,
-- paired as in paired_answers
SELECT a.field, a.value, a.measure, a.stage, CASE WHEN $clustered THEN a.query_id END AS query_id,
       CASE WHEN $clustered THEN b.of_question * coalesce(a.weight, 1.0) END AS weight, b.success AS was,
       a.success AS came_out, count(*) AS n
FROM gate_after AS a
JOIN gate_before AS b
    ON b.query_id = a.query_id AND b.measure = a.measure AND coalesce(b.stage, '') = coalesce(a.stage, '')
    AND (b.turn = a.turn OR b.of_question <> a.of_question)
GROUP BY a.field, a.value, a.measure, a.stage, CASE WHEN $clustered THEN a.query_id END,
         CASE WHEN $clustered THEN b.of_question * coalesce(a.weight, 1.0) END, b.success, a.success
ORDER BY field NULLS FIRST, value NULLS FIRST, measure NULLS FIRST, stage NULLS FIRST, query_id NULLS FIRST,
         weight NULLS FIRST, was NULLS FIRST, came_out NULLS FIRST
