-- grain: one row per (question, repeat) whose evidence was lost: why, as far as the lists tell
SELECT f.query_id, f.repeat,
       max(coalesce(p.cut_short, 0)) AS cut_short,
       max(coalesce(p.below_cutoff, 0)) AS below_cutoff,
       max(CASE WHEN f.documents > 0 AND f.documents = f.not_indexed THEN 1 ELSE 0 END) AS not_indexed
FROM furthest AS f
JOIN fate_of_evidence AS e ON e.query_id = f.query_id AND e.repeat = f.repeat AND e.reach = f.reach
LEFT JOIN present AS p
    ON p.query_id = f.query_id AND p.repeat = f.repeat AND p.need = f.need AND p.position = f.reach + 1
GROUP BY f.query_id, f.repeat
