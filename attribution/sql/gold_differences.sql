-- grain: one row: shared questions whose gold is not the same in both runs
SELECT count(DISTINCT coalesce(b.query_id, a.query_id)) AS questions
FROM gold_before AS b
FULL OUTER JOIN gold_after AS a ON a.query_id = b.query_id AND a.doc_id = b.doc_id AND a.need = b.need
JOIN (
    SELECT DISTINCT x.query_id FROM gold_before AS x JOIN gold_after AS y ON y.query_id = x.query_id
) AS shared ON shared.query_id = coalesce(b.query_id, a.query_id)
WHERE b.query_id IS NULL OR a.query_id IS NULL
