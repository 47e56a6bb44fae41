"""Audits check a label set; they are never part of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.compare import compare
from attribution.metrics.evaluate import evaluate
from tests.attribution.made_runs import RUN, add_run, made_store, trace, write_lines
from traces.imports import import_labels

RECORDS = [trace(f"q{i}", ["a", "b"], ["a"], ["a"], i % 2 == 0) for i in range(4)]
LABELS = [{"query_id": f"q{i}", "doc_id": "b"} for i in range(4)]
AUDIT: list[dict[str, Any]] = [{"query_id": "q0", "doc_id": "a"}, {"query_id": "q1", "grade": 0}]


def test_an_audit_in_a_set_of_its_own_is_not_taken_for_the_labels(tmp_path: Path) -> None:
    with made_store(tmp_path, RECORDS, labels=LABELS) as store:
        plain = attribute(store, RUN)
        import_labels(store, write_lines(tmp_path / "audit.jsonl", AUDIT), name="audit", kind="audit")
        assert attribute(store, RUN) == plain
        assert plain.labels.name == "made"


def test_an_audit_in_the_same_set_changes_no_fate_and_hides_no_later_label(tmp_path: Path) -> None:
    with made_store(tmp_path, RECORDS, labels=LABELS) as store:
        plain = attribute(store, RUN)
        import_labels(store, write_lines(tmp_path / "audit.jsonl", AUDIT), name="made", kind="audit")
        audited = attribute(store, RUN)
        assert (audited.fates, audited.labels) == (plain.fates, plain.labels)
        found = [{"query_id": "q0", "doc_id": "a"}]  # what the audit found becomes a label by being imported as one
        import_labels(store, write_lines(tmp_path / "found.jsonl", found), name="made")
        assert attribute(store, RUN, Choices(require="any")).stages[-1].covered == 1


def test_metrics_leave_audits_out_too(tmp_path: Path) -> None:
    with made_store(tmp_path, RECORDS, labels=[*LABELS, {"query_id": "q3", "text": "elsewhere"}]) as store:
        plain = evaluate(store, RUN, "R@2 P@2 judged@2")
        texts = [{"query_id": "q2", "text": "somewhere"}]
        import_labels(store, write_lines(tmp_path / "audit.jsonl", [*AUDIT, *texts]), name="made", kind="audit")
        assert evaluate(store, RUN, "R@2 P@2 judged@2").metrics == plain.metrics


def test_two_runs_of_the_same_labels_stay_comparable_after_an_audit(tmp_path: Path) -> None:
    with made_store(tmp_path, RECORDS, labels=LABELS) as store:
        add_run(store, tmp_path, RECORDS, run="again")
        import_labels(store, write_lines(tmp_path / "audit.jsonl", AUDIT), name="made", kind="audit")
        assert compare(store, RUN, "again").change == 0


def test_only_an_audit_may_say_that_nothing_was_found(tmp_path: Path) -> None:
    with made_store(tmp_path, RECORDS) as store:
        report = import_labels(
            store, write_lines(tmp_path / "l.jsonl", [*LABELS, {"query_id": "q9", "grade": 0}]), name="x"
        )
        assert (report.records, report.quarantined) == (4, 1)
        assert report.issues[0].slug == "bad-record"
        report = import_labels(store, write_lines(tmp_path / "a.jsonl", AUDIT), name="audit", kind="audit")
        assert (report.records, report.quarantined) == (2, 0)
