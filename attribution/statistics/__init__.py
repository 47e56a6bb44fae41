"""Statistics on plain counts and arrays: no files, no models, no hidden randomness.

interval       the result types, and why a result can be undefined
proportions    one rate: Wilson, Wilson on effective counts, Goodman, Jeffreys; two independent rates; which leads
differences    square-and-add of two rates, the same questions twice (Newcombe's paired interval, McNemar)
survey         a rate over questions that have weights, strata or repeats
means          the mean of one value a question: Student's interval, with weights and strata
projection     the pass rate at another recall
recovered      the same where recovered questions have a rate of their own
gain           what a change of recall is worth
targets        the recall that a target needs
sensitivity    how unlike today's the recovered questions may be before the fix stops paying
bounds         extremes of the projection without that likeness
standardised   the projection with every intent keeping its own rates
rerun          where the next run's pass rate will fall
passes         how many of the recovered will pass
removable      the share of failures located at a stage, and the share a perfect stage would remove
design         standard errors, sample sizes, smallest detectable changes
allocation     questions handed out over intents; what a sample is likely to miss
power          exact power of the paired test and of confirming a recovered slice
transitions    the same questions in two runs: four cells by pass before and after
terms          the parts of a split over the cells
decomposition  exact splits over the cells, of a change and of a forecast's error
multinomial    intervals of functions of the sixteen shares of two runs
term_limits    intervals of the terms of both splits
cancellation   stages that moved against each other behind a steady pass rate
composition    a change between different sets of questions: Kitagawa, three-fold, Shapley
part_limits    intervals of those parts
paired_means   graded metrics on the same questions: Student's interval, sign flips
claims         what a forecast claims, and why a claim may go untested
falsifiers     the claims that a run can test, each as realised less claimed
retained       one of them: the retained are undisturbed
verdicts       one interval read against a margin; Holm's adjustment
verification   the verdict on every claim and on the forecast
claim_power    power of every claim before the run
margins        margins from one budget of error, and which of them may be sealed
mixture        limits of a mixture of two uncertain shares
two_phase      a rate whose cases are roughly known all, and exactly known some
posterior      draws of strata and of what checking showed in each
audit_cells    questions by label and outcome, and what an audit found in them
audit          recall and both pass rates after an audit of the labels
audit_plan     where the next checks tell most
passages       share of the relevant passages found, after an audit of the labels
confusion      items by truth and by a judge's verdict
rogan_gladen   a rate as an imperfect judge reports it, taken back to the true one
judge_cells    questions by the judge's verdict, and what humans found in them
judge          pass rates after validation of the judge, by the design of the validation
macro_f1       mean F1 over classes
judge_quality  how well a judge agrees with the truth
judge_pair     two judges on the same items
prediction_powered  a judge's rate shifted by its mean error, a cross-check
unjudged       what documents that nobody judged could make of recall and average precision
gains          discounted gain, and what unjudged documents could make of it
"""
