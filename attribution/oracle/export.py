"""Exporting an oracle experiment: misses are drawn, packed with their gold, and written down as drawn."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from attribution import fates
from attribution.attribute import attribute, fields_of
from attribution.choices import Choices
from attribution.oracle.draw import Answer, StratumDrawn, draw, one_repeat_each
from attribution.oracle.pack import Pack
from attribution.oracle.texts import Prompts
from attribution.results import (
    Attribution,
    OracleDocument,
    OracleLimits,
    OracleQuestion,
    OracleSample,
    OracleStratum,
    Policy,
)
from traces.errors import UsageError
from traces.oracle import Drawn, Sample, add_sample
from traces.store import TraceStore

NO_INTENT = "(no intent)"


@dataclass(frozen=True, slots=True)
class Exported:
    """A sample, and its questions in the order they are written."""

    sample: OracleSample
    questions: list[OracleQuestion]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file: the sample under ``oracle``, then a question each."""
        yield json.dumps({"oracle": self.sample.to_dict()}, ensure_ascii=True, allow_nan=False)
        for question in self.questions:
            yield question.to_json()


def export_oracle(
    store: TraceStore, run_id: str, *, n: int = 60, seed: int = 0, choices: Choices | None = None
) -> Exported:
    """Draw answers whose evidence did not reach the last stage, and pack a prompt with the gold for each.

    Strata are the run's intents, else the fates; each gets its share by the largest remainder. The draw is by question
    and, within it, by repeat. What was drawn is written into the store; the same draw again changes nothing there.

    Args:
        store: open for writing.
        run_id: the run.
        n: answers to draw.
        seed: of the draw.
        choices: conventions, as in ``attribute``.

    Raises:
        UsageError: as ``attribute``; ``n`` or ``seed`` out of range; no outcome; no miss; or no text of any gold.
    """
    if n < 1 or not 0 <= seed < 2**63:
        raise UsageError("bad-sample", f"--n is at least 1 and --seed not negative, not {n} and {seed}")
    by_intent = "intent" in fields_of(store, run_id)
    before = attribute(store, run_id, choices)
    if before.passed.n == 0:
        raise UsageError("no-outcomes", "without outcomes it cannot be said what gold changes", where=f"run {run_id}")
    values = fates.step_values(run_id, before.labels.name, before.policy)
    answers = _missed(store, before, by_intent=by_intent)
    if not answers:
        raise UsageError("no-misses", "the evidence of every answer reached the last stage", where=f"run {run_id}")
    prompts = Prompts(store, values)
    misses = one_repeat_each(answers, seed)
    strata = draw(misses, n, seed, prompts.usable)
    if not any(stratum.drawn for stratum in strata):
        passed_over = sum(len(stratum.passed_over) for stratum in strata)
        raise UsageError(
            "no-texts",
            f"no text is stored for any of the {passed_over} questions and their gold",
            where=f"run {run_id}",
            hint="import the texts with 'foundlost documents import'",
        )
    questions = [
        _question(miss.query_id, miss.repeat, prompts.of(miss)) for stratum in strata for miss in stratum.drawn
    ]
    questions.sort(key=lambda question: question.query_id)
    kind: Literal["intent", "fate"] = "intent" if by_intent else "fate"
    sample = _sample(before, strata, questions, prompts, kind, asked=n, seed=seed, missing=len(answers))
    with store.transaction():
        _write_down(store, sample, strata, questions)
    return Exported(sample, questions)


def policy_text(policy: Policy) -> str:
    """Return what decides whether evidence arrived, as canonical JSON: the part of a policy a sample depends on."""
    kept = {"min_grade": policy.min_grade, "require": policy.require, "truncated": policy.truncated}
    return json.dumps(kept, sort_keys=True)


def _missed(store: TraceStore, before: Attribution, *, by_intent: bool) -> list[Answer]:
    values = fates.step_values(before.run, before.labels.name, before.policy)
    stages = fates.run_stages(store, before.run)
    answers = []
    for row in store.step(fates.PACKAGES, "missed_answers", values, given=fates.KEPT):
        fate, stage = fates.fate_name(row["reach"], stages)
        place = fate if stage is None else f"{fate}:{stage}"
        stratum = (row["intent"] or NO_INTENT) if by_intent else place
        weight = float(row["weight"]) if before.policy.weighted else 1.0
        answers.append(Answer(row["query_id"], row["repeat"], stratum, weight))
    return answers


def _question(query_id: str, repeat: int, prompt: tuple[str, Pack]) -> OracleQuestion:
    query, packed = prompt
    return OracleQuestion(
        query_id=query_id,
        repeat=repeat,
        query=query,
        pack=[
            OracleDocument(
                doc_id=place.document.doc_id,
                title=place.document.title,
                text=place.document.text,
                gold=place.gold,
                tokens=place.document.tokens,
            )
            for place in packed.places
        ],
        left_out=packed.left_out,
    )


def _sample(
    before: Attribution,
    strata: Sequence[StratumDrawn],
    questions: Sequence[OracleQuestion],
    prompts: Prompts,
    stratified_by: Literal["intent", "fate"],
    *,
    asked: int,
    seed: int,
    missing: int,
) -> OracleSample:
    decides = [before.run, before.labels.name, before.labels.version, policy_text(before.policy), seed, asked]
    written = [question.to_dict() for question in questions]  # other prompts are another sample
    digest = hashlib.sha256(json.dumps([decides, written]).encode()).hexdigest()
    return OracleSample(
        sample=digest[:12],
        run=before.run,
        labels=before.labels,
        policy=before.policy,
        seed=seed,
        asked=asked,
        missing=missing,
        missing_questions=sum(stratum.size for stratum in strata),
        drawn=len(questions),
        no_text=sum(len(stratum.passed_over) for stratum in strata),
        gold_left_out=sum(question.left_out > 0 for question in questions),
        stratified_by=stratified_by,
        strata=[OracleStratum(name=each.name, missing=each.size, drawn=len(each.drawn)) for each in strata],
        limits=OracleLimits(documents=prompts.limits.documents, tokens=prompts.limits.tokens),
    )


def _write_down(
    store: TraceStore, sample: OracleSample, strata: Sequence[StratumDrawn], questions: Sequence[OracleQuestion]
) -> None:
    left_out = {question.query_id: question.left_out for question in questions}
    drawn = [
        Drawn(
            query_id=miss.query_id,
            repeat=miss.repeat,
            stratum=stratum.name,
            stratum_size=stratum.size,
            stratum_drawn=len(stratum.drawn),
            weight=miss.weight,
            gold_left_out=left_out[miss.query_id],
        )
        for stratum in strata
        for miss in stratum.drawn
    ]
    add_sample(
        store,
        Sample(
            sample_id=sample.sample,
            run_id=sample.run,
            label_set=sample.labels.name or "",
            version=sample.labels.version,
            policy=policy_text(sample.policy),
            seed=sample.seed,
            missing=sample.missing,
        ),
        drawn,
    )
