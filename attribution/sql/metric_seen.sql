-- grain: one row per (answer, cut) with a judged document in it, how many documents are judged
SELECT f.answer, c.cut, count(*) AS seen
FROM metric_documents AS f
JOIN metric_cuts AS c ON c.position = f.position AND (c.depth IS NULL OR f.place <= c.depth)
GROUP BY f.answer, c.cut
