-- grain: one row per number of searches: how many answers made so many, of how many questions
SELECT made, count(*) AS n, count(DISTINCT query_id) AS questions, sum(recorded) AS recorded
FROM agent_answers
GROUP BY made
ORDER BY made NULLS FIRST
