"""The table of falsifiers with their verdicts, and what the verdicts teach."""

from __future__ import annotations

from attribution.results import FalsifierVerdict, SealedFalsifier, VerdictFound
from attribution.statistics.interval import Interval
from reports.numbers import FEW_BELOW, count, many, percent, plural, points, rate
from reports.safe_text import cut
from reports.view.forecast_claims import LONG, claim_title, least_recall, margin_words, place_of, see
from reports.view.forecast_parts import FalsifierRow, FalsifierTable
from reports.view.forecast_shown import ForecastShown
from reports.view.rates import plural_points, rate_words, signed, signed_range
from reports.wording import Words, bracketed, listed, sentences, stage_words, strong, words

_NUMBERS = {1: "One way", 2: "Two ways", 3: "Three ways", 4: "Four ways", 5: "Five ways", 6: "Six ways"}
_NUMBERS |= {7: "Seven ways", 8: "Eight ways", 9: "Nine ways"}


def refuted_upwards(verdict: VerdictFound) -> bool:
    """Say whether everything that was refuted came out better than claimed."""
    sides = {each.direction for each in verdict.falsifiers if each.verdict == "refuted"}
    return sides == {"better"}


def verdict_words(word: str, *, better: bool = False) -> str:
    """Return a verdict as it stands on a page: one of five, with its side where things came out better."""
    said = word[:1].upper() + word[1:]
    return f"{said}, better" if better and word == "refuted" else said


def falsifiers(shown: ForecastShown) -> FalsifierTable:
    """Return every falsifier as it was sealed, with its verdict."""
    n = len(shown.forecast.falsifiers)
    found = {} if shown.verdict is None else {each.name: each for each in shown.verdict.falsifiers}
    rows = [
        _row(shown, number, sealed, found.get(sealed.name))
        for number, sealed in enumerate(shown.forecast.falsifiers, start=1)
    ]
    how = (
        "Judged on 90% ranges: a result whose range holds both no difference and one beyond the line is “cannot tell”. "
        "Clearly better than claimed refutes as well: then something else changed."
    )
    if shown.verdict is None:
        intro = "Each is checked on the first run after the fix and recorded, whichever way it goes. " + how
    else:
        intro = f"Checked on the run that came after, {shown.verdict.questions:,} shared questions. " + how
    return FalsifierTable(
        title=f"{_NUMBERS.get(n, f'{n} ways')} this forecast can fail, written before the run that decides",
        intro=intro,
        rows=tuple(rows),
        note=_note(shown),
    )


def _row(shown: ForecastShown, number: int, sealed: SealedFalsifier, found: FalsifierVerdict | None) -> FalsifierRow:
    then = sealed.consequence if found is None or found.verdict != "refuted" else found.consequence
    return FalsifierRow(
        number=str(number),
        see=see(shown.forecast, sealed),
        measured=_measured(shown, sealed),
        margin=margin_words(sealed),
        power="–" if sealed.power is None else rate(sealed.power),
        then=_sentence(then),
        verdict="Pending" if found is None else verdict_words(found.verdict, better=found.direction == "better"),
        observed=None if found is None else _observed(shown, sealed, found),
    )


def _sentence(text: str) -> str:
    text = cut(text, LONG).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _measured(shown: ForecastShown, sealed: SealedFalsifier) -> str:
    """Say what a falsifier is measured on: counted after the run, expected before it."""
    cells = None if shown.verdict is None else shown.verdict.cells
    expected = shown.forecast.expected

    def slice_of(cell: str) -> str:
        n = round(getattr(expected, cell)) if cells is None else cells.get(cell, 0)
        sure = cells is not None or expected.source == "replay"
        few = ", few" if n < FEW_BELOW else ""
        return f"{'' if sure else 'about '}{count(n)} {cell.replace('_', ' ')}{few}"

    match sealed.name:
        case "recovered" | "retained":
            return slice_of(sealed.name)
        case "selection":
            return f"{slice_of('still_missing')}, {slice_of('recovered')}"
        case "recall" | "aggregate":
            n = shown.forecast.answers if cells is None else sum(cells.values())
            return f"all {count(n)} {many(shown.noun)}"
        case "audit":
            return "questions of an audit"
        case "unjudged":
            return f"documents in {place_of(shown.forecast)}"
        case "unchanged":
            return "what both runs record"
    return cut(sealed.precondition, LONG)


