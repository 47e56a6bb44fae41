-- grain: one row: position of the last stage and number of stages
SELECT max(position) AS position, count(*) AS stages
FROM run_stages
WHERE run_id = $run_id
