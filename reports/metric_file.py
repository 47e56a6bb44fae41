"""Metrics one question at a time, as a Parquet or CSV file."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from reports.safe_text import cell
from traces.errors import UsageError

_BATCH = 50_000


def check_name(path: Path) -> None:
    """Make sure that a file name says which format to write, before anything is computed.

    Raises:
        UsageError: it ends neither in .parquet nor in .csv.
    """
    if path.suffix.lower() not in (".parquet", ".csv"):
        raise UsageError("bad-file-name", "name the file .parquet or .csv, to say what it shall be", where=str(path))


def write_values(path: Path, values: pa.Table) -> None:
    """Write metrics, one row a question and metric, so that a reader finds the old file or the whole new one.

    In CSV no cell can start a formula; in Parquet text is as it was recorded.

    Args:
        path: a file that ends in .parquet or .csv.
        values: ``query_id``, ``stage``, ``metric``, ``value`` or NULL, ``reason``.

    Raises:
        UsageError: the file cannot be written.
    """
    check_name(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            if path.suffix.lower() == ".parquet":
                pq.write_table(values, file, compression="zstd")
            else:
                _write_csv(file, values)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise UsageError("cannot-write", error.strerror or type(error).__name__, where=str(path)) from error
    finally:
        partial.unlink(missing_ok=True)


def _write_csv(file: BinaryIO, values: pa.Table) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(values.column_names)
    for batch in values.to_batches(max_chunksize=_BATCH):
        writer.writerows([cell(value) for value in row.values()] for row in batch.to_pylist())
    text.detach()
