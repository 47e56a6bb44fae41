-- grain: one row per judgment of the label set on a question of the run, superseded ones included, audits not
SELECT j.version, j.query_id, j.doc_id, j.text, j.evidence_group, j.grade, j.kind, j.annotator, j.judged_at
FROM judgments AS j
JOIN (SELECT DISTINCT query_id FROM repeats WHERE run_id = $run_id) AS q ON q.query_id = j.query_id
WHERE j.label_set = $label_set AND (j.run_id IS NULL OR j.run_id = $run_id) AND coalesce(j.kind, '') <> 'audit'
