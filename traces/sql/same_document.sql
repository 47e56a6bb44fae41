-- grain: one row per alias: the document it stands for
SELECT alias, min(doc_id) AS doc_id
FROM document_aliases
GROUP BY alias
