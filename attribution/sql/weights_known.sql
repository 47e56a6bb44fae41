-- grain: one row: attributable questions, and how many of them carry a weight
SELECT count(DISTINCT query_id) AS questions,
       count(DISTINCT CASE WHEN weight IS NOT NULL THEN query_id END) AS with_weight
FROM answers
WHERE status = 'attributable'
