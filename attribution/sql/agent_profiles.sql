-- grain: one row per (measure, profile): how many questions look alike to the estimator
SELECT measure, successes, cases, count(*) AS multiplicity
FROM (
    SELECT 'searched' AS measure, query_id, sum(CASE WHEN made > 0 THEN 1 ELSE 0 END) AS successes, count(*) AS cases
    FROM agent_answers GROUP BY query_id
    UNION ALL
    SELECT 'ended' AS measure, query_id, sum(ended) AS successes, count(*) AS cases
    FROM agent_answers GROUP BY query_id
    UNION ALL
    SELECT 'well_formed' AS measure, query_id,
           sum(CASE WHEN blank = 0 AND again = 0 THEN 1 ELSE 0 END) AS successes, count(*) AS cases
    FROM search_texts GROUP BY query_id
) AS by_question
GROUP BY measure, successes, cases
ORDER BY measure NULLS FIRST, successes NULLS FIRST, cases NULLS FIRST
