-- grain: one row: documents at the last stage of the attributable answers, and how many of them any judgment is about
SELECT coalesce(sum(l.documents), 0) AS documents, coalesce(sum(h.judged), 0) AS judged
FROM (
    SELECT l.query_id, l.repeat, l.search,
           CASE WHEN s.cutoff IS NOT NULL AND l.items - l.duplicates > s.cutoff THEN s.cutoff
                ELSE l.items - l.duplicates END AS documents
    FROM stage_lists AS l
    JOIN run_stages AS s ON s.run_id = l.run_id AND s.stage = l.stage
    JOIN last_stage AS z ON z.position = s.position
    JOIN answers AS a ON a.query_id = l.query_id AND a.repeat = l.repeat AND a.status = 'attributable'
    WHERE l.run_id = $run_id
) AS l
LEFT JOIN (
    SELECT h.query_id, h.repeat, h.search, count(DISTINCT h.doc_id) AS judged
    FROM hits AS h
    JOIN run_stages AS s ON s.run_id = h.run_id AND s.stage = h.stage
    JOIN last_stage AS z ON z.position = s.position
    WHERE h.run_id = $run_id AND h.label_set = $label_set AND (s.cutoff IS NULL OR h.rank <= s.cutoff)
    GROUP BY h.query_id, h.repeat, h.search
) AS h ON h.query_id = l.query_id AND h.repeat = l.repeat AND h.search = l.search
