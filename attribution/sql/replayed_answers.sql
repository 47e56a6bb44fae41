-- grain: one row per answer with an outcome before whose question the replay asked: gold before, and gold after by the
-- replay; passed and fate stand as before. A replay with one answer a question stands for every repeat of it
SELECT b.query_id, b.repeat, b.weight, b.has_gold AS gold_before,
       CASE WHEN a.reach = z.position THEN 1 ELSE 0 END AS gold_after,
       b.passed AS passed_before, b.passed AS passed_after, b.fate AS fate_before, b.fate AS fate_after
FROM places_before AS b
JOIN (
    SELECT query_id, repeat, reach, count(*) OVER (PARTITION BY query_id) AS repeats
    FROM answers
    WHERE status = 'attributable'
) AS a ON a.query_id = b.query_id AND (a.repeat = b.repeat OR a.repeats = 1)
CROSS JOIN last_stage AS z
