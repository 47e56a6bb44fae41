"""What the numbers rest on: questions, labels, outcomes, conventions, stages, and everything the run warned about."""

from __future__ import annotations

from collections.abc import Sequence

from attribution.results import Attribution, Labels, Policy, Projection, RunFacts, StageRecall, Warn
from reports.numbers import count, date, percent, plural, rate
from reports.safe_text import cut
from reports.view.left_out import left_out_words
from reports.view.parts import Ground, State, Unit
from reports.view.rail import allowed_for
from reports.view.shares import of
from reports.wording import (
    Words,
    absent_defaults,
    code,
    cut_name,
    listed,
    reason_words,
    sentences,
    stage_words,
    strong,
    words,
)

_NAMED = 6
_LONG = 300
_SAID_ELSEWHERE = {"no_labels", "no_outcomes", "few_failures", "passes_without_gold"}
_METHODS = {"wilson": "Wilson’s", "wilson-effective": "Wilson’s for the effective number of questions"}


def grounds(
    attribution: Attribution, facts: RunFacts, state: State, unit: Unit, projection: Projection | None
) -> tuple[Ground, ...]:
    """Return every line of the last section; lines with nothing to say are left out."""
    warned = [
        _warned(warn)
        for warn in (*attribution.warnings, *(projection.warnings if projection else ()))
        if warn.code not in _SAID_ELSEWHERE
    ]
    found: list[tuple[str, Words | None]] = [
        ("Data", words("Made up: {}", strong(cut(facts.synthetic, _LONG))) if facts.synthetic else None),
        ("Questions", _questions(attribution, unit)),
        ("Pass or fail", _outcomes(attribution, facts, state)),
        ("Evidence labels", labels_words(attribution.labels)),
        ("Counts as evidence", policy_words(attribution.policy)),
        ("Evidence groups", _groups(attribution)),
        ("Stages", _stages(attribution, facts)),
        ("Reasons", _reasons(attribution)),
        ("Ranges", _ranges(attribution, unit)),
        ("Check", _identity(attribution)),
        ("Pipeline", _pipeline(facts)),
        *[("Read with care", words("{}.", message)) for message in dict.fromkeys(warned)],
    ]
    return tuple(Ground(name, text) for name, text in found if text)


def _warned(warn: Warn) -> str:
    concerned = f" ({plural(warn.questions, 'question')})" if warn.questions else ""
    text = cut(warn.message, _LONG).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}{concerned}"


def _questions(attribution: Attribution, unit: Unit) -> Words:
    questions = attribution.questions
    outside = left_out_words(attribution)
    asked = words(
        "{} asked, {} attributable.",
        count(questions.total),
        count(questions.attributable) if questions.attributable else "none",
    )
    repeats = (
        words("{} to {}.", plural(questions.repeats, "answer"), plural(questions.attributable, "question"))
        if unit.noun == "answer"
        else None
    )
    out = words("Left out: {}.", listed(outside)) if outside else None
    weighted = words("Shares and rates are weighted; counts are not.") if attribution.policy.weighted else None
    return sentences(asked, repeats, out, weighted)


def _outcomes(attribution: Attribution, facts: RunFacts, state: State) -> Words:
    if state is State.no_outcomes:
        return words("Not recorded in this run.")
    judges = [attribution.policy.judge] if attribution.policy.judge else facts.judges
    named = words("Judged by {}.", _few(judges)) if judges else words("Who judged is not recorded.")
    several = words("{} judges in one run.", count(len(judges))) if len(judges) > 1 else None
    rules = facts.pass_rules
    ruled = words("Passes when {}.", _few(rules, " or ")) if rules else None
    return sentences(named, several, ruled)


def _few(names: Sequence[str], last: str = "") -> str:
    shown = [cut_name(name) for name in names[:_NAMED]]
    if len(names) > _NAMED:
        shown.append(f"{len(names) - _NAMED} more")
    return last.join(shown) if last else listed(shown)


def labels_words(labels: Labels) -> Words:
    """Return a label set in words: how much it holds, who made it and when."""
    if not labels.judgments:
        return words("None. {} reads some from a file.", code("foundlost labels import"))
    made = words(
        "{} v{}: {} on {}.",
        cut_name(labels.name),
        str(labels.version),
        plural(labels.judgments, "judgment"),
        plural(labels.questions, "question"),
    )
    by = words("{}.", _by(labels)) if labels.kinds or labels.annotators else None
    days = None
    if labels.oldest and labels.newest:
        oldest, newest = date(labels.oldest), date(labels.newest)
        days = words("Made {}.", newest if oldest == newest else f"{oldest} to {newest}")
    conflicts = words("{} in conflict.", plural(labels.conflicts, "judgment")) if labels.conflicts else None
    return sentences(made, by, days, conflicts)


