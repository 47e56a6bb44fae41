"""The SQL that turns a run and judgments in files into the tables the metric steps start from; on DuckDB only."""

from __future__ import annotations

from dataclasses import dataclass

JUDGED_LINES = "CAST(doc_id AS VARCHAR) AS doc_id, CAST(grade AS DOUBLE) AS grade"
RUN_QUESTIONS = "CREATE TEMP TABLE run_questions AS SELECT query_id, {facts} FROM run_lines GROUP BY query_id"

# The steps that the files stand in for. From here on numbers stand for the ids of questions and judged documents: text
# is compared once, where a place of the run meets a judgment.
NUMBERED = """
CREATE TEMP TABLE metric_questions AS
SELECT CAST(row_number() OVER () AS INTEGER) AS question, query_id, 0 AS repeat, CAST(NULL AS VARCHAR) AS intent,
       CAST(NULL AS DOUBLE) AS weight, 0 AS unanswerable, 1 AS asked, items
FROM run_questions;
CREATE TEMP TABLE judged_places AS
SELECT q.question, q.asked, j.query_id, j.doc_id, j.grade
FROM judged_lines j LEFT JOIN metric_questions q ON q.query_id = j.query_id;
INSERT INTO metric_questions
SELECT (SELECT count(*) FROM run_questions) + row_number() OVER (), query_id, NULL, NULL, NULL, 0, 0, 0
FROM (SELECT DISTINCT query_id FROM judged_places WHERE question IS NULL);
UPDATE judged_places SET question = q.question
FROM metric_questions q WHERE judged_places.question IS NULL AND q.query_id = judged_places.query_id;
CREATE TEMP VIEW metric_lists AS
SELECT question AS answer, 1 AS position, CAST(items AS INTEGER) AS length, 1 AS recorded_whole
FROM metric_questions WHERE asked = 1;
CREATE TEMP VIEW metric_judged AS
SELECT query_id, rowid AS doc_id, CAST(NULL AS VARCHAR) AS evidence_group, grade FROM judged_places;
CREATE TEMP VIEW metric_known AS SELECT question, grade FROM judged_places
"""
FOUND = """
CREATE TEMP TABLE metric_found AS
SELECT question AS answer, question, 1 AS position, number AS doc_id, CAST(NULL AS VARCHAR) AS evidence_group,
       CAST(rank AS INTEGER) AS place, CAST(rank AS INTEGER) AS reach, grade
FROM ({listed})
"""
READY = frozenset({"metric_judged", "metric_questions", "metric_lists", "metric_known", "metric_found"})
ABOUT_JUDGMENTS = """
SELECT count(*) AS judgments, count(DISTINCT question) AS questions, max(grade) AS top_grade,
       count(*) - count(CASE WHEN isfinite(grade) AND query_id IS NOT NULL AND doc_id IS NOT NULL THEN 1 END) AS broken,
       count(*) > count(DISTINCT hash(question, doc_id)) AS maybe_twice, count(CASE WHEN asked = 1 THEN 1 END) AS on_run
FROM judged_places
"""
JUDGED_TWICE = """
SELECT count(*) AS documents
FROM (SELECT question FROM judged_places GROUP BY question, doc_id HAVING count(*) > 1)
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a run can be written down.

    Attributes:
        place: what a place has beside its question.
        facts: what is kept of a question: how many places it has, and whether they can be used as they are.
        unsound: the questions that cannot be used as they are.
        fault: what is wrong with them.
        listed: the judged documents that are listed, a document that is listed twice at its best rank.
    """

    place: str
    facts: str
    fault: str
    listed: str
    unsound: str = "SELECT query_id FROM run_questions WHERE NOT sound"


DOCS = Shape(
    place="docs",
    facts="max(len(docs)) AS items, count(*) = 1 AS sound",
    fault="has more than one list",
    listed="""
        SELECT number, question, grade, place AS rank FROM (
            SELECT j.rowid AS number, j.question, j.grade, array_position(l.docs, j.doc_id) AS place
            FROM run_lines l JOIN judged_places j ON j.query_id = l.query_id
        ) WHERE place > 0""",
)
RANK = Shape(
    place="CAST(doc_id AS VARCHAR) AS doc_id, rank",
    # Ranks are 1, 2, 3 … if their hashes add up, by exclusive or, to what those do. Sums cost more and prove less.
    facts="count(*) AS items, bit_xor(hash(CAST(rank AS DOUBLE))) AS ranks",
    fault="has ranks other than 1, 2, 3 … once each",
    unsound="""
        SELECT query_id FROM run_questions r LEFT JOIN (
            SELECT items, bit_xor(hash(CAST(items AS DOUBLE))) OVER (ORDER BY items) AS ranks
            FROM (SELECT unnest(range(1, (SELECT max(items) FROM run_questions) + 1)) AS items)
        ) e ON e.items = r.items
        WHERE e.ranks IS DISTINCT FROM r.ranks""",
    listed="""
        SELECT j.rowid AS number, any_value(j.question) AS question, any_value(j.grade) AS grade, min(i.rank) AS rank
        FROM run_lines i JOIN judged_places j ON j.query_id = i.query_id AND j.doc_id = i.doc_id
        GROUP BY j.rowid""",
)
SCORE = Shape(
    place="CAST(doc_id AS VARCHAR) AS doc_id, score",
    facts="count(*) AS items, count(CASE WHEN isfinite(score) THEN 1 END) = count(*) AS sound",
    fault="has a score that is no number",
    listed="""
        WITH scored AS (
            SELECT j.rowid AS number, any_value(j.question) AS question, any_value(j.query_id) AS query_id,
                   any_value(j.doc_id) AS doc_id, any_value(j.grade) AS grade, max(i.score) AS score
            FROM run_lines i JOIN judged_places j ON j.query_id = i.query_id AND j.doc_id = i.doc_id
            GROUP BY j.rowid
        )
        SELECT f.number, any_value(f.question) AS question, any_value(f.grade) AS grade,
               1 + count(CASE WHEN i.score > f.score OR i.doc_id > f.doc_id THEN 1 END) AS rank
        FROM scored f JOIN run_lines i ON i.query_id = f.query_id AND i.score >= f.score
        GROUP BY f.number""",
)
SHAPES = {"docs": DOCS, "rank": RANK, "score": SCORE}
