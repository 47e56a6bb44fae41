"""The oracle commands as people meet them: what is printed, what goes wrong, and text that is up to no good."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.attribution.made_runs import write_lines
from tests.attribution.oracle.made_misses import program, records, texts
from tests.test_command import Done, foundlost

PAYLOADS: list[str] = json.loads((Path(__file__).parents[1] / "data" / "payloads.json").read_text("utf-8"))["payloads"]


def stored(folder: Path, made: list[dict[str, Any]], documents: list[dict[str, Any]]) -> Path:
    write_lines(folder / "run.jsonl", made)
    foundlost("ingest", "run.jsonl", "--run", "run", cwd=folder)
    if documents:
        write_lines(folder / "documents.jsonl", documents)
        foundlost("documents", "import", "documents.jsonl", cwd=folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return stored(tmp_path, records(), texts())


def oracle(*arguments: object, cwd: Path, code: int = 0) -> Done:
    return foundlost("oracle", *arguments, cwd=cwd, code=code)


def answering(folder: Path, name: str) -> str:
    return shlex.join([sys.executable, "-S", str(program(folder, name))])


def test_from_export_to_projection(folder: Path) -> None:
    done = oracle("export", "run", "-o", "m.jsonl", "--n", 6, cwd=folder)
    assert done.stdout.splitlines()[0] == "Run run: 6 of 8 questions without evidence drawn, seed 0"
    assert "A prompt holds at most 2 documents\n" in done.stdout
    assert done.stdout.splitlines()[-1] == "wrote m.jsonl"
    told = oracle("import", "m.jsonl", "--run", "run", "--command", answering(folder, "good"), cwd=folder)
    assert told.stdout == "oracle run: 6 records stored\n"
    shown = foundlost("project", "run", "--recall", "0.8", cwd=folder)
    assert "pass rate of the recovered, measured" in shown.stdout
    assert "note: recovered questions are taken to pass at" in shown.stderr
    without = foundlost("project", "run", "--recall", "0.8", "--no-oracle", cwd=folder)
    assert "measured" not in without.stdout
    stated = foundlost("project", "run", "--recall", "0.8", "--recovered-pass", "0.5", cwd=folder)
    assert "pass rate of the recovered, as stated" in stated.stdout
    found = json.loads(foundlost("project", "run", "--recall", "0.8", "--json", cwd=folder).stdout)
    assert {"source", "rate", "sample", "drawn", "unanswered"} <= set(found["recovered"])
    assert {"n", "count", "estimate", "lower", "upper", "level", "method"} <= set(found["recovered"]["rate"])
    assert "recovered_measured" in {warning["code"] for warning in found["warnings"]}
    foundlost("report", "attribution", "run", "-o", "r.html", "--recall", "0.8", cwd=folder)
    assert "as a sample did with the gold first in the prompt" in (folder / "r.html").read_text("utf-8")


def test_json_is_one_object_alone_on_stdout(folder: Path) -> None:
    (line,) = oracle("export", "run", "-o", "m.jsonl", "--json", cwd=folder).stdout.splitlines()
    assert json.loads(line)["schema"] == "foundlost.oracle/1"
    first = (folder / "m.jsonl").read_text().splitlines()[0]
    assert json.loads(first)["oracle"] == json.loads(line)
    (report,) = oracle(
        "import", "m.jsonl", "--run", "run", "--json", "--command", answering(folder, "good"), cwd=folder
    ).stdout.splitlines()
    assert json.loads(report)["kind"] == "oracle"


def test_what_is_not_as_asked_is_said(tmp_path: Path) -> None:
    known = [document for document in texts() if document["doc_id"] != "g6"]
    folder = stored(tmp_path, records(), known)
    done = oracle("export", "run", "-o", "m.jsonl", cwd=folder)
    gave_way, fewer = done.stderr.splitlines()
    assert gave_way.startswith(
        "note: 1 question drawn gave way to the next: the text of the question or of its gold is"
    )
    assert fewer == "note: 60 questions asked for, 7 to be had"
    told = oracle("import", "m.jsonl", "--run", "run", "--command", answering(folder, "crashes on one"), cwd=folder)
    assert told.stderr.splitlines() == [
        "unanswered: q08: it ended with exit code 1, its last words: cannot do q08",
        "note: 1 answer has no verdict yet, of 7 drawn",
    ]
    again = oracle("import", "m.jsonl", "--run", "run", "--command", answering(folder, "good"), cwd=folder)
    assert again.stderr == "note: 6 answers were stored already\n"


def test_scores_are_kept_until_a_rule_is_given_and_nothing_is_asked_twice(folder: Path) -> None:
    oracle("export", "run", "-o", "m.jsonl", cwd=folder)
    command = answering(folder, "without flush")
    first = oracle("import", "m.jsonl", "--run", "run", "--command", command, cwd=folder)
    assert "8 answers have a score that no rule turns into pass or fail; give --pass-rule" in first.stderr
    oracle("import", "m.jsonl", "--run", "run", "--command", command, "--pass-rule", "score >= 3", cwd=folder)
    assert (folder / "asked.log").read_text().count("\n") == 8
    found = json.loads(foundlost("project", "run", "--recall", "0.8", "--json", cwd=folder).stdout)
    assert found["recovered"]["rate"]["estimate"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "slug"),
    [
        (("export", "other", "-o", "m.jsonl"), "unknown-run"),
        (("export", "run", "-o", "m.jsonl", "--n", "0"), "bad-sample"),
        (("export", "run", "-o", "nowhere/m.jsonl"), "cannot-write"),
        (("export", "run", "-o", "."), "cannot-write"),
        (("export", "run"), "usage"),
        (("import", "a.jsonl", "--run", "run"), "no-sample"),
        (("import", "a.jsonl", "--run", "run", "--command", "no-such-program"), "no-program"),
        (("import", "a.jsonl", "--run", "run", "--command", "cat"), "not-an-export"),
        (("import", "-", "--run", "run", "--command", "cat"), "bad-option"),
        (("import", "a.jsonl", "--run", "run", "--command", "cat", "--workers", "0"), "bad-option"),
    ],
)
def test_a_fault_is_one_line(folder: Path, arguments: tuple[str, ...], slug: str) -> None:
    write_lines(folder / "a.jsonl", [{"query_id": "q06", "passed": True}])
    done = oracle(*arguments, cwd=folder, code=2)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"foundlost: {slug}: ")


def test_an_older_sample_is_not_answered_by_mistake(folder: Path) -> None:
    oracle("export", "run", "-o", "old.jsonl", "--n", 4, cwd=folder)
    oracle("export", "run", "-o", "new.jsonl", "--n", 4, "--seed", 1, cwd=folder)
    command = answering(folder, "good")
    done = oracle("import", "old.jsonl", "--run", "run", "--command", command, cwd=folder, code=2)
    assert done.stderr.startswith("foundlost: other-sample: ")
    assert not (folder / "asked.log").exists()
    oracle("export", "run", "-o", "old.jsonl", "--n", 4, cwd=folder)
    oracle("import", "old.jsonl", "--run", "run", "--command", command, cwd=folder)


def test_a_program_that_answers_nothing_is_an_error(folder: Path) -> None:
    oracle("export", "run", "-o", "m.jsonl", cwd=folder)
    command = answering(folder, "never starts")
    done = oracle("import", "m.jsonl", "--run", "run", "--retries", 0, "--command", command, cwd=folder, code=2)
    assert done.stderr.splitlines()[-1].startswith(
        "foundlost: no-answers: the program answered none of 8 questions, the first because: it ended with exit code 7"
    )


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_hostile_text_stays_text(tmp_path: Path, payload: str) -> None:
    """In ids, intents, questions, documents, answers and judges: the file is plain JSON, the terminal unmoved."""
    payload = payload.encode(errors="replace").decode()  # half a surrogate is no JSON, and refused on the way in
    clean = payload.replace("\x00", "")[:200]
    made = []
    for i in range(4):
        lists = {stage: [f"{clean}x{i}", f"{clean}y"] for stage in ("candidates", "packed")}
        made.append(
            {
                "query_id": f"{clean}{i}", "stages": lists, "query": payload, "intent": payload, "passed": i == 0,
                "gold": [f"{clean}g"], "judge": clean,
            }
        )  # fmt: skip
    known = [{"doc_id": f"{clean}{name}", "text": payload, "title": payload} for name in ("g", "y", "x1")]
    folder = stored(tmp_path, made, known)
    done = oracle("export", "run", "-o", "m.jsonl", cwd=folder)
    raw = (folder / "m.jsonl").read_bytes()
    assert raw.isascii()
    assert raw.count(b"\n") == 5
    assert len(raw.splitlines()) == 5
    lines = [json.loads(line) for line in raw.splitlines()]
    assert {line["query"] for line in lines[1:]} == {payload}
    assert lines[1]["pack"][0]["text"] == payload
    verdicts = [{"query_id": f"{clean}{i}", "answer": payload, "passed": i > 1, "judge": f"{clean}!"} for i in range(4)]
    write_lines(folder / "a.jsonl", [*verdicts, {"query_id": f"{clean}9", "passed": True}])
    told = oracle("import", "a.jsonl", "--run", "run", cwd=folder)
    shown = foundlost("project", "run", "--recall", "0.8", cwd=folder)
    for text in (done.stdout, done.stderr, told.stdout, told.stderr, shown.stdout, shown.stderr):
        assert not any(character in text for character in "\x1b\x07\x9b\r\u202e\u2066")
