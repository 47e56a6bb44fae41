-- grain: one row per (metric that a question meets or not, question profile): questions that look alike to the estimator
SELECT metric, stratum, weight, CAST(numerator AS INTEGER) AS successes, scored, count(*) AS multiplicity
FROM metric_values
WHERE reason IS NULL AND met_or_not = 1
GROUP BY metric, stratum, weight, numerator, scored
ORDER BY metric NULLS FIRST, stratum NULLS FIRST, weight NULLS FIRST, successes NULLS FIRST, scored NULLS FIRST
