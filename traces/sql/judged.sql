-- grain: one row per (label owner, question, document, evidence group): the judgment in force, the latest one given
SELECT run_id, query_id, doc_id, evidence_group, grade
FROM (
    SELECT run_id, query_id, doc_id, evidence_group, grade,
           row_number() OVER (
               PARTITION BY run_id, query_id, doc_id, evidence_group
               ORDER BY version DESC NULLS LAST, source_id DESC NULLS LAST, line DESC NULLS LAST, grade DESC NULLS LAST
           ) AS recency
    FROM judgments
    WHERE label_set = $label_set AND doc_id IS NOT NULL
) AS by_recency
WHERE recency = 1
