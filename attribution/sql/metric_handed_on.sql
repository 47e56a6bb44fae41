-- grain: one row per (answer, stage, gold document) handed on by it, be it a piece of it
SELECT DISTINCT h.query_id, h.repeat, s.position, h.doc_id
FROM hits AS h
JOIN run_stages AS s ON s.run_id = h.run_id AND s.stage = h.stage
WHERE h.run_id = $run_id AND h.label_set = $label_set AND h.grade >= $min_grade
  AND (s.cutoff IS NULL OR h.rank <= s.cutoff)
