-- grain: one row per (list, id of a judged document found in it); the only step that reads the lists
SELECT l.run_id, l.query_id, l.repeat, l.search, l.stage, k.doc_id, k.evidence_group, k.grade,
       NULLIF(coalesce(array_position(l.docs, k.known_as), 0), 0) AS place,
       NULLIF(coalesce(array_position(l.truncated, k.known_as), 0), 0) AS cut_place
FROM stage_lists AS l
JOIN judged_under AS k ON k.query_id = l.query_id AND (k.run_id IS NULL OR k.run_id = l.run_id)
WHERE l.run_id = $run_id AND l.source_id >= $first_source
