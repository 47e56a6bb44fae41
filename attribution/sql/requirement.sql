-- grain: one row per question with gold: how many needs it has, and how many nobody can check
SELECT query_id, count(*) AS needed, sum(CASE WHEN documents = 0 THEN 1 ELSE 0 END) AS unknown_needs
FROM needs
GROUP BY query_id
