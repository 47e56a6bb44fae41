-- grain: one row per (answer, cut) with anything in it that only some metrics ask for
SELECT answer, cut, max(precisions) AS precisions, max(top_hits) AS top_hits, max(met) AS met, max(seen) AS seen,
       max(best) AS best
FROM (
    SELECT answer, cut, precisions, 0 AS top_hits, 0 AS met, 0 AS seen, 0.0 AS best FROM metric_precisions
    UNION ALL
    SELECT answer, cut, 0.0 AS precisions, top_hits, 0 AS met, 0 AS seen, 0.0 AS best FROM metric_top_relevant
    UNION ALL
    SELECT answer, cut, 0.0 AS precisions, 0 AS top_hits, met, 0 AS seen, 0.0 AS best FROM metric_met
    UNION ALL
    SELECT answer, cut, 0.0 AS precisions, 0 AS top_hits, 0 AS met, seen, 0.0 AS best FROM metric_seen
    UNION ALL
    SELECT answer, cut, 0.0 AS precisions, 0 AS top_hits, 0 AS met, 0 AS seen, best FROM metric_ideal_to_length
) AS of_each_kind
GROUP BY answer, cut
