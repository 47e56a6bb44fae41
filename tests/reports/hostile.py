"""Text that attacks every place a report may be read in, and a store whose every field holds it, by commands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.attribution.forecasts.made import EXAMPLE, kinds_of
from tests.attribution.made_runs import write_lines
from tests.test_command import Done, foundlost

PAYLOADS: list[str] = json.loads((Path(__file__).parents[1] / "data" / "payloads.json").read_text("utf-8"))["payloads"]
MUTATIONS = [
    # HTML, SVG and MathML, in other cases, nested, split, and written with entities
    "<ScRiPt>document.title='Y1'</sCrIpT>",
    "<scr<script>ipt>document.title='Y2'</script>",
    "<svg/onload=document.title='Y3'>",
    "<math><mi xlink:href='javascript:document.title=1'>x</mi></math>",
    "<svg><animate onbegin=document.title='Y4' attributeName=x>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    '<a href="jav&#x61;script:alert(1)">x</a>',
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x onerror=alert(1)&#62;",
    "<img src=x onerror\x0c=alert(1)>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<style>*{display:none}</style>",
    "</style><script>document.title='Y5'</script>",
    "</textarea></noscript><script>alert(1)</script>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "`onmouseover=alert(1)`",
    "<\u200bscript>alert(1)</script>",
    "<form action=//evil.example><input name=q>",
    "<link rel=stylesheet href=//evil.example>",
    # templates, SQL, shells, paths
    "{% raw %}{{ config }}{% endraw %}",
    "#{7*7}<%= 7*7 %>",
    "'; DROP TABLE runs; --",
    '" OR ""="',
    "$(touch owned)`id`",
    "../../../../etc/passwd",
    "..\\..\\con",
    "C:\\aux.txt",
    "--help",
    "-o/tmp/owned",
    # hidden and steering characters
    "\x1b]0;owned\x07\x1b[2J\x1b[1A",
    "\x9b31mred",
    "\x1bP1$r\x1b\\",
    "a\rb\x08\x08c",
    "nul\u2400 \u200b\u200d\u2060hidden",
    "\U000e0068\U000e0069tagged",
    "\u202e\u2066evil\u2069\u202c",
    "a\ufeffb\u00adc",
    "Z\u0351\u0352\u0353algo",
    "\u2029para",
    # Markdown and hosts
    "[x](javascript:alert(1))",
    "![x](http://evil.example/p.png)",
    "@everyone @org/team #1",
    "<!-- hidden -->",
    "```\n::error::x\n```",
    "| a | b |\n|---|---|",
    "x`y``z",
    "<details open><summary>x",
    "http://evil.example www.evil.example",
    "\\",
    "[^1]: note",
    # continuous integration
    "::set-output name=x::y",
    "::error file=a,line=1::owned",
    "%0A::error::owned",
    "##vso[task.setvariable variable=x]y",
    "##[error]owned",
    "\n::add-mask::x",
    "##teamcity[message text='x']",
    "section_start:1:x\r\x1b[0K",
    # spreadsheets and XML
    "\t=cmd|' /C calc'!A0",
    "\r=1+1",
    " \u00a0+1",
    "'=1+1",
    "%1",
    "|calc",
    "\uff0d1",
    "\uff20SUM(1)",
    "]]>]]&gt;<![CDATA[x",
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "\x0b\x0c",
    'a"b,c;d\n"e"',
    "1e5\ufffe",
]
TEXTS = [*PAYLOADS, *MUTATIONS]
STEERING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""What must not reach a terminal or a log: it moves the cursor, hides, or reorders what is read."""
KINDS = kinds_of({kind: max(1, n // 4) for kind, n in EXAMPLE.items()})


def storable(text: str) -> bool:
    """Return whether a name may hold the text: no NUL, no half of a surrogate pair, and something beside blanks."""
    return bool(text.strip()) and not re.search("[\x00\ud800-\udfff]", text)


def names(size: int = 34, length: int = 900) -> list[str]:
    """Return names that hold all storable texts, several to a name."""
    texts = [text for text in TEXTS if storable(text)]
    return ["".join(text[:40] for text in texts[at : at + size])[:length] for at in range(0, len(texts), size)]


def file_of(name: str) -> str:
    """Return as much of a name as a file may be called."""
    return re.sub("[/\x00\ud800-\udfff]", "", name).encode()[:150].decode("utf-8", "ignore")


class Hostile:
    """A folder with a store in which every field holds hostile text, and the commands run in it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.before, self.after = f"{name}1", f"{name}2"
        self.stages = [f"{name}candidates", f"{name}packed"]
        self.printed: list[Done] = []
        self._load()

    def run(self, *words: str, code: int = 0) -> Done:
        """Run a command and keep what it printed."""
        done = foundlost(*words, cwd=self.folder, code=code)
        self.printed.append(done)
        return done

    def _load(self) -> None:
        for at, run in enumerate((self.before, self.after)):
            path = write_lines(self.folder / f"{file_of(run[-140:])}{at}.jsonl", self._records(at))
            self.run("ingest", f"--run={run}", "--", path.name)
            if run == self.before:
                self._more()

    def _more(self) -> None:
        texts = [TEXTS[at % len(TEXTS)] for at in range(len(KINDS))]
        asked = [
            {"query_id": f"q{at}", "query": text, "intent": text, "tags": {"area": text, self.name: text}}
            for at, text in enumerate(texts)
        ]
        judged = [
            {"query_id": f"q{at}", "doc_id": f"{text}gold", "annotator": text, "kind": text, "text": text}
            for at, text in enumerate(texts)
            if storable(text)
        ]
        documents = [{"doc_id": f"{text}gold", "text": text, "title": text} for text in TEXTS if storable(text)]
        verdicts = [{"query_id": f"q{at}", "passed": False, "judge": text} for at, text in enumerate(texts)]
        for words, records in (
            (("questions", "import"), asked),
            (("labels", "import", f"--name={self.name}", f"--kind={self.name}"), judged),
            (("documents", "import"), documents),
            (("outcomes", "import", f"--run={self.before}", f"--judge={self.name}"), verdicts[:1]),
        ):
            path = write_lines(self.folder / f"{words[0]}{file_of(self.name)}.jsonl", records)
            self.run(*words, "--", path.name)
        self.run(
            "forecast",
            "seal",
            f"--name={self.name}",
            "--recall=0.85",
            f"--labels={self.name}",
            f"--judge={self.name}j",
            "-o",
            "sealed.json",
            "--",
            self.before,
        )

    def _records(self, after: int) -> list[dict[str, Any]]:
        name = self.name
        head = {
            "stages": self.stages,
            "build": name,
            "model": name,
            "prompt": name,
            "synthetic": name,
            "judge": f"{name}j",
        }
        return [{"run": head}, *(self._record(at, kind, after) for at, kind in enumerate(KINDS))]

    def _record(self, at: int, kind: tuple[int, ...], after: int) -> dict[str, Any]:
        text = TEXTS[at % len(TEXTS)]
        ids = text if storable(text) else "x"
        gold, passed = kind[after], kind[2 + after]
        items = [
            {
                "doc_id": f"{ids}{'gold' if gold and not rank else rank}",
                "title": text,
                "text": text,
                "score": 1.0 - rank / 10,
            }
            for rank in range(3)
        ]
        return {
            "query_id": f"q{at}",
            "query": text,
            "intent": text,
            "answer": text,
            "passed": bool(passed),
            "judge": f"{self.name}j",
            "tags": {"area": text, self.name: text},
            "stages": dict.fromkeys(self.stages, items),
        }
