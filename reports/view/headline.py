"""The headline and the paragraph under it, made by rule from the counts."""

from __future__ import annotations

from dataclasses import dataclass

from attribution.results import Attribution, Fate
from reports.numbers import COUNTS_BELOW, FEW_BELOW, count, many, percent, plural
from reports.view.left_out import left_out_words, obstacle
from reports.view.parts import State, Unit
from reports.view.shares import answers_of, range_words, share_or_counts
from reports.wording import Words, code, inside, listed, name_of, sentences, stage_words, strong, words


@dataclass(frozen=True, slots=True)
class Leader:
    """The largest cause of failure and the next. ``clear`` says whether chance alone explains the gap badly enough.

    ``second`` is None where every failure has the same cause; ``p`` is None where the two were not compared.
    """

    first: Fate
    second: Fate | None
    clear: bool
    p: float | None


def state_of(attribution: Attribution) -> State:
    """Return what the data allows the report to say."""
    if not answers_of(attribution):
        return State.nothing_attributable
    if attribution.passed.n == 0:
        return State.no_outcomes
    if attribution.failed == 0:
        return State.no_failures
    return State.few_failures if attribution.failed < COUNTS_BELOW else State.attributed


def leader_of(attribution: Attribution) -> Leader:
    """Return the leading cause of failure; the run must have failures."""
    order = sorted((fate for fate in attribution.fates if fate.failed), key=lambda fate: -fate.failed)
    if len(order) == 1:
        return Leader(order[0], None, clear=True, p=None)
    found = attribution.leading
    if found is None:
        return Leader(order[0], order[1], clear=False, p=None)
    return Leader(attribution.fates[found.first], attribution.fates[found.second], clear=found.separable, p=found.p)


def headline(attribution: Attribution, state: State, unit: Unit) -> str:
    """Return the headline: one sentence with a number."""
    failed = attribution.failed
    match state:
        case State.nothing_attributable:
            return f"No failure can be placed: {obstacle(attribution).headline}"
        case State.no_outcomes:
            return _recall_headline(attribution, unit)
        case State.no_failures:
            n = attribution.passed.n
            return f"All {count(n)} {many(unit.noun)} passed" if n > 1 else f"The one {unit.noun} passed"
        case State.few_failures:
            if attribution.passed.n == 1:
                return f"The one {unit.noun} failed"
            verdict = "few enough to read one by one" if failed < FEW_BELOW else "too few to compare causes"
            return f"{failed} of {plural(attribution.passed.n, unit.noun)} failed, {verdict}"
        case State.attributed:
            return _leading_headline(attribution)


def _recall_headline(attribution: Attribution, unit: Unit) -> str:
    last = attribution.stages[-1]
    place = stage_words(last.stage).place
    if answers_of(attribution) == 1:
        reaches = "reaches" if last.covered else "does not reach"
        return f"The evidence of the one {unit.noun} {reaches} {place}"
    return f"The evidence reaches {place} for {share_or_counts(last.recall)} of {many(unit.noun)}"


def _leading_headline(attribution: Attribution) -> str:
    leader = leader_of(attribution)
    first, second = leader.first, leader.second
    if second is None:
        return f"All {count(first.failed)} failures: {_happened(first, attribution)}"
    if leader.clear:
        return f"In {share_or_counts(first.share_of_failures)} of failures, {_happened(first, attribution)}"
    return (
        f"{_as_subject(first)} ({count(first.failed)} of {count(attribution.failed)} failures) and "
        f"{inside(name_of(second))} ({count(second.failed)}) are too close to call"
    )


def _as_subject(fate: Fate) -> str:
    return f"“{name_of(fate)}”"


def _happened(fate: Fate, attribution: Attribution) -> str:
    if fate.fate == "never_found":
        return "retrieval never found the evidence"
    if fate.fate == "lost" and fate.stage is not None:
        return f"{stage_words(fate.stage).work} lost the evidence"
    return f"the evidence reached {stage_words(attribution.stages[-1].stage).place}"


def lede(attribution: Attribution, state: State, unit: Unit) -> Words:
    """Return the paragraph under the headline."""
    match state:
        case State.nothing_attributable:
            return _nothing_lede(attribution)
        case State.no_outcomes:
            return sentences(
                words("No pass or fail is recorded in this run, so losses are counted but no failure is explained."),
                _followed(attribution, unit),
                words("{} adds outcomes.", code("foundlost outcomes import")),
            )
        case State.no_failures:
            return sentences(_followed(attribution, unit), words("None of it cost an answer: nothing failed."))
        case State.few_failures:
            return sentences(_passed(attribution, unit), _failed(attribution, unit), _why_counts(attribution, unit))
        case State.attributed:
            return sentences(_passed(attribution, unit), _failed(attribution, unit), _advice(attribution))


