-- grain: one row: whether any evidence group is labelled, and how many of the run's judged questions carry a weight
SELECT max(CASE WHEN j.evidence_group IS NOT NULL THEN 1 ELSE 0 END) = 1 AS grouped,
       count(DISTINCT j.query_id) AS questions,
       count(DISTINCT CASE WHEN f.weight IS NOT NULL THEN j.query_id END) AS weights
FROM judgments_on_run AS j
LEFT JOIN current_questions AS f ON f.query_id = j.query_id
