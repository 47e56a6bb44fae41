"""Caveats: what a reader must know before using an attribution, each found in the data and counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attribution import fates
from attribution.agentic import about_searches
from attribution.results import Attribution, Warn
from attribution.stage_drift import stages_unstable
from traces.store import TraceStore
from traces.values import counted

FEW_FAILURES = 20
LUCKY_PASS_RATE = 0.5


def attribution_caveats(store: TraceStore, found: Attribution, values: Mapping[str, Any]) -> list[Warn]:
    """Return the caveats of an attribution, the gravest first."""
    return [
        *_labels(store, found),
        *_outcomes(found),
        *_evidence(store, found, values),
        *_pipeline(store, found),
        *_records(store, found),
    ]


def _labels(store: TraceStore, found: Attribution) -> Iterator[Warn]:
    if found.labels.name is None:
        yield Warn(
            code="no_labels",
            message="no label set judges these questions; import one with 'foundlost labels import'",
            questions=found.questions.total,
        )
    elif found.questions.attributable == 0:
        yield Warn(
            code="nothing_attributable",
            message=f"no question of this run can be attributed with the labels {found.labels.name!r}",
            questions=found.questions.total,
        )
    if found.labels.conflicts:
        documents = counted(found.labels.conflicts, "document was", "documents were")
        yield Warn(
            code="conflicting_judgments",
            message=f"{documents} judged with different grades; the latest judgment counts",
        )
    elsewhere = store.value(
        """SELECT count(DISTINCT query_id) FROM judgments
           WHERE label_set = $labels AND run_id IS NULL
             AND query_id NOT IN (SELECT query_id FROM repeats WHERE run_id = $run)""",
        {"labels": found.labels.name or "", "run": found.run},
    )
    if elsewhere:
        yield Warn(
            code="judged_not_asked", message="questions of the label set that this run did not ask", questions=elsewhere
        )


def _outcomes(found: Attribution) -> Iterator[Warn]:
    if found.questions.attributable and found.passed.n == 0:
        yield Warn(
            code="no_outcomes",
            message="no outcome is recorded: evidence is followed, but there are no failures to share out",
            questions=found.questions.attributable,
        )
    elif 0 < found.failed < FEW_FAILURES:
        failures = counted(found.failed, "failure", "failures")
        yield Warn(
            code="few_failures", message=f"{failures}: below {FEW_FAILURES}, one more moves a share by over 5 points"
        )
    lucky = found.conditional.without_gold
    if lucky.estimate is not None and lucky.estimate > LUCKY_PASS_RATE:
        yield Warn(
            code="passes_without_gold",
            message=(
                "over half of the questions without gold pass; before trusting the worth of a retrieval fix, audit a "
                "sample of these passes: the model may know the answer, labels may be incomplete, or the judge lenient"
            ),
            questions=lucky.count,
        )


def _evidence(store: TraceStore, found: Attribution, values: Mapping[str, Any]) -> Iterator[Warn]:
    late = sum(stage.appeared_late for stage in found.stages)
    if late:
        yield Warn(
            code="appeared_late",
            message=(
                f"{counted(late, 'time', 'times')} an answer has gold at a stage that the stage before did not have, "
                "so recall at an early stage is no ceiling for the later ones"
            ),
        )
    if any(stage.truncated for stage in found.stages):
        yield from _both_readings(store, found, values)
    weighted = store.step(fates.PACKAGES, "weights_known", values, given=fates.KEPT)[0]
    if 0 < weighted["with_weight"] < weighted["questions"]:
        yield Warn(
            code="weights_incomplete",
            message="some questions have no weight, so every question counts the same",
            questions=weighted["questions"] - weighted["with_weight"],
        )


def _pipeline(store: TraceStore, found: Attribution) -> Iterator[Warn]:
    """Say where the pipeline itself leaves little to attribute."""
    if len(found.stages) == 1:
        yield Warn(
            code="single_stage",
            message=(
                "the run records one stage, so there is no boundary inside it to attribute a failure to: its "
                "end-to-end score already is the score of its one component"
            ),
        )
    if found.harness is not None:
        yield about_searches(found.harness)
    yield from stages_unstable(store, found.run)


def _both_readings(store: TraceStore, found: Attribution, values: Mapping[str, Any]) -> Iterator[Warn]:
    """Say what changes if a truncated piece is read the other way."""
    other = "kept" if values["truncated"] == "lost" else "lost"
    reached = store.step(fates.PACKAGES, "reached_count", {**values, "truncated": other})[0]
    here = found.fates[-1]
    if int(reached["n"] or 0) != here.questions:
        yield Warn(
            code="truncated_gold",
            message=(
                f"answers reached with truncated pieces counted as {values['truncated']}: {here.questions}, of which "
                f"{here.passed} pass; counted as {other}: {reached['n']}, of which {reached['passed']} pass"
            ),
            questions=abs(int(reached["n"] or 0) - here.questions),
        )


def _records(store: TraceStore, found: Attribution) -> Iterator[Warn]:
    refused = store.value(
        "SELECT coalesce(sum(quarantined), 0) FROM sources WHERE kind IN ('run', 'outcomes') AND target = $run",
        {"run": found.run},
    )
    if refused:
        records = counted(refused, "record", "records")
        yield Warn(code="quarantined", message=f"{records} of this run could not be read and are left out")
