-- grain: one row per (list, judged document, evidence group) found: its place, and the grade it is credited with. reach is
-- what a cutoff is held against
SELECT a.answer, a.question, s.position, h.doc_id, h.evidence_group,
       h.rank + coalesce(b.places_before, 0) AS place, h.rank + coalesce(b.places_before, 0) AS reach,
       CASE WHEN h.whole OR $truncated = 'kept' THEN h.grade ELSE 0.0 END AS grade
FROM hits AS h
JOIN run_stages AS s ON s.run_id = h.run_id AND s.stage = h.stage
JOIN metric_answers AS a ON a.query_id = h.query_id AND a.repeat = h.repeat
LEFT JOIN metric_list_starts AS b
    ON b.query_id = h.query_id AND b.repeat = h.repeat AND b.position = s.position AND b.search = h.search
WHERE h.run_id = $run_id AND h.label_set = $label_set AND ($lists = 'recorded' OR s.cutoff IS NULL OR h.rank <= s.cutoff)
