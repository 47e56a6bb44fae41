"""What is stored, on the terminal: runs, one run, one question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attribution.results import QuestionStage, QuestionTrace, RunFacts
from reports import numbers
from reports.text.table import DASH, loss_words, print_line, print_table


def print_runs(runs: Sequence[Mapping[str, Any]]) -> None:
    """Print one line a stored run."""
    rows = [
        (r["run_id"], " > ".join(r["stages"]), r["questions"], r["repeats"], r["passed"], r["failed"], r["quarantined"])
        for r in runs
    ]
    print_table(("run", "stages", "questions", "answers", "passed", "failed", "refused records"), rows)


def print_facts(facts: RunFacts) -> None:
    """Print what is recorded about a run."""
    if facts.synthetic:
        print_line(f"Made-up data: {facts.synthetic}")
    rows = [
        ("run", facts.run),
        ("build", facts.build or DASH),
        ("model", facts.model or DASH),
        ("prompt", facts.prompt or DASH),
        ("stages", " > ".join(facts.stages)),
        ("judges", ", ".join(facts.judges) or DASH),
        ("pass rules", ", ".join(facts.pass_rules) or DASH),
    ]
    for origin in facts.origins:
        how = "recorded" if origin.inferred_by is None else f"inferred: {origin.inferred_by}"
        rows.append(("lists", f"{origin.stage}: {origin.lists} {how}"))
    for source in facts.sources:
        read = f"{numbers.plural(source.records, 'record')}, {source.quarantined} refused"
        rows.append((source.kind, f"{source.name}: {read}, sha256 {source.sha256[:12]}"))
    print_table(("what", "value"), rows)


def print_question(trace: QuestionTrace) -> None:
    """Print one answer: its fate, and its lists side by side with gold marked by a star."""
    outcome = {True: "passed", False: "failed", None: "no outcome"}[trace.passed]
    reason = f" ({trace.reason.replace('_', ' ')})" if trace.reason else ""
    print_line(f"{trace.query_id} repeat {trace.repeat}: {_fate(trace)}{reason}, {outcome}")
    for label, text in (("question", trace.query), ("answer", trace.answer), ("gold", ", ".join(trace.gold))):
        print_line(f"{label}: {text or DASH}")
    longest = max((len(stage.documents) for stage in trace.stages), default=0)
    rows = [[place + 1, *(_document(stage, place) for stage in trace.stages)] for place in range(longest)]
    print_table(["place", *map(_head, trace.stages)], rows)


def _fate(trace: QuestionTrace) -> str:
    if trace.fate is None:
        return "not attributable"
    return "reached" if trace.fate == "reached" else loss_words(trace.stage).lower()


def _head(stage: QuestionStage) -> str:
    search = f", search {stage.search}" if stage.search else ""
    return f"{stage.stage}{search}{'' if stage.complete else ' (incomplete)'}"


def _document(stage: QuestionStage, place: int) -> str:
    if place >= len(stage.documents):
        return ""
    document = stage.documents[place]
    return f"{'* ' if document.gold else ''}{document.doc_id}{' (truncated)' if document.truncated else ''}"
