-- grain: one row per (attributable question, repeat, measure, position): is it a case of the measure, and a success
SELECT query_id, repeat, intent, weight, 'passed' AS measure, 0 AS position,
       CASE WHEN passed IS NULL THEN 0 ELSE 1 END AS in_cases,
       CASE WHEN passed THEN 1 ELSE 0 END AS success
FROM answers WHERE status = 'attributable'
UNION ALL
SELECT a.query_id, a.repeat, a.intent, a.weight, 'with_gold' AS measure, 0 AS position,
       CASE WHEN a.reach = z.position AND a.passed IS NOT NULL THEN 1 ELSE 0 END AS in_cases,
       CASE WHEN a.reach = z.position AND a.passed THEN 1 ELSE 0 END AS success
FROM answers AS a CROSS JOIN last_stage AS z WHERE a.status = 'attributable'
UNION ALL
SELECT a.query_id, a.repeat, a.intent, a.weight, 'without_gold' AS measure, 0 AS position,
       CASE WHEN a.reach < z.position AND a.passed IS NOT NULL THEN 1 ELSE 0 END AS in_cases,
       CASE WHEN a.reach < z.position AND a.passed THEN 1 ELSE 0 END AS success
FROM answers AS a CROSS JOIN last_stage AS z WHERE a.status = 'attributable'
UNION ALL
SELECT a.query_id, a.repeat, a.intent, a.weight, 'failures' AS measure, k.position,
       CASE WHEN a.passed = FALSE THEN 1 ELSE 0 END AS in_cases,
       CASE WHEN a.passed = FALSE AND a.reach = k.position THEN 1 ELSE 0 END AS success
FROM answers AS a CROSS JOIN fates_possible AS k WHERE a.status = 'attributable'
UNION ALL
SELECT a.query_id, a.repeat, a.intent, a.weight, 'questions' AS measure, k.position,
       1 AS in_cases, CASE WHEN a.reach = k.position THEN 1 ELSE 0 END AS success
FROM answers AS a CROSS JOIN fates_possible AS k WHERE a.status = 'attributable'
UNION ALL
SELECT query_id, repeat, intent, weight, 'covered' AS measure, position, 1 AS in_cases, covered AS success
FROM coverage
