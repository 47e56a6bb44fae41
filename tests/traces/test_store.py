"""The store: what opens, what is refused and how, and what happens to older files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from traces import store as store_module
from traces.errors import StoreError
from traces.store import TraceStore, migrations


def refusal(path: Path, how: str = "read") -> StoreError:
    with pytest.raises(StoreError) as caught:
        getattr(TraceStore, how)(path, wait=0)
    assert "\n" not in caught.value.line()
    assert caught.value.exit_code == 3
    return caught.value


def test_a_store_is_created_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with TraceStore.write(path) as store:
        store.append("tags", pa.table({"run_id": ["r"], "field": ["lang"], "value": ["en"]}))
    with TraceStore.read(path) as store:
        assert store.rows("SELECT run_id, value FROM tags WHERE field = $field", {"field": "lang"}) == [
            {"run_id": "r", "value": "en"}
        ]


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    TraceStore.write(path).close()
    with TraceStore.read(path) as store, pytest.raises(duckdb.Error, match="read-only"):
        store.connection.execute("DELETE FROM tags")


def test_files_written_here_open_in_older_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with TraceStore.write(path) as store:
        tags = store.rows("SELECT tags FROM duckdb_databases() WHERE database_name = 's'")
        assert tags[0]["tags"]["storage_version"].startswith("v1.4.0")


def test_there_is_no_store_to_read(tmp_path: Path) -> None:
    error = refusal(tmp_path / "none.duckdb")
    assert error.slug == "no-store"
    assert not (tmp_path / "none.duckdb").exists()


def test_a_store_needs_its_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none" / "s.duckdb", "write").slug == "no-folder"


@pytest.mark.parametrize("how", ["read", "write"])
def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path: Path, how: str) -> None:
    path = tmp_path / "s.duckdb"
    path.write_bytes(b"query_id,stages\n" * 1_000)
    assert refusal(path, how).slug == "not-a-store"
    assert path.read_bytes() == b"query_id,stages\n" * 1_000


@pytest.mark.parametrize("how", ["read", "write"])
def test_a_duckdb_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, how: str) -> None:
    path = tmp_path / "s.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE sales (amount INTEGER)")
    assert refusal(path, how).slug == "not-a-store"
    with duckdb.connect(path) as connection:
        assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("sales",)]


@pytest.mark.parametrize("how", ["read", "write"])
def test_a_folder_is_no_store(tmp_path: Path, how: str) -> None:
    assert refusal(tmp_path, how).exit_code == 3


@pytest.mark.parametrize("how", ["read", "write"])
def test_a_newer_schema_is_refused_with_both_numbers(tmp_path: Path, how: str) -> None:
    path = tmp_path / "s.duckdb"
    with TraceStore.write(path) as store:
        store.connection.execute("INSERT INTO meta VALUES ('schema_version', '99')")
    error = refusal(path, how)
    assert error.slug == "newer-store"
    assert f"schema 99, this foundlost knows up to {len(migrations())}" in error.what
    assert error.hint == "upgrade foundlost"


def test_a_store_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with TraceStore.write(path) as store:
        store.append("tags", pa.table({"value": [str(number) for number in range(200_000)]}))
    path.write_bytes(path.read_bytes()[:20_000])
    assert refusal(path, "write").exit_code == 3


def test_a_damaged_block_is_told_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with TraceStore.write(path) as store:
        store.append("tags", pa.table({"value": [f"value {number * 7919}" for number in range(200_000)]}))
        store.connection.execute("CHECKPOINT")
    content = bytearray(path.read_bytes())
    for place in range(300_000, len(content), 4_096):
        content[place] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught, TraceStore.read(path) as store:
        store.rows("SELECT max(value), count(*) FROM tags")
    assert caught.value.slug == "store-damaged"
    assert "\n" not in caught.value.line()


def test_a_store_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    TraceStore.write(path).close()
    path.chmod(0)
    for folder in (tmp_path, *(each for each in tmp_path.parents if each.name.startswith(("pytest-", "popen-")))):
        folder.chmod(0o755)
    script = (
        "import os, sys\n"
        "from traces.errors import StoreError\n"
        "from traces.store import TraceStore\n"
        "if os.geteuid() == 0: os.seteuid(65534)\n"
        "try: TraceStore.read(sys.argv[1], wait=0)\n"
        "except StoreError as error: print(error.slug)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "no-access\n"


def test_one_process_does_not_open_a_store_in_two_modes(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with TraceStore.write(path):
        assert refusal(path).slug == "store-locked"


def _next_schema(monkeypatch: pytest.MonkeyPatch) -> int:
    """Pretend that the code knows one migration more."""
    known = migrations()
    monkeypatch.setattr(store_module, "migrations", lambda: [*known, "ALTER TABLE tags ADD COLUMN colour VARCHAR;"])
    return len(known)


@pytest.mark.parametrize("how", ["read", "write"])
def test_an_older_store_is_migrated_and_a_copy_kept_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    path = tmp_path / "s.duckdb"
    with TraceStore.write(path) as store:
        store.append("tags", pa.table({"field": ["lang"], "value": ["en"]}))
    version = _next_schema(monkeypatch)
    with getattr(TraceStore, how)(path) as store:
        assert store.rows("SELECT field, value, colour FROM tags") == [{"field": "lang", "value": "en", "colour": None}]
        assert store.value("SELECT max(CAST(value AS INTEGER)) FROM meta WHERE key = 'schema_version'") == version + 1
    copy = path.with_name(f"s.duckdb.schema{version}")
    monkeypatch.undo()
    with TraceStore.read(copy) as store:
        assert store.rows("SELECT * FROM tags LIMIT 1")[0].get("colour", "absent") == "absent"
        assert store.value("SELECT value FROM tags") == "en"


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.duckdb"
    TraceStore.write(path).close()
    known = migrations()
    broken = "ALTER TABLE tags ADD COLUMN colour VARCHAR; ALTER TABLE no_such_table ADD COLUMN colour VARCHAR;"
    monkeypatch.setattr(store_module, "migrations", lambda: [*known, broken])
    with pytest.raises(duckdb.Error):
        TraceStore.write(path)
    monkeypatch.undo()
    with TraceStore.read(path) as store:
        assert store.rows("SELECT * FROM tags") == []
        assert store.value("SELECT count(*) FROM duckdb_columns() WHERE column_name = 'colour'") == 0


def _append_then_fail(store: TraceStore) -> None:
    with store.transaction():
        store.append("tags", pa.table({"value": ["a"]}))
        store.append("no_such_table", pa.table({"value": ["a"]}))


def test_a_transaction_is_all_or_nothing() -> None:
    with TraceStore.in_memory() as store:
        with pytest.raises(duckdb.CatalogException):
            _append_then_fail(store)
        assert store.value("SELECT count(*) FROM tags") == 0
        with store.transaction():
            store.append("tags", pa.table({"value": ["b"]}))
        assert store.value("SELECT value FROM tags") == "b"


def test_rows_may_be_left_out_of_an_append() -> None:
    with TraceStore.in_memory() as store:
        held = "EXISTS (SELECT 1 FROM tags AS held WHERE held.value = arriving.value)"
        store.append("tags", pa.table({"value": ["a"]}), unless=held)
        store.append("tags", pa.table({"value": ["a", "b"]}), unless=held)
        assert store.rows("SELECT value FROM tags ORDER BY value") == [{"value": "a"}, {"value": "b"}]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY tags TO 'out.csv'",
        "ATTACH 'other.duckdb'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
    ],
)
def test_sql_reaches_no_other_file_and_no_network(tmp_path: Path, statement: str) -> None:
    with TraceStore.write(tmp_path / "s.duckdb") as store, pytest.raises(duckdb.Error):
        store.connection.execute(statement)


def test_python_variables_are_no_tables() -> None:
    secret = pa.table({"value": ["x"]})
    with TraceStore.in_memory() as store, pytest.raises(duckdb.CatalogException):
        store.rows("SELECT * FROM secret")
    assert secret.num_rows == 1
