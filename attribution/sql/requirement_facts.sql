-- grain: one row: whether any evidence group is labelled
SELECT max(CASE WHEN evidence_group IS NOT NULL THEN 1 ELSE 0 END) = 1 AS grouped
FROM judgments_on_run
