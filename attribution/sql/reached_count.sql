-- grain: one row: attributable answers whose evidence reached the last stage, and how many of them pass
SELECT count(*) AS n, sum(CASE WHEN a.passed THEN 1 ELSE 0 END) AS passed
FROM answers AS a
JOIN last_stage AS z ON z.position = a.reach
WHERE a.status = 'attributable'
