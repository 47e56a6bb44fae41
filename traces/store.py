"""The store: one DuckDB file that holds everything.

This is the only place that connects to DuckDB. A reader opens the file read-only and never blocks another reader; a
writer holds it for one short transaction. Opening a file that another process is writing waits a bounded time.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import duckdb

from traces.errors import StoreError, UsageError
from traces.steps import Written, compose

if TYPE_CHECKING:
    import pyarrow as pa

STORAGE_VERSION = "v1.4.0"  # readable by every DuckDB from 1.4 on; measured to cost nothing
WAIT_SECONDS = 5.0
_UNUSABLE = (
    duckdb.IOException,
    duckdb.FatalException,
    duckdb.OutOfMemoryException,
    duckdb.InternalException,
    duckdb.TransactionException,  # a commit that could not be written
)
_HOLDER = re.compile(r"\(PID (\d+)\)")


class TraceStore:
    """A foundlost store, open for reading or for writing.

    Use :meth:`read`, :meth:`write`, :meth:`in_memory` or :meth:`over_files`, and close it, best by ``with``.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path | None) -> None:
        self.connection = connection
        self.path = path

    @classmethod
    def read(cls, path: Path | str, *, wait: float = WAIT_SECONDS) -> TraceStore:
        """Open an existing store read-only.

        Raises:
            StoreError: no such file, not a store, damaged, locked for longer than ``wait`` seconds, or newer.
        """
        file = Path(path)
        if not file.exists():
            raise StoreError("no-store", "there is no store yet", where=str(file), hint="run 'foundlost ingest' first")
        store = cls(_connect(file, read_only=True, wait=wait), file)
        try:
            found = store._schema_version()
            if found < len(migrations()):
                store.close()
                cls.write(file, wait=wait).close()
                store = cls(_connect(file, read_only=True, wait=wait), file)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def write(cls, path: Path | str, *, wait: float = WAIT_SECONDS) -> TraceStore:
        """Open a store for writing, creating or migrating it where needed.

        Raises:
            StoreError: not a store, damaged, locked for longer than ``wait`` seconds, newer, or cannot be created.
        """
        file = Path(path)
        if not file.parent.is_dir():
            raise StoreError("no-folder", "the folder of the store does not exist", where=str(file.parent))
        store = cls(_connect(file, read_only=False, wait=wait), file)
        try:
            store._migrate()
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def in_memory(cls) -> TraceStore:
        """Open an empty store that lives as long as the object."""
        store = cls(_configured(duckdb.connect(":memory:")), None)
        store._migrate()
        return store

    @classmethod
    def over_files(
        cls, files: Sequence[Path], *, memory_limit: str | None = None, spill: Path | None = None
    ) -> TraceStore:
        """Open an empty store in memory that may read some files, and no others.

        Args:
            files: the files.
            memory_limit: such as ``1GB``; None for DuckDB's own.
            spill: where to put what does not fit into memory; None for nowhere.

        Raises:
            UsageError: what cannot be a memory limit.
        """
        config: dict[str, str | bool | int | float | list[str]] = {
            # With it a Parquet file above some four million rows is read over and over (measured on 2.0.1: 13 times).
            "disabled_optimizers": "partitioned_execution",
            "preserve_insertion_order": False,
            "temp_directory": "" if spill is None else str(spill),
        }
        if memory_limit is not None:
            config["memory_limit"] = memory_limit
        try:
            connection = duckdb.connect(":memory:", config=config)
        except duckdb.ParserException as error:
            told = f"a memory limit is a number and a unit, such as 1GB, not {memory_limit!r}"
            raise UsageError("bad-memory-limit", told) from error
        connection.execute("SET allowed_paths = $files", {"files": [str(file.resolve()) for file in files]})
        store = cls(_configured(connection), None)
        store._migrate()
        return store

    def __enter__(self) -> TraceStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; further use is an error."""
        self.connection.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything inside, or nothing.

        Raises:
            StoreError: the disk is full, the file is damaged, or memory ran out.
        """
        with self._faults_told():
            self.connection.execute("BEGIN TRANSACTION")
            try:
                yield
                with _undisturbed():
                    self.connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(duckdb.Error):  # a failed commit has already ended the transaction
                    self.connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _faults_told(self) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as error:
            if isinstance(error, _UNUSABLE) or type(error) is duckdb.Error:  # a bad checksum has no class of its own
                raise _explain(error, self.path or Path(":memory:")) from error
            raise

    def rows(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Run one statement and return its rows as dictionaries."""
        with self._faults_told():
            cursor = self.connection.execute(sql, dict(parameters or {}))
            names = [column[0] for column in cursor.description or []]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def value(self, sql: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Run one statement and return the single value of its single row."""
        (row,) = self.connection.execute(sql, dict(parameters or {})).fetchall()
        return row[0]

    def step(
        self,
        packages: tuple[str, ...],
        name: str,
        parameters: Mapping[str, Any],
        *,
        given: frozenset[str] = frozenset(),
        written: Written = (),
    ) -> list[dict[str, Any]]:
        """Run a named SQL step and return its rows."""
        query = compose(packages, name, given=given, written=written)
        return self.rows(query.sql, query.bind(parameters))

    def keep_step(
        self,
        packages: tuple[str, ...],
        name: str,
        parameters: Mapping[str, Any],
        *,
        given: frozenset[str] = frozenset(),
        written: Written = (),
    ) -> None:
        """Run a named SQL step once and keep its rows as a temporary table of that name."""
        query = compose(packages, name, given=given, written=written)
        self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query.sql}", query.bind(parameters))

    def append(self, table: str, batch: pa.Table, *, unless: str = "FALSE") -> None:
        """Append an Arrow table, known as ``arriving``, to a stored table, matching columns by name.

        Args:
            table: the stored table.
            batch: the rows.
            unless: a condition on ``arriving`` under which a row is left out.
        """
        columns = ", ".join(batch.column_names)
        self.connection.register("arriving", batch)
        try:
            self.connection.execute(
                f"INSERT INTO {table} ({columns}) SELECT {columns} FROM arriving WHERE NOT ({unless})"  # noqa: S608 - names are ours
            )
        finally:
            with contextlib.suppress(
                duckdb.Error
            ):  # refused once the transaction has failed, whose error is to be told
                self.connection.unregister("arriving")

    def _schema_version(self) -> int:
        tables = {row["table_name"] for row in self.rows("SELECT table_name FROM duckdb_tables()")}
        if not tables:
            return 0
        if "meta" not in tables:
            raise StoreError("not-a-store", "this DuckDB file holds something else", where=str(self.path))
        version = int(self.value("SELECT max(CAST(value AS INTEGER)) FROM meta WHERE key = 'schema_version'"))
        if version > len(migrations()):
            raise StoreError(
                "newer-store",
                f"the store has schema {version}, this foundlost knows up to {len(migrations())}",
                where=str(self.path),
                hint="upgrade foundlost",
            )
        return version

    def _migrate(self) -> None:
        version = self._schema_version()
        pending = migrations()[version:]
        if version and pending and self.path is not None:
            self.connection.execute("CHECKPOINT")
            shutil.copy2(self.path, self.path.with_name(f"{self.path.name}.schema{version}"))
        for number, text in enumerate(pending, start=version + 1):
            with self.transaction():
                if number == 1:
                    self.connection.execute("CREATE TABLE meta (key VARCHAR, value VARCHAR)")
                self.connection.execute(text)
                self.connection.execute("INSERT INTO meta VALUES ('schema_version', ?)", [str(number)])
            self.connection.execute("CHECKPOINT")


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold Ctrl-C off, so that a commit is never reported as undone although it was done."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def migrations() -> list[str]:
    """Return the forward migrations in order; migration ``n`` takes schema ``n - 1`` to ``n``."""
    folder = resources.files("traces") / "schema"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return [f.read_text(encoding="utf-8") for f in files]


