-- grain: one row per answer to show, in the order it is shown
SELECT s.query_id, s.repeat, s.reach, s.passed, s.status, s.reason, s.intent, r.query, r.answer, o.judge
FROM shown AS s
JOIN repeats AS r ON r.query_id = s.query_id AND r.repeat = s.repeat AND r.run_id = $run_id
LEFT JOIN (
    SELECT query_id, repeat, max(judge) AS judge FROM outcomes
    WHERE run_id = $run_id AND (CAST($judge AS VARCHAR) IS NULL OR coalesce(judge, '') = $judge)
    GROUP BY query_id, repeat
) AS o ON o.query_id = s.query_id AND o.repeat = s.repeat
ORDER BY s.reach NULLS LAST, s.intent NULLS LAST, s.query_id NULLS LAST, s.repeat NULLS LAST
