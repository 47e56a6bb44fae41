-- grain: one row per (judged question, threshold): units known, and how many of them are relevant
SELECT k.question, t.rel, count(*) AS known, count(CASE WHEN k.grade >= t.rel THEN 1 END) AS relevant
FROM metric_known AS k
CROSS JOIN (SELECT DISTINCT rel FROM metric_cuts) AS t
GROUP BY k.question, t.rel