def _connect(file: Path, *, read_only: bool, wait: float) -> duckdb.DuckDBPyConnection:
    _check_magic(file)
    deadline = time.monotonic() + wait
    config: dict[str, str | bool | int | float | list[str]] = {}
    if not read_only:
        config["storage_compatibility_version"] = STORAGE_VERSION
    while True:
        try:
            return _configured(duckdb.connect(str(file), read_only=read_only, config=config))
        except duckdb.Error as error:
            fault = _explain(error, file)
            if fault.slug != "store-locked" or time.monotonic() >= deadline:
                raise fault from error
            time.sleep(0.1)


def _check_magic(file: Path) -> None:
    """Refuse a file that is not DuckDB's before DuckDB sees it: given a data file, it would open a view of that."""
    try:
        with file.open("rb") as opened:
            start = opened.read(12)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError("no-access", error.strerror or type(error).__name__, where=str(file)) from error
    if start and start[8:12] != b"DUCK":
        raise StoreError("not-a-store", "this is not a DuckDB file", where=str(file), hint="give another --db")


def _configured(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Shut every door to other files and to the network; traces come in through Python readers only."""
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET lock_configuration = true")
    return connection


def _explain(error: duckdb.Error, file: Path) -> StoreError:
    text = str(error)
    where = str(file)
    if "Could not set lock" in text:
        holder = _HOLDER.search(text)
        who = f"process {holder.group(1)}" if holder else "another process"
        return StoreError(
            "store-locked", f"{who} has the store open", where=where, hint="wait for it to finish, or use another --db"
        )
    if "different configuration" in text:
        return StoreError("store-locked", "this process has the store open in another mode", where=where)
    if "not a valid DuckDB database" in text:
        return StoreError("not-a-store", "this is not a DuckDB file", where=where, hint="give another --db")
    if "newer version" in text or "storage version" in text:
        return StoreError("newer-store", "written by a newer DuckDB than this one", where=where, hint="upgrade duckdb")
    if isinstance(error, duckdb.IOException) and "Permission denied" in text:
        return StoreError("no-access", "no permission to open the store", where=where)
    if "No space left" in text or "File too large" in text:
        return StoreError("disk-full", "there is no room to write the store", where=where, hint="make room, try again")
    if "Corrupt" in text or "corrupt" in text:
        return StoreError("store-damaged", "the file is damaged", where=where, hint="restore it from a copy")
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreError("out-of-memory", "there is not memory enough", where=where, hint="free some, try again")
    return StoreError("store-unusable", text.splitlines()[0][:300], where=where)
