-- grain: one row per run, in the order they came
SELECT r.run_id, r.build, r.created_at, r.model, r.prompt, r.judge, r.synthetic,
       coalesce(q.questions, 0) AS questions, coalesce(q.repeats, 0) AS repeats,
       coalesce(o.passed, 0) AS passed, coalesce(o.failed, 0) AS failed, coalesce(o.unknown, 0) AS unknown,
       coalesce(f.quarantined, 0) AS quarantined, coalesce(f.sources, 0) AS sources
FROM runs AS r
LEFT JOIN (
    SELECT run_id, count(DISTINCT query_id) AS questions, count(*) AS repeats FROM repeats GROUP BY run_id
) AS q ON q.run_id = r.run_id
LEFT JOIN (
    SELECT run_id, sum(CASE WHEN passed THEN 1 ELSE 0 END) AS passed,
           sum(CASE WHEN NOT passed THEN 1 ELSE 0 END) AS failed,
           sum(CASE WHEN passed IS NULL THEN 1 ELSE 0 END) AS unknown
    FROM outcomes GROUP BY run_id
) AS o ON o.run_id = r.run_id
LEFT JOIN (
    SELECT target AS run_id, sum(quarantined) AS quarantined, count(*) AS sources
    FROM sources WHERE kind = 'run' GROUP BY target
) AS f ON f.run_id = r.run_id
ORDER BY r.source_id NULLS LAST, r.run_id NULLS LAST
