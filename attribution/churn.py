"""Churn: how many answers flip when nothing changes, measured by a second run of the unchanged build."""

from __future__ import annotations

from attribution.choices import Choices
from attribution.paired_runs import pair_runs
from attribution.results import ChurnMeasured
from attribution.run_facts import run_facts
from traces.errors import UsageError
from traces.store import TraceStore


def measure_churn(store: TraceStore, run_id: str, repeat: str, choices: Choices) -> ChurnMeasured:
    """Return how many answers flip between a run and a second run of the unchanged build.

    Raises:
        UsageError: as ``pair_runs``; it is the same run, another build, or shares no question.
    """
    if repeat == run_id:
        raise UsageError("not-a-repeat", "a run cannot be its own repeat", where=f"run {repeat}")
    one, two = run_facts(store, run_id), run_facts(store, repeat)
    differing = [name for name in ("build", "model", "prompt") if _differ(getattr(one, name), getattr(two, name))]
    if differing:
        raise UsageError(
            "not-a-repeat",
            f"the repeat has another {', '.join(differing)} than run {run_id}, so its flips are no chance",
            where=f"run {repeat}",
            hint="answer the questions once more with the unchanged build",
        )
    paired = pair_runs(store, run_id, repeat, choices)
    if paired.pairs is None:
        raise UsageError("not-a-repeat", "the runs share no question", where=f"runs {run_id} and {repeat}")
    flips = sum(pair.n for pair in paired.pairs.rows if pair.gain)
    answers = sum(pair.n for pair in paired.pairs.rows)
    share = float(paired.pairs.mean(lambda pair: abs(pair.gain)))
    # One half and one more, so that no flip in a small set is not taken for none ever.
    return ChurnMeasured(run=repeat, answers=answers, flips=flips, rate=(share * answers + 0.5) / (answers + 1))


def _differ(one: object, two: object) -> bool:
    return one is not None and two is not None and one != two
