"""The gate: rules that a build must meet, each judged on its range: pass, fail, or cannot tell.

rules       a rule as a value, which prints as it is written
parse       reading a rule
rules_file  reading a file of rules
reading     one range read against a bound; many at once, by Holm
measured    what a rule is about, read off an attribution
drops       paired differences of a run from its baseline
quality     retrieval metrics, of one run or against the baseline
promised    rules about sealed forecasts
judge       asks for the verdict on every rule and on the run
"""
