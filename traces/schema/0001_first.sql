-- Arrival order, no keys and no indexes: both were measured to cost more than they give (docs/adr/0003).
-- Every row names the source that brought it; one source is one file and one transaction.

CREATE TABLE sources (
    source_id INTEGER, kind VARCHAR, target VARCHAR, name VARCHAR, sha256 VARCHAR, options VARCHAR,
    bytes BIGINT, records BIGINT, quarantined BIGINT, loaded_at TIMESTAMP
);

CREATE TABLE runs (
    run_id VARCHAR, build VARCHAR, created_at TIMESTAMP, index_size BIGINT, model VARCHAR, prompt VARCHAR,
    judge VARCHAR, synthetic VARCHAR, notes VARCHAR, source_id INTEGER
);
-- position counts from 1; cutoff is how many of the recorded places the stage hands on, NULL for all
CREATE TABLE run_stages (run_id VARCHAR, stage VARCHAR, position INTEGER, cutoff INTEGER);

-- one row per (run, question, repeat)
CREATE TABLE repeats (
    run_id VARCHAR, query_id VARCHAR, repeat INTEGER, query VARCHAR, intent VARCHAR, answer VARCHAR,
    asked_at TIMESTAMP, answerable BOOLEAN, source_id INTEGER, line BIGINT
);
CREATE TABLE tags (run_id VARCHAR, query_id VARCHAR, repeat INTEGER, field VARCHAR, value VARCHAR, source_id INTEGER);
CREATE TABLE searches (
    run_id VARCHAR, query_id VARCHAR, repeat INTEGER, search INTEGER, query VARCHAR, source_id INTEGER
);

-- one row per (run, question, repeat, search, stage): documents in rank order, place = rank, NULL where no document
-- is recorded at a rank. scores, tokens … run beside docs. truncated lists the documents with no whole copy in the list.
CREATE TABLE stage_lists (
    run_id VARCHAR, query_id VARCHAR, repeat INTEGER, search INTEGER, stage VARCHAR,
    docs VARCHAR[], scores DOUBLE[], tokens INTEGER[], kept_tokens INTEGER[], chars INTEGER[], kept_chars INTEGER[],
    truncated VARCHAR[], items INTEGER, duplicates INTEGER, truncated_items INTEGER, complete BOOLEAN, inferred_by VARCHAR, metadata VARCHAR,
    source_id INTEGER
);
CREATE VIEW stage_items AS
SELECT run_id, query_id, repeat, search, stage, place AS rank, docs[place] AS doc_id, scores[place] AS score,
       tokens[place] AS tokens, kept_tokens[place] AS kept_tokens, chars[place] AS chars, kept_chars[place] AS kept_chars
FROM (SELECT *, unnest(range(1, len(docs) + 1)) AS place FROM stage_lists)
WHERE docs[place] IS NOT NULL;

CREATE TABLE outcomes (
    run_id VARCHAR, query_id VARCHAR, repeat INTEGER, passed BOOLEAN, score DOUBLE, judge VARCHAR, pass_rule VARCHAR,
    source_id INTEGER
);

CREATE TABLE questions (
    query_id VARCHAR, query VARCHAR, intent VARCHAR, weight DOUBLE, answerable BOOLEAN, source_id INTEGER
);
CREATE TABLE question_tags (query_id VARCHAR, field VARCHAR, value VARCHAR, source_id INTEGER);

CREATE TABLE documents (doc_id VARCHAR, title VARCHAR, text VARCHAR, indexed BOOLEAN, source_id INTEGER);
CREATE TABLE document_aliases (alias VARCHAR, doc_id VARCHAR, source_id INTEGER);

-- A version of a set is all judgments with version <= it. run_id is NULL except for a run's own inline gold.
CREATE TABLE label_sets (label_set VARCHAR, version INTEGER, run_id VARCHAR, source_id INTEGER, created_at TIMESTAMP);
CREATE TABLE judgments (
    label_set VARCHAR, version INTEGER, run_id VARCHAR, query_id VARCHAR, doc_id VARCHAR, text VARCHAR, grade DOUBLE,
    evidence_group VARCHAR, kind VARCHAR, annotator VARCHAR, judged_at TIMESTAMP, seconds DOUBLE, source_id INTEGER,
    line BIGINT
);

-- one row per judged document found in a list; rebuilt when the lists, the labels or the aliases change
CREATE TABLE hits (
    run_id VARCHAR, label_set VARCHAR, query_id VARCHAR, repeat INTEGER, search INTEGER, stage VARCHAR,
    doc_id VARCHAR, evidence_group VARCHAR, grade DOUBLE, rank INTEGER, whole BOOLEAN
);

-- what could not be stored (severity 'quarantined', with the raw record) and what was noticed on the way ('note')
CREATE TABLE ingest_issues (
    source_id INTEGER, severity VARCHAR, file VARCHAR, line BIGINT, slug VARCHAR, field VARCHAR, reason VARCHAR, raw BLOB
);
