-- grain: one row per (question, repeat, stage, need) with any trace of it: present, cut short, or below the cutoff
SELECT query_id, repeat, position, need,
       max(CASE WHEN handed_on = 1 AND (whole OR $truncated = 'kept') THEN 1 ELSE 0 END) AS is_present,
       max(CASE WHEN handed_on = 1 AND NOT whole THEN 1 ELSE 0 END) AS cut_short,
       max(CASE WHEN handed_on = 0 THEN 1 ELSE 0 END) AS below_cutoff
FROM gold_hits
GROUP BY query_id, repeat, position, need
