-- grain: one row per judgment that knows its document by the text only: it may have been in any list
SELECT q.question, j.grade
FROM judgments AS j
JOIN metric_questions AS q ON q.query_id = j.query_id
WHERE j.label_set = $label_set AND j.doc_id IS NULL AND j.text IS NOT NULL AND (j.run_id IS NULL OR j.run_id = $run_id)
  AND coalesce(j.kind, '') <> 'audit'
