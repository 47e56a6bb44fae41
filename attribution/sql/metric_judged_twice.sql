-- grain: one row: documents of a question judged more than once, and documents known under another id
SELECT (
    SELECT count(*)
    FROM (
        SELECT query_id, doc_id
        FROM judgments
        WHERE label_set = $label_set AND doc_id IS NOT NULL AND (run_id IS NULL OR run_id = $run_id)
              AND coalesce(kind, '') <> 'audit'
        GROUP BY query_id, doc_id
        HAVING count(*) > 1
    ) AS repeated
) AS judged_again,
(SELECT count(*) FROM document_aliases) AS aliases
