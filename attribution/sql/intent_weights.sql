-- grain: one row per intent: the traffic of its attributable questions, and whether they all weigh the same
SELECT intent, sum(coalesce(weight, 1.0)) AS weight, count(*) AS questions,
       coalesce(min(weight) = max(weight), TRUE) AS even
FROM answers
WHERE status = 'attributable'
GROUP BY intent
ORDER BY intent NULLS FIRST
