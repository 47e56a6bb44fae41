"""The metrics and curve commands: tables with their conventions, JSON alone on stdout, files one question a row."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.attribution.made_runs import trace, write_lines
from tests.test_command import foundlost, one_line

HOSTILE = "=cmd|'/c calc'!A1"


def gold(*names: str) -> list[list[str]]:
    return [[name] for name in names]


def pieces(*names: str) -> list[dict[str, Any]]:
    return [{"doc_id": name, "tokens": 100, "kept_tokens": 100} for name in names]


RECORDS = [
    trace("q1", ["g", "x", "h"], ["g"], pieces("g", "h"), True, gold=gold("g", "h")),
    trace("q2", ["x", "g", "h"], ["g"], pieces("g"), False, gold=gold("g", "h")),
    trace(HOSTILE, ["x", "y"], ["y"], pieces("y"), False, gold=gold("g")),
    trace("q4\x1b[31m", ["x"], ["x"], pieces("x"), False),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a store of two runs."""
    write_lines(tmp_path / "run.jsonl", RECORDS)
    foundlost("ingest", "run.jsonl", "--run", "new", cwd=tmp_path)
    write_lines(tmp_path / "old.jsonl", [record | {"stages": record["stages"] | {"packed": []}} for record in RECORDS])
    foundlost("ingest", "old.jsonl", "--run", "old", cwd=tmp_path)
    return tmp_path


def test_metrics_are_printed_with_every_convention(folder: Path) -> None:
    done = foundlost("metrics", "new", cwd=folder)
    assert "Run new: 4 questions, labels inline v1" in done.stdout
    for words in ("Coverage@packed", "1 no label", "Conventions: single documents; relevant from grade 1", "pooled"):
        assert words in done.stdout
    assert "short lists filled up with misses; no relevant document known: left out" in done.stdout
    assert "With 2 of 2 pieces of evidence in the prompt, answers pass 1.000" in done.stdout
    other = foundlost("metrics", "new", "--short-lists", "returned", "--no-gold", "zero", "--unit", "group", cwd=folder)
    assert "precision over the places there are; no relevant document known: scores 0" in other.stdout
    assert "evidence groups, each once" in other.stdout
    assert "no label" not in other.stdout


def test_metrics_are_one_json_object(folder: Path) -> None:
    done = foundlost("metrics", "new", "--metrics", "R@1 RR", "--stages", "packed", "--json", cwd=folder)
    found = json.loads(done.stdout)
    assert (found["schema"], found["run"]) == ("foundlost.metrics/1", "new")
    assert [(each["metric"], each["stage"], each["eligible"]) for each in found["metrics"]] == [
        ("R@1", "packed", 3),
        ("RR", "packed", 3),
    ]
    assert found["metrics"][0]["mean"]["estimate"] == pytest.approx(1 / 3)
    assert found["metrics"][0]["excluded"] == {"unlabelled": 1}
    assert found["against"] is None
    assert {"unit", "min_grade", "short_lists", "ideal", "averaging"} <= found["conventions"].keys()


def test_two_runs_are_compared(folder: Path) -> None:
    done = foundlost("metrics", "new", "--metrics", "R", "--against", "old", cwd=folder)
    assert "new less old, on the questions of both:" in done.stdout
    assert "+.500" in done.stdout
    assert "note: at packed, R looks at 1 of 4 places that nobody judged, before at 0 of 0" in done.stderr
    found = json.loads(foundlost("metrics", "new", "--metrics", "R", "--against", "old", "--json", cwd=folder).stdout)
    (change,) = [each for each in found["against"]["changes"] if each["stage"] == "packed"]
    assert change["difference"]["estimate"] == pytest.approx(0.5)
    assert (change["better"], change["worse"], change["p_sign_flip"]) == (2, 0, 0.5)


def test_bounds_are_printed_on_request(folder: Path) -> None:
    assert "if unjudged were worst, best" not in foundlost("metrics", "new", "--metrics", "R@1", cwd=folder).stdout
    done = foundlost("metrics", "new", "--metrics", "R@1 RR", "--bounds", cwd=folder)
    assert "if unjudged were worst, best" in done.stdout
    assert ".000 to " in done.stdout


def test_values_of_every_question_go_to_parquet(folder: Path) -> None:
    done = foundlost("metrics", "new", "--metrics", "R RR@1", "--per-question", "values.parquet", cwd=folder)
    assert "wrote values.parquet" in done.stderr
    rows = pq.read_table(folder / "values.parquet").to_pylist()
    assert list(rows[0]) == ["query_id", "stage", "metric", "value", "reason"]
    assert len(rows) == 4 * 3 * 2
    assert {(row["value"], row["reason"]) for row in rows if row["query_id"].startswith("q4")} == {(None, "unlabelled")}
    assert {row["query_id"] for row in rows} == {record["query_id"] for record in RECORDS}


