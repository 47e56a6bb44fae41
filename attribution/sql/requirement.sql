-- grain: one row per question with gold: how many needs it has, and how many cannot be checked, since a document that
-- would meet them goes by its text only: it may have been there
SELECT query_id, count(*) AS needed, sum(CASE WHEN without_id > 0 THEN 1 ELSE 0 END) AS unknown_needs
FROM needs
GROUP BY query_id
