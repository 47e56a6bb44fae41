"""The forecast commands: exit codes, JSON alone on stdout, files, and names that would steer a terminal."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of
from tests.attribution.made_runs import write_lines
from tests.test_command import Done, foundlost, one_line

HOSTILE = "\x1b[31mred\u202e"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a store of the run before, and the file of the one after."""
    kinds = kinds_of(EXAMPLE)
    write_lines(tmp_path / "before.jsonl", before_of(kinds))
    write_lines(tmp_path / "after.jsonl", after_of(kinds))
    ran(tmp_path, "ingest", "before.jsonl", "--run", "before")
    return tmp_path


def ran(folder: Path, *words: str, code: int = 0) -> Done:
    return foundlost(*words, cwd=folder, code=code)


def seal(folder: Path, name: str = "f", *more: str, code: int = 0) -> Done:
    return ran(
        folder, "forecast", "seal", "before", "--name", name, "--recall", "0.85", "--margin", "0.04", *more, code=code
    )


def test_a_forecast_from_sealing_to_the_record(folder: Path) -> None:
    done = seal(folder, "f", "-o", "f.json")
    for words in (
        "Forecast f, sealed 20",
        "At recall .850: pass rate .818",
        "What would prove it wrong",
        "wrote f.json",
    ):
        assert words in done.stdout
    assert json.loads((folder / "f.json").read_text())["forecast"]["name"] == "f"
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    done = ran(folder, "forecast", "verify", "f", "after")
    assert "Forecast f by run after: cannot tell" in done.stdout
    assert "228 retained, 112 recovered, 4 lost and 56 still missing" in done.stdout
    assert "would have decided it" in " ".join(done.stdout.split())
    again = ran(folder, "forecast", "verify", "f", "after", "--file", "f.json")
    assert "as already recorded on" in again.stdout
    listed = ran(folder, "forecast", "list")
    assert "1 forecast judged: 0 held, 0 refuted, 1 cannot tell" in listed.stdout
    shown = ran(folder, "forecast", "show", "f", "-o", "copy.json")
    assert (folder / "copy.json").read_bytes() == (folder / "f.json").read_bytes()
    assert shown.stdout.splitlines()[0].rpartition(" ")[2][:12] in listed.stdout


def test_json_is_the_contract_and_nothing_else(folder: Path) -> None:
    sealed = json.loads(seal(folder, "f", "--json").stdout)
    assert (sealed["schema"], sealed["forecast"]["schema"]) == ("foundlost.sealed/1", "foundlost.forecast/1")
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    found = json.loads(ran(folder, "forecast", "verify", "f", "after", "--json").stdout)
    assert (found["schema"], found["forecast"], found["after"]) == ("foundlost.verdict/1", "f", "after")
    assert set(found["error"]["terms"]) == {"recall", "recovered", "retained", "lost", "still_missing"}
    keys = {"name", "statement", "margin", "observed", "verdict", "direction", "p", "p_holm", "power"}
    assert all(keys <= set(each) for each in found["falsifiers"])
    assert json.loads(ran(folder, "forecast", "list", "--json").stdout)["schema"] == "foundlost.forecasts/1"
    assert json.loads(ran(folder, "forecast", "show", "f", "--json").stdout) == sealed


def test_a_refuted_forecast_leaves_with_one(folder: Path) -> None:
    ran(folder, "forecast", "seal", "before", "--name", "high", "--recall", "0.99")
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    done = ran(folder, "forecast", "verify", "high", "after", code=1)
    assert "high by run after: refuted" in done.stdout
    assert "recall: the gain did not reach the prompt" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("seal", "before", "--name", "", "--recall", ".8"), "bad-name"),
        (("seal", "before", "--name", "g"), "no-recall"),
        (("seal", "before", "--name", "g", "--recall", ".8", "--recall-range", ".7", ".8"), "no-recall"),
        (("seal", "before", "--name", "g", "--recall", "1.8"), "bad-recall"),
        (("seal", "nowhere", "--name", "g", "--recall", ".8"), "unknown-run"),
        (("seal", "before", "--name", "f", "--recall", ".8"), "forecast-sealed"),
        (("seal", "before", "--name", "g", "--recall", ".85", "--margin", ".001"), "no-power"),
        (("verify", "g", "before"), "unknown-forecast"),
        (("verify", "f", "before"), "same-run"),
        (("verify", "f", "after", "--file", "absent.json"), "no-file"),
        (("show", "g"), "unknown-forecast"),
    ],
)
def test_bad_use_is_one_line(folder: Path, words: tuple[str, ...], told: str) -> None:
    seal(folder)
    assert one_line(ran(folder, "forecast", *words, code=2)).startswith(f"foundlost: {told}: ")


def test_a_file_that_cannot_be_written_does_not_hide_that_the_forecast_is_sealed(folder: Path) -> None:
    done = seal(folder, "f", "-o", "nowhere/f.json", code=2)
    assert "Forecast f, sealed" in done.stdout
    assert "cannot-write" in done.stderr
    assert "f" in ran(folder, "forecast", "list").stdout


def test_an_exported_forecast_is_readable_by_others(folder: Path) -> None:
    seal(folder, "f", "-o", "f.json")
    assert stat.S_IMODE((folder / "f.json").stat().st_mode) & 0o444 == 0o444


def test_hostile_names_stay_text(folder: Path) -> None:
    done = seal(folder, HOSTILE)
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    listed = ran(folder, "forecast", "list")
    assert "\x1b" not in listed.stdout
    assert json.loads(ran(folder, "forecast", "list", "--json").stdout)["forecasts"][0]["name"] == HOSTILE


def test_tampering_shows_in_the_list_and_stops_a_verdict(folder: Path) -> None:
    seal(folder)
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    tamper(folder, "UPDATE forecasts SET body = replace(body, '0.85', '0.84')")
    assert "tampered with" in ran(folder, "forecast", "list").stdout
    assert "forecast-tampered" in ran(folder, "forecast", "verify", "f", "after", code=2).stderr


def tamper(folder: Path, statement: str) -> None:
    with duckdb.connect(str(folder / "foundlost.duckdb")) as connection:
        connection.execute(statement)


def test_a_store_from_before_forecasts_is_brought_up_to_date(folder: Path) -> None:
    tamper(folder, "DROP TABLE forecasts")
    tamper(folder, "DROP TABLE verdicts")
    tamper(folder, "DROP TABLE seals")
    tamper(folder, "DROP TABLE dropped_outcomes")
    tamper(folder, "DROP TABLE oracle_samples")
    tamper(folder, "DROP TABLE oracle_answers")
    tamper(folder, "DELETE FROM meta WHERE key = 'schema_version' AND value = '2'")
    done: dict[str, Any] = json.loads(ran(folder, "forecast", "list", "--json").stdout)
    assert done["forecasts"] == []
    assert (folder / "foundlost.duckdb.schema1").is_file()
