-- grain: one row per (question, threshold) with gold known by its text only: it may have been in any list
SELECT q.question, t.rel, count(*) AS text_only
FROM judgments AS j
JOIN metric_questions AS q ON q.query_id = j.query_id
JOIN (SELECT DISTINCT rel FROM metric_cuts) AS t ON j.grade >= t.rel
WHERE j.label_set = $label_set AND j.doc_id IS NULL AND j.text IS NOT NULL AND (j.run_id IS NULL OR j.run_id = $run_id)
  AND coalesce(j.kind, '') <> 'audit'
GROUP BY q.question, t.rel
