-- grain: one row per (question, threshold, demand): how many needs there are
SELECT question, rel, demand, count(DISTINCT need) AS needed
FROM metric_needs
GROUP BY question, rel, demand
