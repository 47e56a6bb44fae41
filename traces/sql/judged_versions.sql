-- grain: one row per judged document: the version that judged it last, and the last that named its evidence groups
SELECT owner, query_id, doc_id, max(version) AS latest,
       max(CASE WHEN evidence_group IS NOT NULL THEN version END) AS grouped
FROM judged_rows
GROUP BY owner, query_id, doc_id
