-- grain: one row per fate: 0 never found, then the last stage that had the evidence
SELECT 0 AS position
UNION ALL
SELECT position FROM run_stages WHERE run_id = $run_id
