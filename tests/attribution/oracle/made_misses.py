"""A small run with misses, texts for its documents, and programs that answer, well or badly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.attribution.made_runs import RUN, made_store, trace, write_lines
from traces.imports import import_documents, import_oracle
from traces.store import TraceStore


def records(found: int = 6, missed: int = 8, *, intents: int = 2) -> list[dict[str, Any]]:
    """Return questions whose gold is packed, and others whose gold never was; each third passes."""
    made = []
    for i in range(found + missed):
        gold = f"g{i}"
        packed = [f"x{i}", gold] if i < found else [f"x{i}", f"y{i}"]
        more = {"intent": "ABCDEFGH"[i % intents]} if intents else {}
        made.append(
            trace(
                f"q{i:02d}", packed, packed, packed, i % 3 == 0, gold=[gold], query=f"Question {i}?", answer=f"A{i}",
                judge="reader", **more,
            )
        )  # fmt: skip
    return made


def texts(asked: int = 14) -> list[dict[str, Any]]:
    """Return a text for every document of ``records``."""
    names = [f"{kind}{i}" for i in range(asked) for kind in "gxy"]
    return [{"doc_id": name, "text": f"Text of {name}.", "title": name.upper()} for name in names]


@contextmanager
def store_with_misses(
    folder: Path, made: list[dict[str, Any]] | None = None, documents: list[dict[str, Any]] | None = None
) -> Iterator[TraceStore]:
    """Ingest a run with misses, and the texts of its documents."""
    with made_store(folder, records() if made is None else made) as store:
        known = texts() if documents is None else documents
        if known:
            import_documents(store, write_lines(folder / "documents.jsonl", known))
        yield store


def answer(store: TraceStore, folder: Path, verdicts: Mapping[str, bool], **options: Any) -> Any:
    """Import verdicts on questions of the latest sample."""
    told = [{"query_id": query_id, "passed": passed} for query_id, passed in verdicts.items()]
    return import_oracle(store, write_lines(folder / "answers.jsonl", told), run_id=RUN, **options)


# Programs by name; each is real Python run in a process of its own. LOG gets a line a question, to count the asking.
_READ = """
import json, os, sys, time, pathlib, signal
def log(q):
    with open("LOG", "a") as file:
        file.write(q["query_id"] + "\\n")
def say(q, **more):
    print(json.dumps({"query_id": q["query_id"], "repeat": q["repeat"], "answer": "A", **more}), flush=True)
"""
_LOOP = """
for line in sys.stdin:
    q = json.loads(line)
    log(q)
"""
PROGRAMS = {
    "good": _LOOP + "    say(q, passed=q['query_id'] < 'q10')\n",
    "without flush": _LOOP + "    print(json.dumps({'query_id': q['query_id'], 'score': 4}))\n",
    "slow once": _LOOP
    + "    if q['query_id'] == 'q07' and not pathlib.Path('slept').exists():\n"
    + "        pathlib.Path('slept').touch(); time.sleep(60)\n"
    + "    say(q, passed=True)\n",
    "always slow": _LOOP + "    time.sleep(60)\n",
    "crashes once": _LOOP
    + "    if q['query_id'] == 'q08' and not pathlib.Path('fell').exists():\n"
    + "        pathlib.Path('fell').touch(); sys.exit('no more credit')\n"
    + "    say(q, passed=True)\n",
    "crashes on one": _LOOP
    + "    if q['query_id'] == 'q08':\n        sys.exit('cannot do \\x1b[31m' + q['query_id'])\n"
    + "    say(q, passed=True)\n",
    "never starts": "raise SystemExit(7)\n",
    "nonsense": _LOOP + "    print('Thinking about it ...', flush=True)\n",
    "half lines": _LOOP
    + "    text = json.dumps({'query_id': q['query_id'], 'passed': True}) + '\\n'\n"
    + "    for part in (text[:7], text[7:]):\n"
    + "        sys.stdout.write(part); sys.stdout.flush(); time.sleep(.02)\n",
    "half a line and out": _LOOP + "    sys.stdout.write('{\"query_id\": '); sys.stdout.flush(); sys.exit(0)\n",
    "chatty": _LOOP + "    sys.stderr.write('x' * 300_000 + '\\n'); sys.stderr.flush()\n    say(q, passed=True)\n",
    "one behind": "held = None\n"
    + _LOOP
    + "    say(held or {'query_id': 'q99', 'repeat': 0}, passed=True); held = q\n",
    "twice": _LOOP + "    say(q, passed=True)\n    say(q, passed=False)\n",
    "no verdict": _LOOP + "    say(q)\n",
    "closes its output": "os.close(1); time.sleep(60)\n",
    "leaves a child": _LOOP
    + "    import subprocess\n"
    + "    child = subprocess.Popen(['sleep', '60'])\n"
    + "    pathlib.Path(f'child-{child.pid}').touch()\n"
    + "    time.sleep(60)\n",
    "deaf": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)\n",
}


def program(folder: Path, name: str) -> Path:
    """Write one of the programs and return its file."""
    path = folder / f"{name.replace(' ', '_')}.py"
    text = _READ.replace('"LOG"', repr(str(folder / "asked.log"))) + PROGRAMS[name]
    path.write_text(text.replace("pathlib.Path('", f"pathlib.Path({str(folder)!r} + '/' + '").replace(
        "pathlib.Path(f'", f"pathlib.Path({str(folder)!r} + f'/"), encoding="utf-8")  # fmt: skip
    return path


def asked(folder: Path) -> list[str]:
    """Return the questions that reached any program, in the order they did."""
    log = folder / "asked.log"
    return log.read_text().split() if log.exists() else []