def _observed(shown: ForecastShown, sealed: SealedFalsifier, found: FalsifierVerdict) -> Words:
    """Say what was seen against the line, why that decides nothing where it does not, and what would have."""
    return sentences(_seen(shown, sealed, found), _why(found), _needed(found))


def _seen(shown: ForecastShown, sealed: SealedFalsifier, found: FalsifierVerdict) -> Words | None:
    if found.observed is not None and found.observed.estimate is not None:
        line = (
            "" if found.margin is None else f", line {margin_words(sealed.model_copy(update={'margin': found.margin}))}"
        )
        return words("Seen {} {}{}.", signed(found.observed), bracketed(signed_range(found.observed)), line)
    if found.realised is not None and found.realised.estimate is not None:
        return _realised(shown, sealed, found.realised)
    if found.details:
        return words("{}.", cut("; ".join(found.details), LONG))
    return None


def _realised(shown: ForecastShown, sealed: SealedFalsifier, realised: Interval) -> Words:
    margin = sealed.margin
    if sealed.name == "recall":
        line = "" if margin is None else f", line {rate(least_recall(shown.forecast, margin), 3)}"
        return words("Seen {}{}{}.", rate(realised.estimate or 0.0, 3), line, _by_stage(shown))
    if sealed.name == "unjudged":
        before = shown.forecast.unjudged.estimate
        line = "" if margin is None or before is None else f", line {percent(min(1.0, before + margin))}"
        return words("Seen {}{}.", percent(realised.estimate or 0.0), line)
    line = "" if margin is None else f", line {percent(margin)}"
    return words("Seen {}{}.", rate_words(realised, 2), line)


def _by_stage(shown: ForecastShown) -> str:
    """Return recall after each stage before the last, by which a loss on the way shows."""
    if shown.after is None:
        return ""
    told = [
        f"{rate(stage.recall.estimate, 3)} in {stage_words(stage.stage).place}"
        for stage in shown.after.attribution.stages[:-1]
        if stage.recall.estimate is not None
    ]
    return f"; before that {listed(told)}" if told else ""


def _why(found: FalsifierVerdict) -> Words | None:
    return words("{}", _sentence(found.reason)) if found.reason else None


def _needed(found: FalsifierVerdict) -> Words | None:
    if found.questions_needed is None:
        return None
    return words("{} would have decided it.", plural(found.questions_needed, "question"))


def _note(shown: ForecastShown) -> Words | None:
    """Say which claims decide, and what short recall means."""
    gates = [claim_title(each.name) for each in shown.forecast.falsifiers if each.gates]
    if not gates:
        return None
    return words(
        "The forecast {} if any of these is refuted. It {} only if {} {} and the pass rate is off by no more than {}.",
        strong("is refuted"),
        strong("holds"),
        listed([f"“{each}”" for each in gates]),
        "holds" if len(gates) == 1 else "hold",
        plural_points(shown.forecast.budget),
    )


def lessons(shown: ForecastShown) -> tuple[str, tuple[Words, ...]]:
    """Return what the verdict teaches: the consequence of every refuted claim, else what is left open."""
    verdict = shown.verdict
    if verdict is None:
        return "", ()
    refuted = [each for each in verdict.falsifiers if each.verdict == "refuted"]
    if refuted:
        title = f"What we learn from {plural(len(refuted), 'refuted claim')}"
        return title, tuple(
            words("{}: {}", strong(claim_title(each.name).capitalize()), _sentence(each.consequence))
            for each in refuted
        )
    open_ = [each for each in verdict.falsifiers if each.verdict == "cannot tell"]
    told = [
        words(
            "{}: cannot tell{}.",
            strong(claim_title(each.name).capitalize()),
            ""
            if each.questions_needed is None
            else f"; {plural(each.questions_needed, 'question')} would have decided it",
        )
        for each in open_
    ]
    if verdict.verdict == "held":
        off = points(verdict.error.total)
        told.append(
            words("Held is not proved: a claim off by less than its line holds as well. This one was off by {}.", off)
        )
    untested = [claim_title(each.name) for each in verdict.falsifiers if each.verdict == "not tested"]
    if untested:
        told.append(words("Not tested: {}.", listed(untested)))
    return "What this leaves open", tuple(told)
