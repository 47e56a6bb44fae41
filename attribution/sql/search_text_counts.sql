-- grain: one row: searches whose text is recorded, those with a blank one, and those with one sent before
SELECT count(*) AS recorded, coalesce(sum(blank), 0) AS blank,
       coalesce(sum(CASE WHEN blank = 0 THEN again ELSE 0 END), 0) AS again
FROM search_texts
