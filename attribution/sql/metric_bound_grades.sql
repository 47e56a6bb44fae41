-- grain: one row per (question, judged unit): its grade
SELECT question, grade
FROM metric_known
ORDER BY question NULLS LAST, grade NULLS LAST
