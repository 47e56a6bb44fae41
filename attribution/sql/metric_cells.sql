-- grain: one row per (answer, cut): everything a metric of that cut needs. taken is the places scored, seen of width those
-- of the recorded list that are judged
SELECT a.answer, a.question, a.stratum, a.weight, a.unanswerable, a.asked, c.cut, c.depth, c.persistence,
       coalesce(l.recorded_whole, 0) AS recorded_whole,
       CASE WHEN c.depth IS NULL THEN coalesce(l.length, 0) ELSE LEAST(coalesce(l.length, 0), c.depth) END AS taken,
       CASE WHEN c.depth IS NULL THEN coalesce(l.width, 0) ELSE LEAST(coalesce(l.width, 0), c.depth) END AS width,
       coalesce(g.known, 0) AS known, coalesce(g.relevant, 0) AS relevant, coalesce(x.text_only, 0) AS text_only,
       coalesce(i.best, e.best, 0.0) AS best, coalesce(d.needed, 0) AS needed,
       coalesce(s.hit_count, 0) AS hit_count, s.first_rank,
       coalesce(CASE WHEN $unit = 'group' THEN e.seen ELSE s.seen END, 0) AS seen,
       coalesce(s.cumulated, 0.0) AS cumulated, coalesce(s.discounted, 0.0) AS discounted,
       coalesce(s.persisted, 0.0) AS persisted, coalesce(e.precisions, 0.0) AS precisions,
       coalesce(e.top_hits, 0) AS top_hits, coalesce(e.met, 0) AS met
FROM metric_answers AS a
CROSS JOIN metric_cuts AS c
LEFT JOIN metric_lengths AS l ON l.answer = a.answer AND l.position = c.position
LEFT JOIN metric_relevant AS g ON g.question = a.question AND g.rel = c.rel
LEFT JOIN metric_text_only AS x ON x.question = a.question AND x.rel = c.rel
LEFT JOIN metric_ideal AS i ON i.question = a.question AND i.ideal = c.ideal
LEFT JOIN metric_needed AS d ON d.question = a.question AND d.rel = c.rel AND d.demand = c.demand
LEFT JOIN metric_sums AS s ON s.answer = a.answer AND s.cut = c.cut
LEFT JOIN metric_extras AS e ON e.answer = a.answer AND e.cut = c.cut
