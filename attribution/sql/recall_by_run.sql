-- grain: one row per other run with the same last stage: its recall there on the questions of this run, if it asked most
-- of them; each question weighs as it does here, whatever its number of repeats
SELECT run_id, sum(weight * covered) / nullif(sum(weight), 0) AS recall, count(*) AS questions
FROM (
    SELECT r.run_id, o.query_id, o.weight,
           CAST(sum(CASE WHEN m.met = q.needed THEN 1 ELSE 0 END) AS DOUBLE) / nullif(count(*), 0) AS covered
    FROM repeats AS r
    JOIN own_questions AS o ON o.query_id = r.query_id
    JOIN requirement AS q ON q.query_id = r.query_id
    JOIN runs_last_stage AS z ON z.run_id = r.run_id AND z.stage = $last_stage
    JOIN whole_last_lists AS w ON w.run_id = r.run_id AND w.query_id = r.query_id AND w.repeat = r.repeat
    LEFT JOIN reached_by_run AS m ON m.run_id = r.run_id AND m.query_id = r.query_id AND m.repeat = r.repeat
    WHERE $label_set <> 'inline' AND r.run_id <> $run_id
    GROUP BY r.run_id, o.query_id, o.weight
) AS by_question
GROUP BY run_id
HAVING count(*) >= 0.9 * (SELECT count(*) FROM own_questions)
ORDER BY run_id NULLS FIRST
