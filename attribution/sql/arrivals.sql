-- grain: one row per (question, repeat, stage): how many gold documents are here that the stage before did not have
SELECT here.query_id, here.repeat, here.position, count(*) AS arrived
FROM (SELECT DISTINCT query_id, repeat, position, doc_id FROM gold_hits WHERE handed_on = 1) AS here
LEFT JOIN (SELECT DISTINCT query_id, repeat, position, doc_id FROM gold_hits WHERE handed_on = 1) AS before
    ON before.query_id = here.query_id AND before.repeat = here.repeat AND before.doc_id = here.doc_id
    AND before.position = here.position - 1
WHERE here.position > 1 AND before.doc_id IS NULL
GROUP BY here.query_id, here.repeat, here.position
