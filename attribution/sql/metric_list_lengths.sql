-- grain: one row per list: how many places it has, those beyond the cutoff left out unless $lists is 'recorded'
SELECT l.query_id, l.repeat, l.search, s.position, CASE WHEN l.complete THEN 1 ELSE 0 END AS recorded_whole,
       CASE WHEN s.cutoff IS NULL OR $lists = 'recorded' OR l.items <= s.cutoff THEN l.items ELSE s.cutoff END AS length
FROM stage_lists AS l
JOIN run_stages AS s ON s.run_id = l.run_id AND s.stage = l.stage
WHERE l.run_id = $run_id
