-- grain: one row per (slice, measure, position, profile): how many questions look alike to the estimator
SELECT field, value, measure, position, stratum, weight, successes, cases, count(*) AS multiplicity
FROM per_question
GROUP BY field, value, measure, position, stratum, weight, successes, cases
ORDER BY field NULLS FIRST, value NULLS FIRST, measure NULLS FIRST, position NULLS FIRST, stratum NULLS FIRST,
         weight NULLS FIRST, successes NULLS FIRST, cases NULLS FIRST
