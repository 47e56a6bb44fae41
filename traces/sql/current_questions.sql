-- grain: one row per imported question: each field as it was last said
SELECT q.query_id,
       max(CASE WHEN q.source_id = s.query_source THEN q.query END) AS query,
       max(CASE WHEN q.source_id = s.intent_source THEN q.intent END) AS intent,
       max(CASE WHEN q.source_id = s.weight_source THEN q.weight END) AS weight,
       max(CASE WHEN q.source_id = s.answerable_source AND q.answerable THEN 1
                WHEN q.source_id = s.answerable_source AND NOT q.answerable THEN 0 END) = 1 AS answerable
FROM questions AS q
JOIN question_text_sources AS s ON s.query_id = q.query_id
GROUP BY q.query_id
