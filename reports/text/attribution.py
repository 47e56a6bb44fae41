"""An attribution on the terminal."""

from __future__ import annotations

from attribution.results import Attribution, Fate, Harness, HarnessRate, Policy, Slice
from reports import numbers
from reports.text.table import DASH, loss_words, print_line, print_table, print_warnings, rate, share

LEFT_OUT = ("unlabelled", "no_answer", "no_outcome", "unknown_gold", "incomplete_lists")


def print_attribution(found: Attribution) -> None:
    """Print an attribution: where failures are, recall per stage, conditional pass rates, and each slice asked for."""
    asked = found.questions
    labels = f"labels {found.labels.name} v{found.labels.version}" if found.labels.name else "no labels"
    total = numbers.plural(asked.total, "question")
    print_line(f"Run {found.run}: {numbers.count(asked.attributable)} of {total} attributable, {labels}")
    print_line(_conventions(found.policy))
    if asked.repeats != asked.attributable:
        print_line(f"{numbers.count(asked.repeats)} answers to these questions; ranges allow for repeats")
    left_out = [f"{getattr(asked, reason)} {reason.replace('_', ' ')}" for reason in LEFT_OUT if getattr(asked, reason)]
    if left_out:
        print_line(f"Not attributable, or without outcome: {', '.join(left_out)}")
    if asked.attributable:
        _print_slice(found)
        for by in found.by:
            value = "(none)" if by.value is None else by.value
            print_line()
            print_line(f"{by.field} = {value}: {numbers.plural(by.questions, 'question')}")
            _print_slice(by)
    if found.harness is not None:
        _print_harness(found.harness)
    print_warnings(found.warnings)


def _conventions(policy: Policy) -> str:
    enough = {"any": "any such document is enough", "groups": "one of each evidence group is needed"}
    need = enough.get(policy.require, "every such document is needed")
    judge = f"; outcomes by {policy.judge or 'an unnamed judge'}" if policy.judge is not None else ""
    weights = "; questions weighted to traffic" if policy.weighted else ""
    truncated = f"truncated pieces count as {policy.truncated}"
    return f"Gold is grade {policy.min_grade:g} or more, {need}; {truncated}{judge}{weights}"


def _print_slice(found: Slice) -> None:
    judged = found.passed.n > 0
    print_line()
    if judged:
        level = f"{found.passed.level:.0%}"
        print_line(
            f"Pass rate {rate(found.passed)}; {numbers.plural(found.failed, 'failure')}. Ranges are {level} intervals."
        )
    print_table(
        ("fate", "answers", "failed", "passed", "of failures", "of answers", "why"),
        [_fate_row(fate, judged=judged) for fate in found.fates],
    )
    print_line()
    print_table(
        ("stage", "recall", "appeared late", "duplicates", "truncated"),
        [(s.stage, rate(s.recall), s.appeared_late, s.duplicates, s.truncated) for s in found.stages],
    )
    if judged:
        with_gold, without_gold = rate(found.conditional.with_gold), rate(found.conditional.without_gold)
        print_line()
        print_line(f"Pass rate with gold at the last stage {with_gold}, without {without_gold}")


def _print_harness(found: Harness) -> None:
    """Print what the harness did, apart from the fates: it is not what the system's retrieval did."""
    made = ", ".join(f"{numbers.count(each.answers)} made {each.searches}" for each in found.searches)
    texts = found.well_formed
    faults = [
        f"{numbers.count(n)} {what}" for n, what in ((texts.blank, "blank"), (texts.repeated, "sent before")) if n
    ]
    if texts.recorded and texts.unrecorded:
        faults.append(f"{numbers.count(texts.unrecorded)} not recorded")
    print_line()
    print_line(f"Searches an answer: {made}. What follows is about the harness, not the system:")
    print_table(
        ("harness", "share", "why not"),
        [
            ("answers that searched", _harness_rate(found.searched), ""),
            ("searches with a text of their own", _harness_rate(texts), ", ".join(faults)),
            ("answers that came to an end", _harness_rate(found.ended), ""),
        ],
    )


def _harness_rate(found: HarnessRate) -> str:
    return f"{DASH} ({found.reason})" if found.rate is None else rate(found.rate)


def _fate_row(fate: Fate, *, judged: bool) -> tuple[object, ...]:
    name = "Reached" if fate.fate == "reached" else loss_words(fate.stage)
    outcome = (fate.failed, fate.passed, share(fate.share_of_failures)) if judged else (DASH, DASH, DASH)
    reasons = ", ".join(f"{reason.replace('_', ' ')} {n}" for reason, n in sorted(fate.reasons.items()))
    return (name, fate.questions, *outcome, share(fate.share_of_questions), reasons)
