-- grain: one row per (question, repeat) with an outcome in both runs
SELECT b.query_id, b.repeat, b.weight, b.has_gold AS gold_before, a.has_gold AS gold_after,
       b.passed AS passed_before, a.passed AS passed_after, b.fate AS fate_before, a.fate AS fate_after
FROM places_before AS b
JOIN places_after AS a ON a.query_id = b.query_id AND a.repeat = b.repeat
