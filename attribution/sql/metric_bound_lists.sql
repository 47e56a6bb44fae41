-- grain: one row per (answer, metric $metric) with a value: what its bounds need beside the grades in place
SELECT f.answer, f.question, f.weight, v.hit_count, v.relevant, v.known, v.seen, v.width, v.depth
FROM metric_fractions AS f
JOIN metric_asked AS m ON m.metric = f.metric
JOIN metric_cells AS v ON v.answer = f.answer AND v.cut = m.cut
WHERE f.metric = $metric AND f.reason IS NULL
ORDER BY f.question NULLS LAST, f.answer NULLS LAST
