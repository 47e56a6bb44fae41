-- grain: one row per (question, metric, stage), under the names they go by
SELECT q.query_id, m.stage, m.metric AS metric_number, m.name AS metric, v.value, v.reason, q.asked, v.weight
FROM metric_values AS v
JOIN metric_questions AS q ON q.question = v.question
JOIN metric_asked AS m ON m.metric = v.metric
