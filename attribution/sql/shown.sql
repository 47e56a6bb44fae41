-- grain: one row per (question, repeat) to show: the failures, or every repeat of one question
SELECT query_id, repeat, needed, reach, passed, status, reason, intent
FROM answers
WHERE (CAST($query_id AS VARCHAR) IS NULL AND status = 'attributable' AND passed = FALSE) OR query_id = $query_id
