"""One file a format, and the registry that tells them by content and lists them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

from traces.errors import InputError, UsageError
from traces.progress import Progress
from traces.readers import beir_qrels, csv_table, jsonl, parquet, trec_qrels, trec_run
from traces.readers.base import Format, Raw, Read, Remark
from traces.sources import Source, open_source

# the order of asking: the surest signs first
FORMATS: dict[str, Format] = {
    told.name: told
    for told in (
        parquet.FORMAT,
        jsonl.FORMAT,
        beir_qrels.FORMAT,
        csv_table.CSV,
        csv_table.TSV,
        trec_run.FORMAT,
        trec_qrels.FORMAT,
    )
}
_HEAD = 20
_BROUGHT = {
    "run": "the traces of a run",
    "labels": "labels",
    "outcomes": "outcomes",
    "oracle": "answers of an oracle experiment",
    "questions": "questions",
    "documents": "documents",
}
_COMMANDS = {
    "run": "foundlost ingest",
    "labels": "foundlost labels import",
    "outcomes": "foundlost outcomes import",
    "oracle": "foundlost oracle import",
    "questions": "foundlost questions import",
    "documents": "foundlost documents import",
}


def formats() -> tuple[Format, ...]:
    """Return the formats that are read, in the order they are asked."""
    return tuple(FORMATS.values())


def sniff(path: Path | str) -> tuple[str, str]:
    """Return the format of a file, told by its content, and why it is taken for that.

    Raises:
        InputError: the file cannot be used, or is of no known format.
    """
    with open_source(path) as source:
        return sniff_source(source)


def sniff_source(source: Source) -> tuple[str, str]:
    """Return the format of a source, and why it is taken for that.

    Raises:
        InputError: the source is of no known format.
    """
    head = [line for _, line in itertools.islice(source.lines(), _HEAD)]
    if not head:
        raise InputError("no-records", "there is nothing but blank lines in the file", where=source.name)
    for told in FORMATS.values():
        why = told.told_by(head)
        if why is not None:
            return told.name, why
    hint = f"it reads {', '.join(FORMATS)}"
    if head[0].lstrip().startswith((b"[", b"{")):
        hint = "write one JSON object a line"
    raise InputError("unknown-format", "the content is of no known format", where=source.name, hint=hint)


def find_reader(source: Source, brings: str, name: str | None) -> Read:
    """Return what reads the records of a source.

    Args:
        source: the source.
        brings: what it should bring.
        name: the format to use; None to tell it from the content.

    Raises:
        UsageError: there is no format of that name, or one file of it holds one stage only.
        InputError: the format is not known, or brings other things.
    """
    found, why = _chosen(source, name)
    if brings not in found.brings:
        use = " or ".join(f"'{_COMMANDS[kind]}'" for kind in sorted(found.brings))
        raise InputError(
            "other-content",
            f"this is {found.name} ({why}), not {_BROUGHT[brings]}",
            where=source.name,
            hint=f"use {use}",
        )
    if found.read is None:
        raise UsageError(
            "needs-stage",
            f"a {found.name} file holds the lists of one stage, and does not say which ({why})",
            where=source.name,
            hint="name the stage: --stage NAME=FILE",
        )
    return found.read


def _chosen(source: Source, name: str | None) -> tuple[Format, str]:
    if name is None:
        sniffed, why = sniff_source(source)
        return FORMATS[sniffed], why
    if name not in FORMATS:
        raise UsageError("unknown-format", f"there is no format '{name}'", hint=f"known are {', '.join(FORMATS)}")
    return FORMATS[name], "the format was named"


def read_stages(stages: Sequence[tuple[str, Source]], progress: Progress) -> Iterator[Raw | Remark]:
    """Read the stages of one run from TREC run files, one a stage.

    Raises:
        InputError: a file is not a TREC run.
    """
    for stage, source in stages:
        found, why = sniff_source(source)
        if found != trec_run.FORMAT.name:
            raise InputError(
                "other-content",
                f"the file of stage '{stage}' is not a TREC run but {found} ({why})",
                where=source.name,
                hint="name it without --stage",
            )
    return trec_run.read_stages(stages, progress)
