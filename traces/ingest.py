"""Taking in the traces of a run: source, reader, gate, rows, store; one transaction a file."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from traces.errors import UsageError
from traces.issues import SHOWN
from traces.ledger import SAME_BYTES, Arrival, is_stored
from traces.lists import DocId
from traces.models import MAX_RANK
from traces.pass_rule import parse_pass_rule
from traces.progress import Progress, Silent
from traces.readers import find_reader, read_stages
from traces.readers.base import RUN, Raw, Remark
from traces.report import IngestReport
from traces.run_load import Loaded, RunLoad, RunOptions
from traces.runs import checked_name
from traces.sources import Source, open_source
from traces.store import TraceStore


def ingest_run(
    store: TraceStore,
    paths: Sequence[Path | str],
    *,
    run_id: str,
    format: str | None = None,  # noqa: A002 - the word users know
    stages: Sequence[tuple[str, Path | str]] | None = None,
    pass_rule: str | None = None,
    labels: str | None = None,
    strict: bool = False,
    doc_id_strip: str | None = None,
    cuts: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> IngestReport:
    """Take in the traces of one run.

    Each file is one transaction, and so are the stage files of a TREC run together: a file that cannot be used leaves
    nothing behind, those before it stay. With ``strict`` all files are one transaction.

    Args:
        store: open for writing.
        paths: files of traces, ``-`` for standard input.
        run_id: the run they belong to; it wins over the name in a header.
        format: name of the format; None to tell it from the content of each file.
        stages: TREC run files, each with the stage whose lists it holds, in the order of the stages.
        pass_rule: turns a number into pass or fail, such as ``score >= 3``.
        labels: the label set that gold in the traces goes to; None for the run's own.
        strict: stop at the first record that cannot be stored, and store nothing.
        doc_id_strip: a regular expression whose matches are taken out of every document id.
        cuts: how many documents of its recorded list a stage hands on; it wins over the header's cutoffs.
        progress: told how far the read has come.

    Raises:
        UsageError: an argument cannot be used.
        InputError: a file cannot be used at all, or no record of it.
        RecordError: ``strict``, and a record cannot be stored.
    """
    if not paths and not stages:
        raise UsageError("no-files", "there is nothing to ingest", hint="name a file, or a stage as NAME=FILE")
    given = {"pass_rule": pass_rule, "labels": labels, "doc_id_strip": doc_id_strip, "cuts": dict(cuts or {})}
    options = RunOptions(
        run_id=checked_name(run_id, "run"),
        pass_rule=None if pass_rule is None else parse_pass_rule(pass_rule),
        labels=None if labels is None else checked_name(labels, "label set"),
        strict=strict,
        doc_id=_stripper(doc_id_strip),
        cuts=_checked_cuts(cuts or {}),
    )
    ingest = _Ingest(store, options, given, progress or Silent())
    with store.transaction() if strict else contextlib.nullcontext():
        for path in paths:
            with open_source(path) as source:
                ingest.file(source, format)
        if stages:
            with contextlib.ExitStack() as stack:
                ingest.stages(
                    [(checked_name(stage, "stage"), stack.enter_context(open_source(path))) for stage, path in stages]
                )
    return _report(run_id, ingest.loads)


class _Ingest:
    """Takes in one source after another; ``loads`` says what each brought, None where the run has its bytes already."""

    def __init__(self, store: TraceStore, options: RunOptions, given: Mapping[str, Any], progress: Progress) -> None:
        self.loads: list[tuple[str, Loaded | None]] = []
        self._store = store
        self._options = options
        self._given = given
        self._progress = progress

    def file(self, source: Source, format_name: str | None) -> None:
        """Take in one file of whole traces."""
        options = {**self._given, "format": format_name}
        arrival = Arrival(RUN, self._options.run_id, source.name, source.sha256, source.size, options)
        self._take(arrival, lambda: find_reader(source, RUN, format_name)(source, self._progress))

    def stages(self, stages: Sequence[tuple[str, Source]]) -> None:
        """Take in the stage files of one run, which are one source together."""
        names = [stage for stage, _ in stages]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise UsageError("stage-twice", f"stage {', '.join(twice)} is named twice", hint="one file a stage")
        digest = hashlib.sha256("\n".join(f"{stage}\t{source.sha256}" for stage, source in stages).encode())
        called = " ".join(f"{stage}={Path(source.name).name}" for stage, source in stages)
        size = sum(source.size for _, source in stages)
        arrival = Arrival(RUN, self._options.run_id, called, digest.hexdigest(), size, {**self._given, "stages": names})
        self._take(arrival, lambda: read_stages(stages, self._progress))

    def _take(self, arrival: Arrival, records: Callable[[], Iterator[Raw | Remark]]) -> None:
        self._progress.start(arrival.size, arrival.name)
        try:
            with contextlib.nullcontext() if self._options.strict else self._store.transaction():
                stored = is_stored(self._store, arrival)
                load = None if stored else RunLoad(self._store, arrival, self._options).load(records())
                self.loads.append((arrival.name, load))
        finally:
            self._progress.done()


def _report(run_id: str, loads: Sequence[tuple[str, Loaded | None]]) -> IngestReport:
    done = [load for _, load in loads if load is not None]
    notes = [note for load in done for note in load.notes]
    notes += [f"{SAME_BYTES}: {name}" for name, load in loads if load is None]
    return IngestReport(
        RUN,
        run_id,
        tuple(name for name, _ in loads),
        sum(load.records for load in done),
        sum(load.quarantined for load in done),
        tuple(notes),
        skipped_same_bytes=not done,
        issues=tuple(issue for load in done for issue in load.issues)[:SHOWN],
        counts=dict(sum((load.counts for load in done), Counter())),
    )


def _checked_cuts(cuts: Mapping[str, int]) -> Mapping[str, int]:
    for stage, places in cuts.items():
        if not 1 <= places <= MAX_RANK:
            raise UsageError(
                "bad-cut", f"stage '{stage}' cannot hand on {places} documents", hint=f"give 1 to {MAX_RANK:,}"
            )
    return cuts


def _stripper(pattern: str | None) -> DocId | None:
    """Return what removes a pattern from every document id.

    Raises:
        UsageError: the pattern is not a regular expression.
    """
    if pattern is None:
        return None
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise UsageError(
            "bad-pattern", f"'{pattern[:80]}' is not a regular expression: {error}", hint="such as '-[0-9]+$'"
        ) from error
    return lambda name: compiled.sub("", str(name))
