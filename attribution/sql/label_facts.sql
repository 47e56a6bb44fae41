-- grain: one row: what the label set holds on the run's questions
SELECT coalesce(max(version), 0) AS version, count(DISTINCT query_id) AS questions, count(*) AS judgments,
       count(DISTINCT annotator) AS annotators, (SELECT count(*) FROM label_conflicts) AS conflicts,
       min(judged_at) AS oldest, max(judged_at) AS newest
FROM judgments_on_run
