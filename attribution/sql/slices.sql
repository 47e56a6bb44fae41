-- grain: one row per (question, repeat, slice): every answer is in the whole (no field) and in one slice of each field
SELECT query_id, repeat, CAST(NULL AS VARCHAR) AS field, CAST(NULL AS VARCHAR) AS value
FROM answers
UNION ALL
SELECT a.query_id, a.repeat, w.field, t.value
FROM answers AS a
CROSS JOIN by_fields AS w
LEFT JOIN tagged AS t ON t.query_id = a.query_id AND t.repeat = a.repeat AND t.field = w.field
