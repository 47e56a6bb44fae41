"""A gate for other programs to show: JUnit XML, Markdown, GitHub annotations, a GitLab code quality report."""

from __future__ import annotations

import hashlib
import json
from xml.etree import ElementTree as ET

from attribution.results import Gate, RuleVerdict, RuleWord, SliceVerdict
from reports import numbers
from reports.gate_words import failing_slices, seen, sentence, slice_name, standing, tally, why
from reports.markdown import table
from reports.safe_text import markdown as code
from reports.safe_text import plain

LONGEST = 1_000
MOST_SLICES = 50
CODE_QUALITY_FILE = "gl-code-quality-report.json"
NO_FILE = ".gitlab-ci.yml"
"""Where GitLab shows what is wrong with a rule that stands in no file: in the file that has the command."""


def junit(found: Gate) -> str:
    """Return the gate as JUnit XML: one test case a rule, and one for each of its slices.

    A rule that cannot be told is a failure or skipped, by the gate's policy; a slice that cannot is skipped.
    """
    cases: list[ET.Element] = []
    for rule in found.rules:
        words = rule.whole if rule.by else rule.verdict
        cases.append(_case(found, rule.rule, words, sentence(rule), unsure_fails=found.when_unsure == "fail"))
        for each in rule.by:
            name = f"{rule.rule} [{slice_name(each)}]"
            cases.append(_case(found, name, each.verdict, _slice_sentence(name, rule, each), unsure_fails=False))
    failures, skipped = (sum(case.find(kind) is not None for case in cases) for kind in ("failure", "skipped"))
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": "0"}
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {"name": _line(f"foundlost gate {found.run}"), **counts})
    suite.set("skipped", str(skipped))
    suite.extend(cases)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(found: Gate, name: str, verdict: RuleWord, told: str, *, unsure_fails: bool) -> ET.Element:
    case = ET.Element("testcase", {"classname": _line(f"foundlost.gate.{found.run}"), "name": _line(name)})
    if verdict == "fail" or (verdict == "cannot tell" and unsure_fails):
        failure = ET.SubElement(case, "failure", {"type": verdict, "message": _line(told)})
        failure.text = f"{_line(told)}\n{standing(found)}"
    elif verdict == "cannot tell":
        ET.SubElement(case, "skipped", {"message": _line(told)})
    else:
        ET.SubElement(case, "system-out").text = _line(told)
    return case


def _slice_sentence(name: str, rule: RuleVerdict, each: SliceVerdict) -> str:
    told = [f"{name}: {each.verdict}", f"seen {seen(each.observed, drop=rule.drop)}", why(each)]
    return "; ".join(part for part in told if part)


def _line(text: str) -> str:
    return plain(text, LONGEST)


def markdown(found: Gate) -> str:
    """Return the gate as Markdown, for a comment on a pull request or the summary of a job."""
    against = f" against {code(found.baseline)}" if found.baseline is not None else ""
    lines = [
        f"### Gate on {code(found.run)}{against}: {found.verdict}",
        "",
        f"{tally(found)}. {standing(found)}",
        "",
        *table(
            ("verdict", "rule", "seen", "why"),
            [(each.verdict, code(each.rule), seen(each.observed, drop=each.drop), _why(each)) for each in found.rules],
        ),
    ]
    failing = failing_slices(found)
    if failing:
        rows = [
            (code(slice_name(each)), code(rule.rule), seen(each.observed, drop=rule.drop))
            for rule, each in failing[:MOST_SLICES]
        ]
        lines += ["", *table(("fails for", "rule", "seen"), rows)]
    if len(failing) > MOST_SLICES:
        lines += ["", f"{numbers.count(len(failing) - MOST_SLICES)} more slices fail."]
    if found.warnings:
        lines += ["", *(f"- {code(warning.message, 300)}" for warning in found.warnings)]
    labels = code(f"{found.labels.name} v{found.labels.version}") if found.labels.name else "none"
    return "\n".join([*lines, "", f"Labels: {labels}."]) + "\n"


def _why(rule: RuleVerdict) -> str:
    """Return why as a cell; details hold names of falsifiers only, but are set as code all the same."""
    own = why(rule.model_copy(update={"details": []}))
    return "; ".join(part for part in (own, *(code(each) for each in rule.details)) if part)


def github_annotations(found: Gate) -> list[str]:
    """Return a workflow command for every rule that does not pass, the failing ones first.

    GitHub shows them on the run and, where the rule stands in a file, on its line. It shows the first ten of a kind.
    """
    rules = sorted(_not_passing(found), key=lambda each: each.verdict != "fail")
    return [
        f"::{'error' if _counts_as_fail(found, rule) else 'warning'} {_place(rule)}::{_data(_line(sentence(rule)))}"
        for rule in rules
    ]


def _place(rule: RuleVerdict) -> str:
    place = [] if rule.file is None else [f"file={_property(rule.file)}", f"line={rule.line}"]
    return ",".join([*place, f"title={_property(f'foundlost gate: {rule.verdict}')}"])


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(_line(text)).replace(":", "%3A").replace(",", "%2C")


def code_quality(found: Gate) -> str:
    """Return a GitLab code quality report: one finding for every rule that does not pass.

    The fingerprint is that of the rule, so that GitLab can tell what a merge request changed.
    """
    findings = [
        {
            "description": _line(sentence(rule)),
            "check_name": "foundlost gate",
            "fingerprint": hashlib.sha256(rule.rule.encode("utf-8", "surrogatepass")).hexdigest(),
            "severity": "major" if _counts_as_fail(found, rule) else "minor",
            "location": {"path": _line(rule.file or NO_FILE), "lines": {"begin": rule.line or 1}},
        }
        for rule in _not_passing(found)
    ]
    return json.dumps(findings, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _not_passing(found: Gate) -> list[RuleVerdict]:
    return [rule for rule in found.rules if rule.verdict != "pass"]


def _counts_as_fail(found: Gate, rule: RuleVerdict) -> bool:
    return rule.verdict == "fail" or found.when_unsure == "fail"
