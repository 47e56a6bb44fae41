"""The forecast commands: exit codes, JSON alone on stdout, files, and names that would steer a terminal."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from attribution.forecasts.sealed import canonical
from tests.attribution.forecasts.made import EXAMPLE, after_of, before_of, kinds_of
from tests.attribution.made_runs import write_lines
from tests.reports.pages import Page
from tests.test_command import ROOT, Done, foundlost, one_line
from traces.chain import digest

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


@pytest.mark.parametrize(
    ("statement", "slug", "mark"),
    [
        ("UPDATE forecasts SET body = replace(body, '0.85', '0.84')", "forecast-tampered", "[–)] +tampered with"),
        ("UPDATE forecasts SET body = '{'", "forecast-tampered", "[–)] +tampered with"),
        ("UPDATE forecasts SET sealed_at = NULL, name = NULL", "forecast-tampered", "[–)] +tampered with"),
        ("DELETE FROM forecasts", "forecast-tampered", "[–)] +tampered with"),
        ("INSERT INTO forecasts SELECT * FROM forecasts", "forecast-tampered", "[–)] +tampered with"),
        ("UPDATE verdicts SET body = replace(body, 'tell', 'say')", "verdict-tampered", "verdict tampered with"),
        ("UPDATE verdicts SET body = '{'", "verdict-tampered", "verdict tampered with"),
        ("DELETE FROM verdicts", "verdict-tampered", "verdict tampered with"),
    ],
)
def test_tampering_is_marked_in_lists_and_refused_in_one_line(
    folder: Path, statement: str, slug: str, mark: str
) -> None:
    seal(folder)
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    ran(folder, "forecast", "verify", "f", "after")
    tamper(folder, statement)
    seal(folder, "whole")
    listed = ran(folder, "forecast", "list")
    assert re.search(rf"^f .* {mark} ", listed.stdout, re.MULTILINE)
    assert re.search(r"^whole .* pending", listed.stdout, re.MULTILINE)
    assert slug.replace("-tampered", "") in listed.stderr
    assert "No forecast has been judged" in listed.stdout
    ran(folder, "report", "planning", "-o", "plan.html")
    plan = (folder / "plan.html").read_text(encoding="utf-8")
    assert plan.count('<span class="verdict">Tampered with</span>') == listed.stdout.count("tampered with")
    assert '<span class="verdict">Pending</span>' in plan
    assert ("verdicts not those recorded: " in plan) == (slug == "verdict-tampered")
    assert ("not what was sealed: " in plan) == (slug == "forecast-tampered")
    asked = [("forecast", "verify", "f", "after"), ("report", "forecast", "f", "-o", "f.html")]
    if slug == "forecast-tampered":
        asked += [("forecast", "show", "f"), ("gate", "after", "--rule", "forecast f not refuted")]
    for words in asked:
        assert one_line(ran(folder, *words, code=2)).startswith(f"foundlost: {slug}: ")
    assert slug in (folder / "f.html").read_text(encoding="utf-8")
    ran(folder, "forecast", "show", "whole")
    ran(folder, "report", "forecast", "whole", "-o", "whole.html")


def test_what_was_allowed_stands_beside_the_verdict_wherever_it_is_listed(folder: Path) -> None:
    seal(folder)
    write_lines(folder / "short.jsonl", after_of(kinds_of(EXAMPLE))[:-5])
    ran(folder, "ingest", "short.jsonl", "--run", "short")
    ran(folder, "forecast", "verify", "f", "short", "--allow", "questions")
    listed = ran(folder, "forecast", "list").stdout
    assert "(questions allowed)" in " ".join(listed.split())
    assert "No verdict counts yet." in listed
    assert "1 judged with a difference allowed by name: not counted" in listed
    ran(folder, "report", "planning", "-o", "plan.html")
    plan = Page((folder / "plan.html").read_text(encoding="utf-8")).text
    assert plan.count("Cannot tell, questions allowed") == 2
    assert "1 was judged with a difference allowed by name and is not counted." in plan


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"name":"selection"', '"name":"unknown"', "not-a-forecast: falsifiers.2.name: "),
        ('"recall_target":[0.85,0.85]', '"recall_target":[7,8]', "not-a-forecast: recall_target.0: "),
        ('"sealed_at":"20', '"sealed_at":"90', "clock-back: "),
    ],
)
def test_a_file_sealed_by_something_else_is_refused_in_one_line(folder: Path, old: str, new: str, told: str) -> None:
    seal(folder, "f", "-o", "f.json")
    content = json.loads((folder / "f.json").read_text(encoding="utf-8"))
    body = canonical(content["forecast"])
    assert old in body
    changed = body.replace(old, new)
    whole = content | {"sha256": digest(changed), "forecast": json.loads(changed)}
    (folder / "f.json").write_text(json.dumps(whole), encoding="utf-8")
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    done = ran(folder, "forecast", "verify", "f", "after", "--file", "f.json", code=2)
    assert one_line(done).startswith(f"foundlost: {told}")


def test_outcomes_that_were_dropped_before_sealing_were_seen(folder: Path) -> None:
    ran(folder, "ingest", "after.jsonl", "--run", "after")
    ran(folder, "drop", "after")
    seal(folder)
    ran(folder, "ingest", "after.jsonl", "--run", "again")
    assert "does not count in the record" in ran(folder, "forecast", "verify", "f", "again").stderr
    assert "1 sealed when the outcomes were known already" in ran(folder, "forecast", "list").stdout


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (("forecast", "seal", "before", "--name", "f", "--recall", ".85", "-o", "out"), ["out"]),
        (("forecast", "show", "sealed", "-o", "out"), ["out"]),
        (("gate", "before", "--rule", "pass >= .1", "--junit", "out", "--markdown", "more"), ["out", "more"]),
    ],
)
def test_files_are_there_though_the_reader_of_the_output_left(
    folder: Path, words: tuple[str, ...], files: list[str]
) -> None:
    seal(folder, "sealed")
    reader, writer = os.pipe()
    os.close(reader)
    left = subprocess.run([sys.executable, "-u", ROOT / "foundlost.py", *words], cwd=folder, stdout=writer, check=False)
    os.close(writer)
    assert left.returncode == 1
    assert all((folder / name).stat().st_size > 100 for name in files)


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
