-- grain: one row per stage: how long its lists are
SELECT position, count(*) AS lists, sum(length) AS total, min(length) AS shortest, max(length) AS longest
FROM metric_lists
GROUP BY position
ORDER BY position NULLS FIRST
