-- grain: one row per (question, repeat) of the run: attributable or why not, how far its evidence came, its outcome
SELECT a.query_id, a.repeat, a.intent, a.weight, r.needed, e.reach, o.passed,
       CASE WHEN a.answerable = FALSE THEN 'no_answer'
            WHEN r.query_id IS NULL THEN 'unlabelled'
            WHEN r.unknown_needs > 0 THEN 'unknown_gold'
            WHEN coalesce(l.recorded, 0) < z.stages OR l.all_complete = 0 THEN 'incomplete_lists'
            WHEN o.passed IS NULL AND (SELECT count(*) FROM outcome_known) > 0 THEN 'no_outcome'
            ELSE 'attributable' END AS status,
       CASE WHEN e.reach = z.position THEN NULL
            WHEN w.cut_short = 1 THEN 'truncated'
            WHEN w.below_cutoff = 1 THEN 'below_cutoff'
            WHEN e.reach > 0 THEN 'dropped'
            WHEN w.not_indexed = 1 THEN 'not_indexed'
            ELSE 'not_retrieved' END AS reason
FROM in_scope AS a
CROSS JOIN last_stage AS z
LEFT JOIN requirement AS r ON r.query_id = a.query_id
LEFT JOIN list_state AS l ON l.query_id = a.query_id AND l.repeat = a.repeat
LEFT JOIN outcome_known AS o ON o.query_id = a.query_id AND o.repeat = a.repeat
LEFT JOIN fate_of_evidence AS e ON e.query_id = a.query_id AND e.repeat = a.repeat
LEFT JOIN loss_reasons AS w ON w.query_id = a.query_id AND w.repeat = a.repeat
