-- grain: one row per judgment of the label set that names a document, under the document's own id. Audits are checks on a
-- label set and no part of it
SELECT coalesce(j.run_id, '') AS owner, j.run_id, j.query_id, coalesce(s.doc_id, j.doc_id) AS doc_id, j.evidence_group,
       j.grade, j.version, j.source_id, j.line
FROM judgments AS j
LEFT JOIN same_document AS s ON s.alias = j.doc_id
WHERE j.label_set = $label_set AND j.doc_id IS NOT NULL AND coalesce(j.kind, '') <> 'audit'
