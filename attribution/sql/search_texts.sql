-- grain: one row per search whose text is recorded: is it blank, and did the same answer send the very same text before
SELECT query_id, repeat, search,
       CASE WHEN trim(coalesce(query, '')) = '' THEN 1 ELSE 0 END AS blank,
       CASE WHEN row_number() OVER (PARTITION BY query_id, repeat, query ORDER BY search NULLS FIRST) > 1
            THEN 1 ELSE 0 END AS again
FROM searches
WHERE run_id = $run_id
