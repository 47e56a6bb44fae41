-- grain: one row per (needs of a question, needs met at the last stage, question profile): pass counts by evidence present
SELECT needed, met, stratum, weight, successes, cases, count(*) AS multiplicity
FROM (
    SELECT c.needed, c.met, c.query_id,
           CASE WHEN $weighted THEN max(c.intent) END AS stratum, CASE WHEN $weighted THEN max(c.weight) END AS weight,
           sum(CASE WHEN c.passed THEN 1 ELSE 0 END) AS successes, count(*) AS cases
    FROM coverage AS c
    JOIN last_stage AS z ON z.position = c.position
    WHERE c.passed IS NOT NULL
    GROUP BY c.needed, c.met, c.query_id
) AS clusters
GROUP BY needed, met, stratum, weight, successes, cases
ORDER BY needed NULLS FIRST, met NULLS FIRST, stratum NULLS FIRST, weight NULLS FIRST, successes NULLS FIRST, cases NULLS FIRST
