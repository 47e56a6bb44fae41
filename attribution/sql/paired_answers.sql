-- grain: one row per pair of answers to one question, one with an outcome before and one after. Answers to a question are
-- like each other, so they pair in turn; where one run has more of them, each is held against each of the other run
SELECT b.query_id, b.weight, b.has_gold AS gold_before, a.has_gold AS gold_after,
       b.passed AS passed_before, a.passed AS passed_after, b.fate AS fate_before, a.fate AS fate_after,
       CASE WHEN a.of_question = b.of_question THEN 1 ELSE a.of_question END AS times_before,
       CASE WHEN a.of_question = b.of_question THEN 1 ELSE b.of_question END AS times_after
FROM places_before AS b
JOIN places_after AS a
    ON a.query_id = b.query_id AND (a.turn = b.turn OR a.of_question <> b.of_question)
