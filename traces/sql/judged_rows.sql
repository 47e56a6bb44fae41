-- grain: one row per judgment of a document judged more than once; recency 1 is the last of its version and group
SELECT j.owner, j.run_id, j.query_id, j.doc_id, j.evidence_group, j.grade, j.version, j.source_id, j.line,
       row_number() OVER (
           PARTITION BY j.owner, j.query_id, j.doc_id, j.evidence_group, j.version
           ORDER BY j.source_id DESC NULLS LAST, j.line DESC NULLS LAST, j.grade DESC NULLS LAST
       ) AS recency
FROM judged_own AS j
JOIN judged_again AS a ON a.owner = j.owner AND a.query_id = j.query_id AND a.doc_id = j.doc_id
