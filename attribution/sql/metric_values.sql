-- grain: one row per (question, metric): the mean over its answers that have a value; else a reason why none has
SELECT question, stratum, weight, metric, met_or_not, reason,
       CASE WHEN reason IS NULL THEN 1 ELSE 0 END AS scored,
       CASE WHEN reason IS NULL THEN coalesce(numerator / NULLIF(denominator, 0), 0.0) END AS value,
       CASE WHEN reason IS NULL THEN numerator END AS numerator,
       CASE WHEN reason IS NULL THEN denominator END AS denominator,
       CASE WHEN reason IS NULL THEN seen END AS seen, CASE WHEN reason IS NULL THEN width END AS width
FROM metric_fractions
WHERE NOT $repeated
UNION ALL
SELECT question, max(stratum) AS stratum, max(weight) AS weight, metric, met_or_not,
       CASE WHEN sum(CASE WHEN reason IS NULL THEN 1 ELSE 0 END) = 0 THEN min(reason) END AS reason,
       sum(CASE WHEN reason IS NULL THEN 1 ELSE 0 END) AS scored,
       sum(CASE WHEN reason IS NULL THEN coalesce(numerator / NULLIF(denominator, 0), 0.0) END)
           / NULLIF(sum(CASE WHEN reason IS NULL THEN 1 ELSE 0 END), 0) AS value,
       sum(CASE WHEN reason IS NULL THEN numerator END) AS numerator,
       sum(CASE WHEN reason IS NULL THEN denominator END) AS denominator,
       sum(CASE WHEN reason IS NULL THEN seen END) AS seen, sum(CASE WHEN reason IS NULL THEN width END) AS width
FROM metric_fractions
WHERE $repeated
GROUP BY question, metric, met_or_not
