-- grain: one row per judged unit in a list of the stage at $position: its place and the grade it is credited with
SELECT answer, place, grade
FROM metric_ranked
WHERE position = $position
ORDER BY answer NULLS LAST, place NULLS LAST
