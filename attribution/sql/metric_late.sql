-- grain: one row per stage after the first with gold that the stage before did not have: answers, and documents in all
SELECT position, count(*) AS late_answers, sum(arrived) AS late_documents
FROM (
    SELECT here.query_id, here.repeat, here.position, count(*) AS arrived
    FROM metric_handed_on AS here
    LEFT JOIN metric_handed_on AS earlier
        ON earlier.query_id = here.query_id AND earlier.repeat = here.repeat AND earlier.doc_id = here.doc_id
        AND earlier.position = here.position - 1
    WHERE here.position > 1 AND earlier.doc_id IS NULL
    GROUP BY here.query_id, here.repeat, here.position
) AS late
GROUP BY position