def _nothing_lede(attribution: Attribution) -> Words:
    questions = attribution.questions
    if questions.total == 0:
        return words("The run holds no question.")
    if questions.unlabelled == questions.total:
        return words(
            "Labels say which documents hold the answer; without them a miss cannot be told from a hit. {} reads "
            "labels from a file, and a trace may carry its own under {}.",
            code("foundlost labels import"),
            code("gold"),
        )
    reasons = left_out_words(attribution)
    return words("Left out: {}.", listed(reasons)) if reasons else words("Why they were left out is not recorded.")


def _why_counts(attribution: Attribution, unit: Unit) -> Words | None:
    if attribution.failed < FEW_BELOW:
        return None
    moves = percent(1 / attribution.failed).removesuffix("%")
    return words("With so few, one {} moves a share by {} points, so only counts are shown.", unit.noun, moves)


def _passed(attribution: Attribution, unit: Unit) -> Words:
    passed = attribution.passed
    if attribution.failed == passed.n:
        return words("{}.", strong("Nothing passes"))
    ranged = range_words(passed)
    of = "of " if passed.n >= COUNTS_BELOW else ""
    passes = "passes" if not of and passed.count == 1 else "pass"
    start = words("{}", strong(f"{share_or_counts(passed)} {of}{many(unit.noun)} {passes}"))
    return words("{} {}.", start, ranged) if ranged else words("{}.", start)


def _failed(attribution: Attribution, unit: Unit) -> Words:
    failed = attribution.failed
    never = next(fate for fate in attribution.fates if fate.fate == "never_found")
    lost = sum(fate.failed for fate in attribution.fates if fate.fate == "lost")
    reached = next(fate for fate in attribution.fates if fate.fate == "reached")
    place = stage_words(attribution.stages[-1].stage).place
    clauses = [f"{_none(never.failed)} had no document with the answer among {_first_list(attribution)}"]
    if any(fate.fate == "lost" for fate in attribution.fates):
        clauses.append(f"{_none(lost)} lost it on the way to {place}")
    clauses.append(f"{_none(reached.failed)} had it in {place} and still failed")
    if failed == 1:
        (fate,) = (fate for fate in attribution.fates if fate.failed)
        return words("The {} that fails: {}.", strong(f"one {unit.noun}"), _happened(fate, attribution))
    return words(
        "Of the {}, {}.", strong(f"{count(failed)} that fail"), f"{', '.join(clauses[:-1])}, and {clauses[-1]}"
    )


def _none(n: int) -> str:
    return count(n) if n else "none"


def _first_list(attribution: Attribution) -> str:
    first = attribution.stages[0]
    name = "candidates" if first.stage == "candidates" else f"documents of {stage_words(first.stage).place}"
    return f"the {count(first.cutoff)} {name}" if first.cutoff else f"the {name}"


def _followed(attribution: Attribution, unit: Unit) -> Words:
    first, last = attribution.stages[0], attribution.stages[-1]
    total = answers_of(attribution)
    if total == 1:
        return _followed_one(attribution, unit)
    start = words(
        "Of {}, {} {} evidence among {}",
        plural(total, unit.noun),
        strong(_none(first.covered)),
        "has its" if first.covered == 1 else "have their",
        _first_list(attribution),
    )
    if len(attribution.stages) == 1 or not (first.covered or last.covered):
        return words("{}.", start)
    # More in the last list than in the first: some evidence came in on the way, and "still" would be wrong.
    still = "still " if last.covered <= first.covered else ""
    has = "has" if last.covered == 1 else "have"
    place = stage_words(last.stage).place
    return words("{} and {} {} it in {}.", start, strong(_none(last.covered)), still + has, place)


def _followed_one(attribution: Attribution, unit: Unit) -> Words:
    """Follow a single case, of which nothing is counted."""
    first, last = attribution.stages[0], attribution.stages[-1]
    has = "has its" if first.covered else "has no"
    start = words("The one {} {} evidence among {}", unit.noun, strong(has), _first_list(attribution))
    if len(attribution.stages) == 1 or not (first.covered or last.covered):
        return words("{}.", start)
    later = "no longer has" if not last.covered else "still has" if first.covered else "has"
    return words("{} and {} it in {}.", start, strong(later), stage_words(last.stage).place)


def _advice(attribution: Attribution) -> Words:
    leader = leader_of(attribution)
    if not leader.clear:
        return words("Read failures of both kinds before choosing what to fix.")
    if leader.first.fate == "reached":
        return words("Start with the prompt and the model: retrieval did its part in these.")
    stage = leader.first.stage or attribution.stages[0].stage
    return words("Start with {}.", stage_words(stage).work)
