"""Forecasts: sealed before a fix, judged after it.

seal        makes a forecast from a run and seals it
sealed      canonical JSON, the seal, and the file a forecast is exported to
stored      the forecasts and verdicts of a store, each read, or with what is wrong with it
budget      one error budget shared out over the claims, and the power of each
expected    how many questions each transition cell will hold
falsifiers  the ways a forecast can fail, one entry each
judging     how each is judged by what two runs show
evidence    what else of two runs the falsifiers look at: settings, unjudged documents, audits, churn
verify      asks for the verdict of the run that came after, and records it
verdict     the verdict on every falsifier, and the exact split of the error
record      all forecasts and how they have done
"""