def _by(labels: Labels) -> str:
    kinds = f"kind {_few(labels.kinds)}" if labels.kinds else ""
    people = plural(labels.annotators, "annotator") if labels.annotators else ""
    return ", ".join(part for part in (kinds, people) if part).capitalize()


def policy_words(policy: Policy) -> Words:
    """Return what counts as evidence, in words."""
    need = {
        "any": "one such document is enough",
        "groups": "one of each evidence group is needed",
        "all": "every group is needed, and every document outside a group",
    }[policy.require]
    return words(
        "Documents of grade {} or above; {}. A document cut short counts as {}.",
        f"{policy.min_grade:g}",
        need,
        "lost" if policy.truncated == "lost" else "there",
    )


def _groups(attribution: Attribution) -> Words | None:
    lines = [
        f"{group.present} of {group.needed} present: {of(group.passed)} passed" for group in attribution.groups_present
    ]
    return words("{}.", "; ".join(lines[: 2 * _NAMED])) if lines else None


def _stages(attribution: Attribution, facts: RunFacts) -> Words:
    named = [_stage(stage) for stage in attribution.stages]
    shown = {stage.stage for stage in attribution.stages}
    without = [stage_words(stage).place for stage in facts.stages if stage not in shown]
    absent = absent_defaults([*facts.stages, *shown])
    inferred = [
        f"{cut_name(origin.stage)} by {cut_name(origin.inferred_by)} ({plural(origin.lists, 'list')})"
        for origin in facts.origins
        if origin.inferred_by
    ]
    incomplete = attribution.questions.incomplete_lists
    return sentences(
        words("{}.", "; ".join(named)) if named else words("None recorded."),
        words("Not recorded: {}.", listed(without)) if without else None,
        words("This run has no {}.", listed(absent)) if absent else None,
        words("Inferred: {}.", listed(inferred)) if inferred else None,
        words("Lists recorded in part: {}.", plural(incomplete, "question")) if incomplete else None,
    )


def _stage(stage: StageRecall) -> str:
    notes = [
        (stage.cutoff, f"first {count(stage.cutoff or 0)}"),
        (stage.appeared_late, f"{count(stage.appeared_late)} gained evidence here"),
        (stage.duplicates, plural(stage.duplicates, "duplicate")),
        (stage.truncated, f"{count(stage.truncated)} cut short"),
    ]
    kept = [text for n, text in notes if n]
    return f"{cut_name(stage.stage)} ({', '.join(kept)})" if kept else cut_name(stage.stage)


def _reasons(attribution: Attribution) -> Words | None:
    lines = []
    for fate in attribution.fates:
        if fate.reasons and fate.fate != "reached":
            name = "Never found" if fate.fate == "never_found" else stage_words(fate.stage or "").loss
            parts = [f"{count(n)} {reason_words(reason)}" for reason, n in fate.reasons.items() if n]
            lines.append(f"{name}: {listed(parts)}")
    return words("{}.", "; ".join(lines)) if lines else None


def _ranges(attribution: Attribution, unit: Unit) -> Words:
    level = percent(attribution.policy.level)
    allowances = allowed_for(attribution, unit)
    method = (
        attribution.passed.method
        if attribution.passed.n
        else attribution.stages[-1].recall.method
        if attribution.stages
        else ""
    )
    made = (
        words("{} intervals over questions, {}.", level, _METHODS.get(method, cut_name(method)))
        if method
        else words("{}.", level)
    )
    if not allowances:
        return made
    size = attribution.passed.n_effective
    worth = words("They are worth {}.", plural(round(size), "independent answer")) if size is not None else None
    return sentences(made, words("Ranges allow for {}.", listed(allowances)), worth)


def _identity(attribution: Attribution) -> Words | None:
    identity = attribution.identity
    if identity.reproduced is None or identity.observed is None:
        return None
    return words(
        "Pass rates with and without the evidence, weighted by recall, give {}; observed {}.",
        rate(identity.reproduced, 3),
        rate(identity.observed, 3),
    )


def _pipeline(facts: RunFacts) -> Words | None:
    parts = [
        f"model {cut_name(facts.model)}" if facts.model else "",
        f"prompt {cut_name(facts.prompt)}" if facts.prompt else "",
        f"index of {plural(facts.index_size, 'document')}" if facts.index_size else "",
    ]
    kept = [part for part in parts if part]
    return words("{}.", ", ".join(kept)) if kept else None
