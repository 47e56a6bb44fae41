"""Retrieval metrics at every stage: names that parse and print back, conventions that are data, values from SQL steps.

names        a metric as a value: ``nDCG(gain=exp)@10``
conventions  what the caller chooses, and what follows where the caller leaves it open
cuts         what is asked of the SQL steps: which sums, at which stage, how deep
idle         steps with nothing to do, and the empty tables that stand in for them
values       runs the steps: sums a metric, or one value a question
evaluate     the metrics of a run, with what to know before using them
bounds       what unjudged documents could make of recall and nDCG
ceiling      gold that a stage has and the one before did not
against      two runs, question by question
curves       coverage, recall and nDCG against depth or token budget
tokens       token positions of judged documents
files        metrics straight from files
file_lines   their lines, from Parquet or text
file_sql     the SQL for that
"""
