-- grain: one row per (answer, metric): the metric as a fraction, and why it has no value if it has none
SELECT v.answer, v.question, v.stratum, v.weight, v.seen, v.width, m.metric, m.measure,
       CASE WHEN v.weight IS NULL THEN 'no_weight'
            WHEN v.asked = 0 AND $missing = 'excluded' THEN 'missing'
            WHEN m.rests_on <> 'LIST' AND v.unanswerable = 1 AND $no_gold = 'excluded' THEN 'no_answer'
            WHEN v.asked = 1 AND v.recorded_whole = 0 THEN 'incomplete_lists'
            WHEN m.rests_on = 'LIST' AND v.width = 0 THEN 'empty_list'
            WHEN m.rests_on = 'LIST' THEN NULL
            WHEN v.text_only > 0 THEN 'unknown_gold'
            WHEN v.known = 0 AND $no_gold = 'excluded' THEN 'unlabelled'
            WHEN m.rests_on = 'GOLD' AND v.relevant = 0 AND $no_gold = 'excluded' THEN 'no_gold'
            WHEN m.rests_on = 'IDEAL' AND v.best = 0 AND $zero_ideal = 'excluded' THEN 'zero_ideal'
            WHEN m.measure = 'P' AND v.taken = 0 AND (v.depth IS NULL OR $short_lists = 'returned') THEN 'empty_list'
       END AS reason,
       CAST(CASE m.measure
            WHEN 'P' THEN v.hit_count
            WHEN 'R' THEN v.hit_count
            WHEN 'F1' THEN 2 * v.hit_count
            WHEN 'Success' THEN CASE WHEN v.hit_count > 0 THEN 1 ELSE 0 END
            WHEN 'RR' THEN coalesce(1.0 / NULLIF(CAST(v.first_rank AS DOUBLE), 0), 0.0)
            WHEN 'AP' THEN v.precisions
            WHEN 'Rprec' THEN v.top_hits
            WHEN 'CG' THEN v.cumulated
            WHEN 'DCG' THEN v.discounted
            WHEN 'nDCG' THEN v.discounted
            WHEN 'RBP' THEN (1.0 - v.persistence) * v.persisted
            WHEN 'JUDGED' THEN v.seen
            WHEN 'Coverage' THEN CASE WHEN v.needed > 0 AND v.met = v.needed THEN 1 ELSE 0 END
            WHEN 'Groups' THEN v.met END AS DOUBLE) AS numerator,
       CAST(CASE m.measure
            WHEN 'P' THEN CASE WHEN v.depth IS NULL OR $short_lists = 'returned' THEN v.taken ELSE v.depth END
            WHEN 'R' THEN v.relevant
            WHEN 'F1' THEN v.relevant
                 + CASE WHEN v.depth IS NULL OR $short_lists = 'returned' THEN v.taken ELSE v.depth END
            WHEN 'AP' THEN v.relevant
            WHEN 'Rprec' THEN v.relevant
            WHEN 'nDCG' THEN v.best
            WHEN 'JUDGED' THEN v.width
            WHEN 'Groups' THEN v.needed
            ELSE 1 END AS DOUBLE) AS denominator
FROM metric_cells AS v
JOIN metric_asked AS m ON m.cut = v.cut
