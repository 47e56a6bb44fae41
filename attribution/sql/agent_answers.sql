-- grain: one row per (question, repeat) of the run: how many searches it made, and whether an answer came of it
SELECT r.query_id, r.repeat, coalesce(s.made, 0) AS made,
       CASE WHEN r.answer IS NULL THEN 0 ELSE 1 END AS recorded,
       CASE WHEN trim(coalesce(r.answer, '')) = '' THEN 0 ELSE 1 END AS ended
FROM repeats AS r
LEFT JOIN (
    SELECT query_id, repeat, count(*) AS made FROM searches_made GROUP BY query_id, repeat
) AS s ON s.query_id = r.query_id AND s.repeat = r.repeat
WHERE r.run_id = $run_id
