-- grain: one row: judgments on the run's questions, their highest grade, whether any names an evidence group, and whether
-- any does on any question
SELECT count(*) AS judgments, max(grade) AS top_grade, count(*) - count(doc_id) AS text_only,
       coalesce(max(CASE WHEN evidence_group IS NOT NULL THEN 1 ELSE 0 END) = 1, FALSE) AS grouped,
       (SELECT count(evidence_group) FROM judgments WHERE label_set = $label_set) > 0 AS any_groups
FROM judgments_on_run
