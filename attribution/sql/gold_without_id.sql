-- grain: one row per gold known by its text only, with the need it would meet
SELECT query_id,
       CASE WHEN $require = 'any' THEN 'any'
            WHEN evidence_group IS NOT NULL THEN concat('group ', evidence_group)
            WHEN $require = 'all' THEN concat('text ', text)
            ELSE 'ungrouped' END AS need
FROM judgments
WHERE label_set = $label_set AND doc_id IS NULL AND text IS NOT NULL AND grade >= $min_grade
  AND (run_id IS NULL OR run_id = $run_id) AND coalesce(kind, '') <> 'audit'
