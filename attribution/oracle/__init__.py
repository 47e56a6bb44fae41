"""The oracle experiment: misses answered again with their gold in the prompt.

draw      which misses are sampled, by seed and stratum
pack      the prompt of one of them: gold first, then what the run had packed, within the run's own limits
texts     what packing needs to know of a run: limits, lists, gold, texts
export    the sample as a file, and written down in the store
rate      the pass rate the answers give for recovered questions
doubts    what to know before using it
worker    one process that answers, line by line
answerer  several of them over an exported file, to be taken up again after any stop
"""
