-- grain: one row per kind of judgment
SELECT DISTINCT kind
FROM judgments_on_run
WHERE kind IS NOT NULL
ORDER BY kind NULLS FIRST
