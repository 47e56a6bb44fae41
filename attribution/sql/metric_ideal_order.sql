-- grain: one row per (question, judged unit): its grade, and its place in the best order of all known judgments
SELECT question, grade, row_number() OVER (PARTITION BY question ORDER BY grade DESC NULLS LAST) AS place
FROM metric_known
