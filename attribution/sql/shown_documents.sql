-- grain: one row per document in a list to show, with what is known of it
SELECT d.doc_id, d.title, d.text
FROM current_documents AS d
JOIN listed_documents AS l ON l.doc_id = d.doc_id
