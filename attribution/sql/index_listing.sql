-- grain: one row: how many documents are known to be indexed, and how many the run says its index holds
SELECT r.index_size, count(DISTINCT d.doc_id) AS listed
FROM (SELECT max(index_size) AS index_size FROM runs WHERE run_id = $run_id) AS r
LEFT JOIN current_documents AS d ON d.indexed
GROUP BY r.index_size
