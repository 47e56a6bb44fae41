-- grain: one row per (question, repeat) with gold: the fate of the need lost earliest. reach is the last stage that has it
SELECT query_id, repeat, min(reach) AS reach
FROM furthest
GROUP BY query_id, repeat
