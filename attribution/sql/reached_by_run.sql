-- grain: one row per (run, question, repeat) with evidence at its last stage: how many needs are met there
SELECT h.run_id, h.query_id, h.repeat, count(DISTINCT g.need) AS met
FROM hits AS h
JOIN runs_last_stage AS z ON z.run_id = h.run_id AND z.stage = h.stage
JOIN gold AS g ON g.query_id = h.query_id AND g.doc_id = h.doc_id
WHERE h.label_set = $label_set AND h.grade >= $min_grade AND (z.cutoff IS NULL OR h.rank <= z.cutoff)
  AND (h.whole OR $truncated = 'kept')
GROUP BY h.run_id, h.query_id, h.repeat
