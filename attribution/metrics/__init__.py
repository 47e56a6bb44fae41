"""Retrieval metrics at every stage: names that parse and print back, conventions that are data, values from SQL steps.

names        a metric as a value: ``nDCG(gain=exp)@10``
conventions  what the caller chooses, and what follows where the caller leaves it open
cuts         what is asked of the SQL steps: which sums, at which stage, how deep
means        means over questions and their intervals
"""
