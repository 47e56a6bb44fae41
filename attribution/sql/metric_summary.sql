-- grain: one row per (metric, reason, stratum): questions, and the sums that means, spreads and pooled figures come from
SELECT metric, reason, stratum, count(*) AS questions, sum(scored) AS scored,
       sum(weight) AS weights, sum(weight * weight) AS squared_weights,
       sum(weight * value) AS weighted, sum(weight * weight * value) AS twice_weighted,
       sum(weight * weight * value * value) AS squares, min(value) AS lowest, max(value) AS highest,
       sum(numerator) AS numerator, sum(denominator) AS denominator, sum(seen) AS seen, sum(width) AS width
FROM metric_values
GROUP BY metric, reason, stratum
ORDER BY metric NULLS FIRST, reason NULLS FIRST, stratum NULLS FIRST
