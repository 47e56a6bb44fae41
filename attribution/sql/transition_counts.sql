-- grain: one row per kind of change, and per question where its repeats or weights matter: pairs that changed so
SELECT CASE WHEN $clustered THEN query_id END AS query_id, CASE WHEN $clustered THEN weight END AS weight,
       gold_before, gold_after, passed_before, passed_after, fate_before, fate_after, times_before, times_after,
       count(*) AS n
FROM paired_answers
GROUP BY CASE WHEN $clustered THEN query_id END, CASE WHEN $clustered THEN weight END,
         gold_before, gold_after, passed_before, passed_after, fate_before, fate_after, times_before, times_after
ORDER BY query_id NULLS FIRST, gold_before NULLS FIRST, gold_after NULLS FIRST, passed_before NULLS FIRST,
         passed_after NULLS FIRST, fate_before NULLS FIRST, fate_after NULLS FIRST
