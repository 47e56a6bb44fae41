-- grain: one row: questions of both runs whose judgments are not the same in both
SELECT count(DISTINCT coalesce(b.query_id, a.query_id)) AS questions
FROM metric_judged_before AS b
FULL OUTER JOIN metric_judged_after AS a
    ON a.query_id = b.query_id AND a.doc_id = b.doc_id AND a.grade = b.grade
    AND coalesce(a.evidence_group, '') = coalesce(b.evidence_group, '')
JOIN (
    SELECT DISTINCT x.query_id
    FROM repeats AS x
    JOIN repeats AS y ON y.query_id = x.query_id AND y.run_id = $after
    WHERE x.run_id = $before
) AS shared ON shared.query_id = coalesce(b.query_id, a.query_id)
WHERE b.query_id IS NULL OR a.query_id IS NULL
