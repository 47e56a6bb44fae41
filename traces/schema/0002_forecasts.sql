-- Forecasts and their verdicts are only ever added to: nothing in the code updates or deletes a row here.
-- body is canonical JSON, sha256 its digest; previous is the digest of the one of its kind sealed before it in this store.
-- The other columns repeat what the body says, so that a row that can no longer be read still has a name.
CREATE TABLE forecasts (
    forecast_id INTEGER, name VARCHAR, sealed_at TIMESTAMP, sha256 VARCHAR, previous VARCHAR, body VARCHAR
);
CREATE TABLE verdicts (
    verdict_id INTEGER, forecast VARCHAR, verified_at TIMESTAMP, sha256 VARCHAR, previous VARCHAR, body VARCHAR
);
-- Every seal this store has given: a forecast or a verdict that is taken out leaves its seal here.
CREATE TABLE seals (kind VARCHAR, name VARCHAR, sealed_at TIMESTAMP, sha256 VARCHAR);
-- Where outcomes of a run that was dropped had come from, and when: they have been seen.
CREATE TABLE dropped_outcomes (run_id VARCHAR, sha256 VARCHAR, loaded_at TIMESTAMP);

-- An oracle experiment: answers whose evidence was missing, drawn to be given again with the gold in the prompt.
-- One row an answer drawn, so that one left out afterwards shows. Of the stratum_size questions of its stratum that miss
-- their evidence stratum_drawn were drawn; weight is what the question counts beside that: its traffic, and how many of
-- its repeats miss the evidence. gold_left_out counts the gold it needs that the prompt had no room for.
CREATE TABLE oracle_samples (
    sample_id VARCHAR, run_id VARCHAR, label_set VARCHAR, version INTEGER, policy VARCHAR, seed BIGINT, created_at TIMESTAMP,
    query_id VARCHAR, repeat INTEGER, stratum VARCHAR, stratum_size INTEGER, stratum_drawn INTEGER, weight DOUBLE,
    missing INTEGER, gold_left_out INTEGER
);
CREATE TABLE oracle_answers (
    sample_id VARCHAR, run_id VARCHAR, query_id VARCHAR, repeat INTEGER, answer VARCHAR, passed BOOLEAN, score DOUBLE,
    judge VARCHAR, pass_rule VARCHAR, source_id INTEGER
);
