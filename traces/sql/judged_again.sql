-- grain: one row per document of a question judged more than once
SELECT owner, query_id, doc_id
FROM judged_own
GROUP BY owner, query_id, doc_id
HAVING count(*) > 1
