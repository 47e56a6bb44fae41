"""Runs and judgments in files as lines that SQL can read: Parquet in place, TREC text parsed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import duckdb

from traces.errors import InputError
from traces.sources import Source
from traces.store import TraceStore

TREC_RUN = {
    "query_id": "VARCHAR",
    "q0": "VARCHAR",
    "doc_id": "VARCHAR",
    "place": "VARCHAR",
    "score": "DOUBLE",
    "tag": "VARCHAR",
}
TREC_QRELS = {"query_id": "VARCHAR", "iteration": "VARCHAR", "doc_id": "VARCHAR", "grade": "DOUBLE"}
_MAGIC = b"PAR1"
_FIRST = 10_000  # bytes of the first line, to see what sets its fields apart
_NOWHERE = "\x01"  # sets nothing apart, so that a line stays whole
_Packing = Literal["gzip", "zstd", "none"]
_PACKED: dict[bytes, _Packing] = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd"}


@dataclass(frozen=True, slots=True)
class Lines:
    """A file that stands as a view of a store.

    Attributes:
        file: the file.
        view: the view's name.
        columns: the columns it has.
        text: the columns of its text with their types; empty for Parquet.
        compression: of the text.
    """

    file: Path
    view: str
    columns: frozenset[str]
    text: Mapping[str, str]
    compression: _Packing


def open_lines(
    store: TraceStore, file: Path, *, view: str, text: Mapping[str, str], needs: Sequence[set[str]]
) -> Lines:
    """Make a file a view of a store that may read it.

    Args:
        store: the store.
        file: Parquet, or text with one blank or tab between fields, plain or packed.
        view: name of the view.
        text: the columns of the text with their types.
        needs: the columns it must have, one set or another.

    Raises:
        InputError: not there, packed in another way, or without the columns.
    """
    try:
        with Source(str(file), file, sha256="", size=0).stream() as (unpacked, packed):
            first = unpacked.readline(_FIRST)
            packed.seek(0)
            start = packed.read(4)
    except FileNotFoundError as error:
        raise InputError("no-file", "there is no such file", where=file.name) from error
    except IsADirectoryError as error:
        raise InputError("a-folder", "this is a folder, not a file", where=file.name) from error
    compression: _Packing = _PACKED.get(start[:2], "none")
    if start == _MAGIC:
        text = {}
        relation = store.connection.read_parquet(str(file.resolve()))
    else:
        relation = _parsed(store, file, text, "\t" if b"\t" in first else " ", compression)
    relation.create_view(view)
    found = frozenset(relation.columns)
    if not any(wanted <= found for wanted in needs):
        wanted = " or ".join(", ".join(sorted(each)) for each in needs)
        raise InputError(
            "wrong-columns", f"has columns {', '.join(sorted(found))}", where=file.name, hint=f"it needs {wanted}"
        )
    return Lines(file, view, found, text, compression)


def keep_lines(store: TraceStore, lines: Lines, *, name: str, rest: str) -> None:
    """Make the lines of a file a view, or a table where reading it means parsing text: that is done once.

    Args:
        store: the store.
        lines: the file.
        name: of the view or table.
        rest: what it has beside ``query_id``, in SQL.

    Raises:
        InputError: a line of the text cannot be read.
    """
    kind = "TABLE" if lines.text else "VIEW"
    keep = f"CREATE TEMP {kind} {name} AS SELECT CAST(query_id AS VARCHAR) AS query_id, {rest} FROM {lines.view}"  # noqa: S608 - names are ours
    try:
        store.connection.execute(keep)
    except (duckdb.InvalidInputException, duckdb.ConversionException):  # lines that the parser cannot take
        if not lines.text:
            raise
        _split_at_any_blanks(store, lines)
        store.connection.execute(keep)


def _parsed(
    store: TraceStore,
    file: Path,
    columns: Mapping[str, str],
    separator: str,
    compression: _Packing,
) -> duckdb.DuckDBPyRelation:
    return store.connection.read_csv(
        str(file.resolve()),
        header=False,
        sep=separator,
        columns=dict(columns),
        quotechar="",
        escapechar="",
        auto_detect=False,
        compression=compression,
        strict_mode=separator != _NOWHERE,  # else lines that end in two ways are refused
    )


def _split_at_any_blanks(store: TraceStore, lines: Lines) -> None:
    """Have the view split lines wherever blanks or tabs are, as trec_eval does, which takes several times as long."""
    whole = f"{lines.view}_whole"
    _parsed(store, lines.file, {"line": "VARCHAR"}, _NOWHERE, lines.compression).create_view(whole)
    parts = f"(SELECT line, string_split_regex(trim(line, ' \t\r'), '[ \t]+') AS part FROM {whole} WHERE trim(line, ' \t\r') <> '')"  # noqa: S608, E501 - names are ours
    numbers = [place for place, kind in enumerate(lines.text.values(), start=1) if kind == "DOUBLE"]
    unread = " OR ".join(f"TRY_CAST(part[{place}] AS DOUBLE) IS NULL" for place in numbers)
    (bad,) = store.rows(f"SELECT min(line) AS line FROM {parts} WHERE len(part) <> {len(lines.text)} OR {unread}")  # noqa: S608 - likewise
    if bad["line"] is not None:
        told = f"the line {bad['line'][:60]!r} is not {', '.join(lines.text)}"
        raise InputError("unreadable", told, where=lines.file.name)
    columns = ", ".join(
        f"CAST(part[{place}] AS {kind}) AS {name}" for place, (name, kind) in enumerate(lines.text.items(), start=1)
    )
    store.connection.execute(f"CREATE OR REPLACE VIEW {lines.view} AS SELECT {columns} FROM {parts}")  # noqa: S608 - likewise
