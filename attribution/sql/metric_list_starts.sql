-- grain: one row per list that follows another of its stage: how many places come before. The searches of one answer are
-- read one after the other, so that no two documents share a place, not even where a list has gaps
SELECT later.query_id, later.repeat, later.position, later.search,
       CAST(sum(GREATEST(earlier.length, coalesce(h.last_rank, 0))) AS INTEGER) AS places_before
FROM metric_list_lengths AS later
JOIN metric_list_lengths AS earlier
    ON earlier.query_id = later.query_id AND earlier.repeat = later.repeat AND earlier.position = later.position
    AND earlier.search < later.search
LEFT JOIN (
    SELECT h.query_id, h.repeat, s.position, h.search, max(h.rank) AS last_rank
    FROM hits AS h
    JOIN run_stages AS s ON s.run_id = h.run_id AND s.stage = h.stage
    WHERE h.run_id = $run_id AND h.label_set = $label_set
      AND ($lists = 'recorded' OR s.cutoff IS NULL OR h.rank <= s.cutoff)
    GROUP BY h.query_id, h.repeat, s.position, h.search
) AS h
    ON h.query_id = earlier.query_id AND h.repeat = earlier.repeat AND h.position = earlier.position
    AND h.search = earlier.search
GROUP BY later.query_id, later.repeat, later.position, later.search
