-- grain: one row per (list, gold document found, need it meets)
SELECT h.query_id, h.repeat, h.doc_id, s.position, g.need, h.whole, h.rank,
       CASE WHEN s.cutoff IS NULL OR h.rank <= s.cutoff THEN 1 ELSE 0 END AS handed_on
FROM hits AS h
JOIN run_stages AS s ON s.run_id = h.run_id AND s.stage = h.stage
JOIN gold AS g ON g.query_id = h.query_id AND g.doc_id = h.doc_id
WHERE h.run_id = $run_id AND h.label_set = $label_set AND h.grade >= $min_grade
