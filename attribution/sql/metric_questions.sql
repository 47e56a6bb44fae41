-- grain: one row per question to average over: those of the run, and the judged ones it did not ask. question is a
-- number that stands for the id in the steps below: joins on it cost a third of joins on text
SELECT CAST(row_number() OVER (ORDER BY query_id NULLS LAST) AS INTEGER) AS question, query_id, repeat, intent, weight,
       unanswerable, asked
FROM (
    SELECT query_id, max(repeat) AS repeat, max(intent) AS intent, max(weight) AS weight,
           max(CASE WHEN answerable = FALSE THEN 1 ELSE 0 END) AS unanswerable, 1 AS asked
    FROM in_scope
    GROUP BY query_id
    UNION ALL
    SELECT j.query_id, CAST(NULL AS INTEGER) AS repeat, f.intent, f.weight,
           CASE WHEN f.answerable = FALSE THEN 1 ELSE 0 END AS unanswerable, 0 AS asked
    FROM (
        SELECT DISTINCT m.query_id
        FROM metric_judged AS m
        LEFT JOIN (SELECT query_id FROM repeats WHERE run_id = $run_id) AS r ON r.query_id = m.query_id
        WHERE r.query_id IS NULL
    ) AS j
    LEFT JOIN current_questions AS f ON f.query_id = j.query_id
) AS asked_or_judged
