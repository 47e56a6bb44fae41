"""Statistics on plain counts and arrays: no files, no models, no hidden randomness.

interval       the result types, and why a result can be undefined
proportions    one rate: Wilson, Wilson on effective counts, Goodman, Jeffreys; two independent rates; which leads
differences    square-and-add of two rates, the same questions twice (Newcombe's paired interval, McNemar)
survey         a rate over questions that have weights, strata or repeats
projection     the pass rate at another recall
gain           what a change of recall is worth
targets        the recall that a target needs
sensitivity    how unlike today's the recovered questions may be before the fix stops paying
bounds         extremes of the projection without that likeness
standardised   the projection with every intent keeping its own rates
rerun          where the next run's pass rate will fall
removable      the share of failures located at a stage, and the share a perfect stage would remove
design         standard errors, sample sizes, smallest detectable changes
allocation     questions handed out over intents; what a sample is likely to miss
power          exact power of the paired test and of confirming a recovered slice
"""
