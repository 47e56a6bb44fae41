-- grain: one row per (question, repeat, need): the last stage that still has it, 0 if none ever had
SELECT a.query_id, a.repeat, n.need, n.documents, n.not_indexed,
       max(CASE WHEN p.is_present = 1 THEN p.position ELSE 0 END) AS reach
FROM in_scope AS a
JOIN needs AS n ON n.query_id = a.query_id
LEFT JOIN present AS p ON p.query_id = a.query_id AND p.repeat = a.repeat AND p.need = n.need
GROUP BY a.query_id, a.repeat, n.need, n.documents, n.not_indexed
