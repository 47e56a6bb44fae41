"""Agents: runs in which a question makes no search, or several, and what their harness did with its searches.

There is then no single list that is the retrieval's. Recall is that of everything an answer's searches brought; whether
it searched, what it asked for and whether it came to an end says something of the loop round them, and is kept apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attribution import fates
from attribution.results import Harness, HarnessRate, SearchCount, SearchTexts, Warn
from attribution.statistics import survey
from attribution.statistics.interval import Interval
from traces.store import TraceStore
from traces.values import counted

_KEPT = frozenset({"agent_answers"})


def harness_of(store: TraceStore, run_id: str, *, level: float) -> Harness | None:
    """Return what the harness of a run did; None where every answer made exactly one search.

    Rates are of all the run's answers, labelled or not, and unweighted; one draw is one question.

    Args:
        store: an open store; reading is enough.
        run_id: the run.
        level: confidence level of the intervals.
    """
    values = {"run_id": run_id}
    (signs,) = store.step(fates.PACKAGES, "search_signs", values)
    if signs["listed"] == signs["asked"] and not signs["later"]:
        return None  # told so at a fraction of the cost of counting searches
    store.keep_step(fates.PACKAGES, "agent_answers", values)
    made = store.step(fates.PACKAGES, "agent_search_counts", values, given=_KEPT)
    if {row["made"] for row in made} <= {1}:
        return None
    (texts,) = store.step(fates.PACKAGES, "search_text_counts", values, given=_KEPT)
    profiles = store.step(fates.PACKAGES, "agent_profiles", values, given=_KEPT)
    ended = _rate(profiles, "ended", level) if any(row["recorded"] for row in made) else None
    asked = _rate(profiles, "well_formed", level) if texts["recorded"] else None
    return Harness(
        searches=[SearchCount(searches=row["made"], answers=row["n"]) for row in made],
        searched=HarnessRate(rate=_rate(profiles, "searched", level)),
        well_formed=SearchTexts(
            rate=asked,
            reason=None if asked else "not recorded",
            recorded=texts["recorded"],
            unrecorded=sum(row["made"] * row["n"] for row in made) - texts["recorded"],
            blank=int(texts["blank"]),
            repeated=int(texts["again"]),
        ),
        ended=HarnessRate(rate=ended, reason=None if ended else "not recorded"),
    )


def _rate(profiles: Sequence[Mapping[str, Any]], measure: str, level: float) -> Interval:
    rows = [row for row in profiles if row["measure"] == measure]
    return survey.rate(
        [int(row["successes"]) for row in rows],
        [int(row["cases"]) for row in rows],
        multiplicity=[int(row["multiplicity"]) for row in rows],
        level=level,
    )


def about_searches(harness: Harness) -> Warn:
    """Return the warning that there is no single retrieval boundary."""
    none = sum(each.answers for each in harness.searches if each.searches == 0)
    several = sum(each.answers for each in harness.searches if each.searches > 1)
    parts = [
        f"{counted(n, 'answer', 'answers')} {did}"
        for n, did in ((several, "made several searches"), (none, "made no search and cannot be attributed"))
        if n
    ]
    return Warn(
        code="several_searches",
        message=(
            f"{', '.join(parts)}: there is no single boundary of retrieval; recall is that of an answer's searches "
            "together, and the harness numbers are about the harness, not about the system's retrieval"
        ),
    )
