"""Whether two runs may be compared: same labels, same judge, same pass rule, unless a difference is allowed by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attribution.results import Attribution, Warn
from attribution.stage_drift import stages_differ
from traces.errors import UsageError
from traces.store import TraceStore

DIFFERENCES = ("labels", "judge", "rule")
GOLD = frozenset({"gold_before", "gold_after"})


def check_comparable(
    store: TraceStore, before: Attribution, after: Attribution, allow: Sequence[str]
) -> tuple[list[str], list[Warn]]:
    """Return the differences there are and that are allowed, with a warning each, and one if the stages differ.

    Raises:
        UsageError: a difference that is not allowed, or an unknown word in ``allow``.
    """
    for word in allow:
        if word not in DIFFERENCES:
            raise UsageError("bad-option", f"--allow takes {', '.join(DIFFERENCES)}, not {word!r}")
    found = list(_differences(store, before, after))
    for kind, clause in found:
        if kind not in allow:
            raise UsageError(
                "not-comparable",
                f"{clause}, so a difference between the runs may be no difference of the runs",
                where=f"runs {before.run} and {after.run}",
                hint=f"say --allow {kind} to compare all the same",
            )
    warnings = [Warn(code="compared_anyway", message=f"compared although {clause}") for kind, clause in found]
    return [kind for kind, _ in found], [*warnings, *stages_differ(before, after)]


def _differences(store: TraceStore, before: Attribution, after: Attribution) -> Iterator[tuple[str, str]]:
    one, two = before.labels, after.labels
    if (one.name, one.version) != (two.name, two.version):
        yield "labels", f"labels differ: {one.name} v{one.version} and {two.name} v{two.version}"
    elif changed := store.step(("attribution",), "gold_differences", {}, given=GOLD)[0]["questions"]:
        yield "labels", f"the gold of {changed} shared questions differs"
    if before.policy.require != after.policy.require:
        yield "labels", f"what gold is needed differs: {before.policy.require} and {after.policy.require}"
    (judges_before, rules_before), (judges_after, rules_after) = (judging(store, run) for run in (before, after))
    if judges_before != judges_after:
        yield "judge", f"judges differ: {_named(judges_before)} and {_named(judges_after)}"
    if rules_before != rules_after:
        yield "rule", f"pass rules differ: {_named(rules_before)} and {_named(rules_after)}"


def judging(store: TraceStore, run: Attribution) -> tuple[list[str], list[str]]:
    """Return who gave the outcomes that count in a run, and by which rules; other judges' are left out."""
    rows = store.rows(
        """SELECT DISTINCT judge, pass_rule FROM outcomes WHERE run_id = $run AND passed IS NOT NULL
           AND (CAST($judge AS VARCHAR) IS NULL OR coalesce(judge, '') = $judge)""",
        {"run": run.run, "judge": run.policy.judge},
    )
    return sorted({row["judge"] for row in rows if row["judge"]}), sorted(
        {r["pass_rule"] for r in rows if r["pass_rule"]}
    )


def _named(names: Sequence[str]) -> str:
    return ", ".join(names) or "none named"
