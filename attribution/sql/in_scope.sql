-- grain: one row per (question, repeat) of the run
SELECT r.query_id, r.repeat,
       coalesce(f.intent, r.intent) AS intent, f.weight, coalesce(f.answerable, r.answerable) AS answerable
FROM repeats AS r
LEFT JOIN current_questions AS f ON f.query_id = r.query_id
WHERE r.run_id = $run_id