def test_no_cell_of_the_csv_starts_a_formula(folder: Path) -> None:
    foundlost("metrics", "new", "--metrics", "R", "--per-question", "values.csv", "--json", cwd=folder)
    text = (folder / "values.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert {row["query_id"] for row in rows} == {"q1", "q2", f"'{HOSTILE}", "q4"}
    assert "\x1b" not in text
    assert {row["value"] for row in rows if row["query_id"] == "q1"} == {"1.0", "0.5"}
    assert {(row["value"], row["reason"]) for row in rows if row["query_id"] == "q4"} == {("", "unlabelled")}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--metrics", "P@0"), "bad-cutoff: the cutoff of 'P@0' is not a whole number of at least 1; or 'packed'"),
        (("--metrics", "P@ten"), "bad-cutoff: the cutoff of 'P@ten'"),
        (("--metrics", "nDGC@10"), "unknown-metric: there is no metric 'nDGC'; did you mean nDCG"),
        (("--metrics", "R(rel=9)@3"), "grade-above-all: R(rel=9)@3 counts grades from 9; the highest"),
        (("--min-grade", "0"), "bad-grade: the lowest grade of gold must be above 0"),
        (("--labels", "none"), "unknown-labels: there is no label set 'none'"),
        (("--stages", "pakced"), "unknown-stage: there is no stage 'pakced' (run new); did you mean packed"),
        (("--per-question", "values.txt"), "bad-file-name: name the file .parquet or .csv"),
        (("--per-question", "no/such/folder.csv"), "cannot-write: No such file or directory"),
        (("--against", "none"), "unknown-run: there is no run 'none'"),
        (("--bounds", "--unit", "group"), "no-bounds: "),
        (("--level", "1"), "bad-level: "),
    ],
    ids=str,
)
def test_bad_input_is_told_in_one_line(arguments: tuple[str, ...], told: str, folder: Path) -> None:
    assert told in one_line(foundlost("metrics", "new", *arguments, cwd=folder, code=2))


def test_a_label_set_without_judgments_of_the_run_is_told_in_one_line(folder: Path) -> None:
    write_lines(folder / "other.jsonl", [{"query_id": "elsewhere", "doc_id": "g"}])
    foundlost("labels", "import", "other.jsonl", "--name", "other", cwd=folder)
    line = one_line(foundlost("metrics", "new", "--labels", "other", cwd=folder, code=2))
    assert "no-judgments: label set 'other' judges none of this run's questions (run new)" in line


def test_a_failed_write_leaves_the_old_file_and_no_litter(folder: Path) -> None:
    (folder / "values.csv").mkdir()
    one_line(foundlost("metrics", "new", "--per-question", "values.csv", cwd=folder, code=2))
    assert sorted(path.name for path in folder.iterdir() if "values" in path.name) == ["values.csv"]


def test_a_curve_marks_where_each_stage_operates(folder: Path) -> None:
    done = foundlost("curve", "new", cwd=folder)
    assert "Run new against depth, labels inline v1" in done.stdout
    assert "candidates: hands on 1 to 3 places, 2.2 on average" in done.stdout
    assert "reranked: hands on 1 place\n" in done.stdout
    assert [line.split()[0] for line in done.stdout.splitlines() if "*" in line] == ["2*", "1*", "1*", "*"]
    assert "lists as far as recorded" in done.stdout


def test_a_curve_by_tokens_is_json_too(folder: Path) -> None:
    done = foundlost("curve", "new", "--by", "tokens", "--json", cwd=folder)
    found = json.loads(done.stdout)
    assert (found["schema"], found["by"]) == ("foundlost.curve/1", "tokens")
    assert {point["stage"] for point in found["points"]} == {"packed"}
    assert max(point["at"] for point in found["points"]) == 200
    assert [warning["code"] for warning in found["warnings"]] == ["stage_without_tokens", "stage_without_tokens"]
    printed = foundlost("curve", "new", "--by", "tokens", cwd=folder)
    assert "note: candidates is left out: not every item of its lists has its tokens" in printed.stderr


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a TREC run and judgments of it, and no store."""
    (tmp_path / "made.run").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 c 3 1.0 t\nq2 Q0 b 1 1.0 t\n")
    (tmp_path / "made.qrels").write_text("q1 0 a 1\nq2 0 b 2\nq3 0 a 1\n")
    return tmp_path


def test_a_run_in_a_file_is_measured_without_a_store(files: Path) -> None:
    arguments = ("metrics", "made.run", "--labels-file", "made.qrels", "--metrics", "RR R(rel=2)", "--json")
    found = json.loads(foundlost(*arguments, "--memory-limit", "200MB", cwd=files).stdout)
    assert [(each["metric"], each["mean"]["estimate"], each["eligible"]) for each in found["metrics"]] == [
        ("RR", 0.5, 3),  # 1/2: the tie goes to b; 1; and 0: q3 was not asked
        ("R(rel=2)", 1.0, 1),
    ]
    assert found["questions"] == {"total": 3, "asked": 2, "missing": 1}
    done = foundlost(*arguments[:-1], "--missing", "excluded", "--bounds", "--per-question", "v.csv", cwd=files)
    assert "Run made.run: 2 questions, labels made.qrels v1" in done.stdout
    assert "if unjudged were worst, best" in done.stdout
    assert "q3,candidates,RR,,missing" in (files / "v.csv").read_text(encoding="utf-8").splitlines()
    assert sorted(path.name for path in files.iterdir()) == ["made.qrels", "made.run", "v.csv"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--labels-file", "absent"), "no-file: there is no such file (absent)"),
        (("--labels-file", "."), "a-folder: this is a folder, not a file"),
        (("--labels-file", "made.run"), "unreadable: the line 'q1 Q0 a 1 2.0 t' is not query_id, iteration, "),
        (("--labels-file", "made.qrels", "--stages", "packed"), "not-together: a run in a file has one stage"),
        (("--labels-file", "made.qrels", "--against", "old"), "(--labels-file, --against); ingest it for that"),
        (("--labels-file", "made.qrels", "--labels", "old"), "(--labels-file, --labels)"),
        (("--labels-file", "made.qrels", "--memory-limit", "lots"), "bad-memory-limit: "),
        (("--memory-limit", "1GB"), "not-together: a memory limit is for files only (--memory-limit)"),
    ],
    ids=str,
)  # fmt: skip
def test_files_that_cannot_be_measured_are_told_in_one_line(arguments: tuple[str, ...], told: str, files: Path) -> None:
    assert told in one_line(foundlost("metrics", "made.run", *arguments, cwd=files, code=2))
