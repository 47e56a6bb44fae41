-- grain: one row: judgments on the run's questions, their highest grade, and whether any evidence group is labelled
SELECT count(*) AS judgments, max(grade) AS top_grade, count(*) - count(doc_id) AS text_only,
       coalesce(max(CASE WHEN evidence_group IS NOT NULL THEN 1 ELSE 0 END) = 1, FALSE) AS grouped
FROM judgments_on_run
