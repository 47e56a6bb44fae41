-- grain: one row per known document: which source last said each field
SELECT doc_id,
       max(CASE WHEN title IS NOT NULL THEN source_id END) AS title_source,
       max(CASE WHEN text IS NOT NULL THEN source_id END) AS text_source,
       max(CASE WHEN indexed IS NOT NULL THEN source_id END) AS indexed_source
FROM documents
GROUP BY doc_id
