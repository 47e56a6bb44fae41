-- grain: one row per (answer, cut that coverage is asked at) with evidence in it: how many needs are met
SELECT f.answer, c.cut, count(DISTINCT n.need) AS met
FROM metric_documents AS f
JOIN metric_cuts AS c
    ON c.position = f.position AND c.demand IS NOT NULL AND f.grade >= c.rel AND (c.depth IS NULL OR f.reach <= c.depth)
JOIN metric_needs AS n ON n.question = f.question AND n.doc_id = f.doc_id AND n.rel = c.rel AND n.demand = c.demand
GROUP BY f.answer, c.cut
