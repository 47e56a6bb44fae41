-- grain: one row per imported question: which source last said each field
SELECT query_id,
       max(CASE WHEN query IS NOT NULL THEN source_id END) AS query_source,
       max(CASE WHEN intent IS NOT NULL THEN source_id END) AS intent_source,
       max(CASE WHEN weight IS NOT NULL THEN source_id END) AS weight_source,
       max(CASE WHEN answerable IS NOT NULL THEN source_id END) AS answerable_source
FROM questions
GROUP BY query_id
