-- grain: one row per known document: each field as it was last said
SELECT d.doc_id,
       max(CASE WHEN d.source_id = s.title_source THEN d.title END) AS title,
       max(CASE WHEN d.source_id = s.text_source THEN d.text END) AS text,
       max(CASE WHEN d.source_id = s.indexed_source AND d.indexed THEN 1
                WHEN d.source_id = s.indexed_source AND NOT d.indexed THEN 0 END) = 1 AS indexed
FROM documents AS d
JOIN document_sources AS s ON s.doc_id = d.doc_id
GROUP BY d.doc_id
