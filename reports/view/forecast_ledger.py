"""Forecasts one under the other, each with what became of it, and how they have done together."""

from __future__ import annotations

from attribution.results import Calibration, ForecastLine, VerdictFound
from reports.numbers import count, date, plural, points
from reports.safe_text import cut
from reports.view.footer import short
from reports.view.forecast_parts import Ledger, LedgerRow
from reports.view.forecast_shown import ForecastShown
from reports.view.forecast_verdicts import refuted_upwards, verdict_words
from reports.view.rates import rate_words, recall_words, size
from reports.wording import Words, cut_name, listed, quoted, sentences, words

_DASH = "–"
_FAULT_LENGTH = 96


def ledger_row(line: ForecastLine, *, marked: str = "") -> LedgerRow:
    """Return one forecast with its first verdict, the one that counts."""
    notes = [marked] if marked else []
    notes += [f"revises {quoted(cut_name(line.revises))}"] if line.revises is not None else []
    if line.fault is not None:
        what = "verdicts not those recorded" if line.intact else "not what was sealed"
        notes.append(f"{what}: {cut(line.fault, _FAULT_LENGTH)}")
    return _row(line, line.first, ", ".join(notes))


def _row(line: ForecastLine, verdict: VerdictFound | None, marked: str) -> LedgerRow:
    after_the_fact = verdict is not None and not verdict.before_the_fact
    when = "no date" if line.sealed_at is None else date(line.sealed_at)
    return LedgerRow(
        name=cut_name(line.name),
        marked=marked,
        sealed=f"{when}{', after the fact' if after_the_fact else ''}, {short(line.sha256)}",
        of=_DASH if line.run is None else cut_name(line.run),
        recall=_DASH if line.recall_target is None else recall_words(line.recall_target),
        forecast=words(_DASH) if line.forecast_pass is None else rate_words(line.forecast_pass),
        came=words(_DASH) if verdict is None else rate_words(verdict.observed_pass),
        off=_DASH if verdict is None else points(verdict.error.total),
        verdict=told(line, verdict),
        by=_DASH if verdict is None else cut_name(verdict.after),
    )


def told(line: ForecastLine, verdict: VerdictFound | None) -> str:
    """Return a verdict as it stands beside its forecast, with what was allowed by name; else why there is none."""
    if verdict is None:
        return "Pending" if line.believed else "Tampered with"
    said = verdict_words(verdict.verdict, better=refuted_upwards(verdict))
    return f"{said}, {listed([cut_name(each) for each in verdict.allowed])} allowed" if verdict.allowed else said


def family(shown: ForecastShown) -> Ledger | None:
    """Return this forecast with those it revises and those that revise it; None where it stands alone."""
    if len(shown.family) < 2:
        return None
    own = shown.forecast.name
    return Ledger(
        title=f"One of {count(len(shown.family))} forecasts of this fix: a revision stands beside what it revises",
        intro="The original is never changed. Its verdict counts as well as that of the revision.",
        rows=tuple(ledger_row(line, marked="this page" if line.name == own else "") for line in shown.family),
        after=None,
    )


def judged(shown: ForecastShown) -> Ledger | None:
    """Return the other verdicts on the same forecast; None where there are none."""
    others = [verdict for verdict in shown.verdicts if verdict != shown.verdict]
    if not others or shown.verdict is None:
        return None
    forecast = shown.forecast
    line = ForecastLine(
        name=forecast.name,
        revises=None,
        sealed_at=forecast.sealed_at,
        sha256=shown.sealed.sha256,
        intact=True,
        verdicts_intact=True,
        fault=None,
        run=forecast.run,
        recall_target=forecast.recall_target,
        forecast_pass=forecast.projection,
        first=None,
        verdicts=len(shown.verdicts),
    )
    return Ledger(
        title=f"Also judged by {plural(len(others), 'other run')}",
        intro="The first verdict with nothing allowed by name counts. Each has a page of its own with --after.",
        rows=tuple(_row(line, verdict, "") for verdict in others),
        after=None,
    )


def held_words(done: Calibration) -> str:
    """Return how many of the forecasts judged held: ``2 of 3 forecasts held``."""
    if done.judged == 1:
        word = "held" if done.held else "refuted" if done.refuted else "cannot tell"
        return f"1 forecast judged: {word}"
    return f"{count(done.held)} of {plural(done.judged, 'forecast')} held"


def calibration_words(done: Calibration) -> Words:
    """Return how the forecasts have done, over those sealed before the fact and judged with nothing allowed by name."""
    apart = sentences(
        _apart(done.after_the_fact, "{} {} sealed when the outcomes were known already and {} not counted."),
        _apart(done.allowed, "{} {} judged with a difference allowed by name and {} not counted."),
    )
    if not done.judged:
        none = "No verdict counts yet." if done.allowed else "No forecast has been judged by a run that came after it."
        return sentences(words(none), apart)
    if done.judged == 1:
        lands = "inside" if done.covered else "outside"
        told = [words("{}.", held_words(done))]
        told += [words("Off by {} points, {} the range for the next run.", points(done.mean_error or 0.0), lands)]
        return sentences(*told, apart)
    told = [words("{}, {} refuted, {} cannot tell.", held_words(done), count(done.refuted), count(done.cannot_tell))]
    if done.mean_error is not None and done.mean_absolute_error is not None:
        told.append(
            words(
                "Off by {} points on average, {} either way; {} of {} landed in the range for the next run.",
                points(done.mean_error),
                size(done.mean_absolute_error),
                count(done.covered),
                count(done.judged),
            )
        )
    return sentences(*told, apart)


def _apart(n: int, told: str) -> Words | None:
    were, are = ("was", "is") if n == 1 else ("were", "are")
    return words(told, count(n), were, are) if n else None
