"""Outcomes that come on their own: one more verdict for answers the store already has."""

from __future__ import annotations

from pathlib import Path

from traces import gate, models
from traces.errors import RecordError
from traces.gate import Gate
from traces.imports.load import Import, take_in
from traces.pass_rule import decide, parse_pass_rule
from traces.progress import Progress
from traces.readers.base import OUTCOMES
from traces.records import dropping
from traces.report import IngestReport
from traces.rows import OUTCOME, REPEAT, Rows
from traces.runs import require_run
from traces.store import TraceStore
from traces.values import counted

_BATCH = 50_000


def import_outcomes(
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
    """Add end-to-end verdicts to a run. A question and repeat may have one verdict of each judge.

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
        UsageError: there is no such run, or the rule is none.
        InputError: the file cannot be used at all, or no record of it.
        RecordError: ``strict``, and a record cannot be stored.
    """
    require_run(store, run_id)
    plan = _Outcomes(run_id, pass_rule, judge)
    return take_in(store, path, plan, format=format, strict=strict, progress=progress)


class _Outcomes(Import[gate.Outcome]):
    kind = OUTCOMES

    def __init__(self, run_id: str, pass_rule: str | None, judge: str | None) -> None:
        self.target = run_id
        self.options = {"pass_rule": pass_rule, "judge": judge}
        self._rule = None if pass_rule is None else parse_pass_rule(pass_rule)
        self._judge = judge
        self._silent = 0

    def new_gate(self) -> Gate[gate.Outcome]:
        return Gate((gate.Outcome,), models.Outcome, dropping(models.Outcome))

    def begin(self, store: TraceStore, source_id: int) -> None:
        mine = {"run_id": self.target}
        asked = store.connection.execute("SELECT query_id, repeat FROM repeats WHERE run_id = $run_id", mine)
        self._answered = set(asked.fetchall())
        judged = store.connection.execute(
            "SELECT query_id, repeat, judge FROM outcomes WHERE run_id = $run_id AND passed IS NOT NULL", mine
        )
        self._judged = set(judged.fetchall())
        self._rows = Rows("outcomes", {"run_id": self.target, "source_id": source_id}, **REPEAT, **OUTCOME)

    def add(self, record: gate.Outcome, line: int) -> None:  # noqa: ARG002 - outcomes do not keep their line
        query_id = str(record.query_id)
        answer = f"question '{query_id}' repeat {record.repeat}"
        if (query_id, record.repeat) not in self._answered:
            raise RecordError("unknown-question", f"{answer} is not in the run", field="query_id")
        verdict = decide(record.passed, record.score, self._rule)
        if verdict is None:
            self._silent += 1
            return
        judge = record.judge if record.judge is not None else self._judge
        key = (query_id, record.repeat, judge)
        if key in self._judged:
            whose = "one without a judge's name" if judge is None else f"one of judge '{judge}'"
            raise RecordError("twice", f"{answer} has a verdict already, {whose}", field="query_id")
        self._judged.add(key)
        self._rows.add(query_id, record.repeat, verdict.passed, verdict.score, judge, verdict.rule)

    def flush(self, store: TraceStore, *, last: bool) -> None:
        if last or len(self._rows) >= _BATCH:
            self._rows.flush(store)

    def finish(self, store: TraceStore, source_id: int) -> list[tuple[str, str]]:  # noqa: ARG002
        if not self._silent:
            return []
        found = counted(self._silent, "record gives", "records give")
        return [("no-verdict", f"{found} neither passed nor score; nothing is stored for it")]
