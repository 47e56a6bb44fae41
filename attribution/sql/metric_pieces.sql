-- grain: one row: times gold is in a list only as a truncated piece
SELECT count(*) AS pieces
FROM (
    SELECT DISTINCT h.query_id, h.repeat, h.search, h.stage, h.doc_id
    FROM hits AS h
    JOIN run_stages AS s ON s.run_id = h.run_id AND s.stage = h.stage
    WHERE h.run_id = $run_id AND h.label_set = $label_set AND h.grade >= $min_grade AND NOT h.whole
      AND (s.cutoff IS NULL OR h.rank <= s.cutoff)
) AS cut_short_gold
