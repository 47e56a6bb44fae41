-- grain: one row per field that the answers of the run can be split by
SELECT DISTINCT field
FROM tagged
ORDER BY field NULLS FIRST
