-- grain: one row per (question, threshold, demand, document, need it meets). A need is what must be there for the evidence
-- to count: for 'any' a question has one, for 'groups' one per labelled group and one for the documents outside groups,
-- for 'all' every document outside a group is a need of its own
SELECT DISTINCT q.question, t.rel, t.demand, j.doc_id,
       CASE WHEN t.demand = 'any' THEN 'any'
            WHEN j.evidence_group IS NOT NULL THEN concat('group ', j.evidence_group)
            WHEN t.demand = 'all' THEN concat('document ', j.doc_id)
            ELSE 'ungrouped' END AS need
FROM metric_judged AS j
JOIN metric_questions AS q ON q.query_id = j.query_id
JOIN metric_demands AS t ON j.grade >= t.rel
