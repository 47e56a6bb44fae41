-- grain: one row per gold document that retrieval could not have found: declared not indexed, or absent from an index
-- whose every document is listed
SELECT g.doc_id
FROM (SELECT DISTINCT doc_id FROM gold) AS g
LEFT JOIN current_documents AS d ON d.doc_id = g.doc_id
CROSS JOIN index_listing AS i
WHERE d.indexed = FALSE OR (d.indexed IS NULL AND i.index_size > 0 AND i.listed = i.index_size)
