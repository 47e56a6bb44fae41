"""Answers of an oracle experiment: verdicts on questions that were answered with the gold in the prompt."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from traces import gate, models
from traces.errors import RecordError, UsageError
from traces.gate import Gate
from traces.imports.load import Import, take_in
from traces.oracle import drawn_in, samples_of
from traces.pass_rule import decide, parse_pass_rule
from traces.progress import Progress
from traces.readers.base import ORACLE
from traces.records import dropping
from traces.report import IngestReport
from traces.rows import OUTCOME, REPEAT, Rows
from traces.runs import require_run
from traces.store import TraceStore
from traces.values import counted


def import_oracle(
    store: TraceStore,
    path: Path | str,
    *,
    run_id: str,
    pass_rule: str | None = None,
    judge: str | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    strict: bool = False,
    progress: Progress | None = None,
) -> IngestReport:
    """Add the answers to the latest sample of a run. A question may have one verdict of each judge.

    Args:
        store: open for writing.
        path: the file, ``-`` for standard input.
        run_id: the run.
        pass_rule: turns a number into pass or fail, such as ``score >= 3``.
        judge: who judged, where a record does not say.
        format: name of the format; None to tell it from the content.
        strict: stop at the first record that cannot be stored, and store nothing.
        progress: told how far the read has come.

    Raises:
        UsageError: there is no such run, no sample of it was exported, or the rule is none.
        InputError: the file cannot be used at all, or no record of it.
        RecordError: ``strict``, and a record cannot be stored.
    """
    require_run(store, run_id)
    return take_in(
        store, path, _Answers(store, run_id, pass_rule, judge), format=format, strict=strict, progress=progress
    )


def answer_gate() -> Gate[gate.OracleAnswer]:
    """Return the gate of one file of answers."""
    return Gate((gate.OracleAnswer,), models.OracleAnswer, _settle)


def _settle(raw: dict[str, Any], unknown: Counter[str]) -> None:
    if "oracle" in raw or "pack" in raw:
        hint = "answer its questions first, or have that done with --command"
        raise RecordError("not-an-answer", "this is a line of the exported file, not an answer to it", hint=hint)
    dropping(models.OracleAnswer)(raw, unknown)


class _Answers(Import[gate.OracleAnswer]):
    kind = ORACLE

    def __init__(self, store: TraceStore, run_id: str, pass_rule: str | None, judge: str | None) -> None:
        samples = samples_of(store, run_id)
        if not samples:
            raise UsageError(
                "no-sample", "no sample of its misses was exported", where=f"run {run_id}",
                hint=f"run 'foundlost oracle export {run_id} -o FILE' first",
            )  # fmt: skip
        self.target = run_id
        self.sample = samples[0].sample_id
        self.options = {"sample": self.sample, "pass_rule": pass_rule, "judge": judge}
        self._rule = None if pass_rule is None else parse_pass_rule(pass_rule)
        self._judge = judge
        self._silent = 0
        self._undecided = 0
        self._known = 0

    def new_gate(self) -> Gate[gate.OracleAnswer]:
        return answer_gate()

    def begin(self, store: TraceStore, source_id: int) -> None:
        self._drawn = {one.query_id: one.repeat for one in drawn_in(store, self.sample)}
        judged = store.connection.execute(
            "SELECT query_id, judge, passed, score FROM oracle_answers WHERE sample_id = $s AND passed IS NOT NULL",
            {"s": self.sample},
        ).fetchall()
        self._judged = {(query_id, judge): (passed, score) for query_id, judge, passed, score in judged}
        fixed: dict[str, str | int | None] = {"sample_id": self.sample, "run_id": self.target, "source_id": source_id}
        self._rows = Rows("oracle_answers", fixed, **REPEAT, answer="VARCHAR", **OUTCOME)

    def add(self, record: gate.OracleAnswer, line: int) -> None:  # noqa: ARG002 - answers do not keep their line
        query_id = str(record.query_id)
        self._check_drawn(query_id, record)
        verdict = decide(record.passed, record.score, self._rule)
        if verdict is None:
            self._silent += 1
            return
        judge = record.judge if record.judge is not None else self._judge
        known = self._judged.get((query_id, judge))
        if known is not None and known == (verdict.passed, verdict.score):
            self._known += 1  # a file that has grown since it was imported is no fault
            return
        if known is not None:
            whose = "one without a judge's name" if judge is None else f"one of judge '{judge}'"
            raise RecordError("twice", f"question '{query_id}' has another verdict already, {whose}", field="query_id")
        if verdict.passed is None:
            self._undecided += 1
        else:
            self._judged[query_id, judge] = (verdict.passed, verdict.score)
        repeat = self._drawn[query_id]
        self._rows.add(query_id, repeat, record.answer, verdict.passed, verdict.score, judge, verdict.rule)

    def _check_drawn(self, query_id: str, record: gate.OracleAnswer) -> None:
        if query_id not in self._drawn:
            message = f"question '{query_id}' is not in the run's latest sample, {self.sample}"
            raise RecordError("not-drawn", message, field="query_id")
        repeat = self._drawn[query_id]
        if record.repeat is not None and record.repeat != repeat:
            message = f"of question '{query_id}' repeat {repeat} was drawn, not {record.repeat}"
            raise RecordError("not-drawn", message, field="repeat")
        if record.sample is not None and record.sample != self.sample:
            message = f"answers sample '{record.sample}', and the run's latest is {self.sample}"
            raise RecordError("not-drawn", message, field="sample")

    def flush(self, store: TraceStore, *, last: bool) -> None:
        if last:
            self._rows.flush(store)

    def finish(self, store: TraceStore, source_id: int) -> list[tuple[str, str]]:  # noqa: ARG002
        notes = []
        if self._known:
            notes.append(("known-answers", f"{counted(self._known, 'answer was', 'answers were')} stored already"))
        if self._silent:
            found = counted(self._silent, "record gives", "records give")
            notes.append(("no-verdict", f"{found} neither passed nor score; nothing is stored for it"))
        if self._undecided:
            found = counted(self._undecided, "answer has a score", "answers have a score")
            notes.append(("no-pass-rule", f"{found} that no rule turns into pass or fail; give --pass-rule"))
        left = len(self._drawn.keys() - {query_id for query_id, _ in self._judged})
        if left:
            found = counted(left, "answer has", "answers have")
            notes.append(("unanswered", f"{found} no verdict yet, of {len(self._drawn):,} drawn"))
        return notes
