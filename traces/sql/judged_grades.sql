-- grain: one row per judged document: the grade given last
SELECT owner, query_id, doc_id, grade
FROM (
    SELECT r.owner, r.query_id, r.doc_id, r.grade,
           row_number() OVER (
               PARTITION BY r.owner, r.query_id, r.doc_id
               ORDER BY r.source_id DESC NULLS LAST, r.line DESC NULLS LAST, r.grade DESC NULLS LAST
           ) AS recency
    FROM judged_rows AS r
    JOIN judged_versions AS v
        ON v.owner = r.owner AND v.query_id = r.query_id AND v.doc_id = r.doc_id AND v.latest = r.version
) AS by_recency
WHERE recency = 1
