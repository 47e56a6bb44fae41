-- grain: one row: answers of the run, those with any list, and lists of a search that is not the first
SELECT count(*) AS asked, (SELECT count(*) FROM list_state) AS listed,
       (SELECT count(*) FROM stage_lists WHERE run_id = $run_id AND search > 0) AS later
FROM repeats
WHERE run_id = $run_id
