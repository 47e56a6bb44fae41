"""Metrics straight from files are those of the same run when it is stored, whatever shape the files have."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from attribution.metrics.conventions import MetricChoices
from attribution.metrics.evaluate import describe, evaluate
from attribution.metrics.files import evaluate_files, measure_files
from attribution.results import MetricAtStage, Metrics
from tests.attribution.metrics.scored_runs import (
    TREC_EVAL,
    Qrels,
    Run,
    per_question,
    random_cases,
    stored,
    write_qrels,
    write_run,
)
from traces.errors import InputError, StoreError, UsageError
from traces.store import TraceStore

NAMES = " ".join(
    [*TREC_EVAL, "F1@10", "RBP@10", "nDCG(gain=exp)@5", "Coverage@10", "Groups", "judged@10", "P", "nDCG@packed"]
)


def parquet(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def by_trec_eval(run: Run) -> dict[str, list[str]]:
    return {query: sorted(scores, key=lambda d: (scores[d], d), reverse=True) for query, scores in run.items()}


SHAPES = (
    *("blanks.run", "tabs.run", "uneven.run", "packed.run.gz", "packed.run.zst"),
    *("ranks.parquet", "scores.parquet", "lists.parquet"),
)


def run_files(folder: Path, run: Run) -> None:
    """Write a run in every shape there is."""
    lists = by_trec_eval(run)
    places = [(query, place, doc_id) for query, docs in lists.items() for place, doc_id in enumerate(docs, start=1)]
    queries, ranks, docs = ([place[part] for place in places] for part in range(3))
    scored = [(query, doc_id, score) for query, scores in run.items() for doc_id, score in scores.items()]
    text = write_run(folder / "blanks.run", run).read_text()
    (folder / "tabs.run").write_text(text.replace(" ", "\t"))
    (folder / "uneven.run").write_text(f"\n \t{text.replace(' Q0', '  Q0 ').replace(' made', chr(9) + ' made')}\r\n")
    (folder / "packed.run.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "packed.run.zst").write_bytes(pa.Codec("zstd").compress(text.encode(), asbytes=True))
    parquet(folder / "ranks.parquet", query_id=queries, doc_id=docs, rank=ranks)
    parquet(folder / "scores.parquet", **columns(("query_id", "doc_id", "score"), scored))
    parquet(folder / "lists.parquet", query_id=list(lists), docs=list(lists.values()))


def columns(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {name: [row[number] for row in rows] for number, name in enumerate(names)}


def qrels_parquet(path: Path, qrels: Qrels) -> Path:
    rows = [(query, doc_id, grade) for query, grades in qrels.items() for doc_id, grade in grades.items()]
    return parquet(path, **columns(("query_id", "doc_id", "grade"), rows))


def assert_same(found: list[MetricAtStage], expected: list[MetricAtStage]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert (one.metric, one.stage, one.excluded, one.eligible) == (
            other.metric,
            other.stage,
            other.excluded,
            other.eligible,
        )
        for mine, theirs in (
            (one.mean.estimate, other.mean.estimate),
            (one.mean.lower, other.mean.lower),
            (one.pooled, other.pooled),
            (one.judged_share, other.judged_share),
            *((getattr(one.bounds, side, None), getattr(other.bounds, side, None)) for side in ("lower", "upper")),
        ):
            assert mine == (None if theirs is None else pytest.approx(theirs, rel=1e-12, abs=1e-12)), one.metric


CHOICES = (MetricChoices(), MetricChoices(missing="excluded", short_lists="returned", unjudged="condensed"))


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run, Qrels, list[Metrics]]:
    """Return a folder with a run in every shape, and what the stored run gives."""
    folder = tmp_path_factory.mktemp("case")
    run, qrels = random_cases(range(8))
    qrels["0-nothing-found"] = {"d1": 1, "d2": 0}
    run_files(folder, run)
    with stored(folder / "blanks.run", write_qrels(folder / "text.qrels", qrels)) as store:
        expected = [
            evaluate(store, "run", NAMES, choices, with_bounds=choices.unjudged == "no_gain") for choices in CHOICES
        ]
    qrels_parquet(folder / "parquet.qrels", qrels)
    return folder, run, qrels, expected


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["text", "parquet"])
def test_every_shape_gives_what_the_stored_run_gives(
    shape: str, kind: str, case: tuple[Path, Run, Qrels, list[Metrics]]
) -> None:
    folder, _, qrels, expected = case
    for choices, stored_run in zip(CHOICES, expected, strict=True):
        with measure_files(folder / shape, folder / f"{kind}.qrels", NAMES, choices) as (store, values):
            found = describe(store, values, with_bounds=choices.unjudged == "no_gain")
        assert_same(found.metrics, stored_run.metrics)
        assert found.questions == stored_run.questions
        assert (found.run, found.labels.name) == (shape, f"{kind}.qrels")
        assert found.labels.judgments == sum(len(grades) for grades in qrels.values())


def test_values_one_a_question_are_those_of_the_stored_run(case: tuple[Path, Run, Qrels, list[Metrics]]) -> None:
    folder, *_ = case
    with stored(folder / "blanks.run", folder / "text.qrels") as store:
        expected = per_question(store, NAMES)
    with measure_files(folder / "ranks.parquet", folder / "parquet.qrels", NAMES) as (_, values):
        rows = values.per_question().to_pylist()
    assert len(rows) == sum(len(of_metric) for of_metric in expected.values())
    for row in rows:
        value = expected[row["metric"]][row["query_id"]]
        assert row["value"] == (None if value is None else pytest.approx(value, rel=1e-12, abs=1e-12)), row


def test_ids_may_be_numbers_and_a_document_listed_twice_counts_once(tmp_path: Path) -> None:
    run = parquet(tmp_path / "run.parquet", query_id=[1, 1, 1], doc_id=[7, 8, 7], rank=[1, 2, 3])
    qrels = parquet(tmp_path / "qrels.parquet", query_id=[1, 1], doc_id=[7, 9], grade=[1.0, 0.5])
    found = {each.metric: each.mean.estimate for each in evaluate_files(run, qrels, "R P@3 RR nDCG@3").metrics}
    assert found == {"R": 1.0, "P@3": 1 / 3, "RR": 1.0, "nDCG@3": pytest.approx(1 / (1 + 0.5 / 1.584962500721156))}
    by_score = parquet(tmp_path / "scores.parquet", query_id=[1, 1, 1], doc_id=[7, 8, 7], score=[1.0, 2.0, 3.0])
    assert evaluate_files(by_score, qrels, "RR").metrics[0].mean.estimate == 1.0


def test_it_fits_into_little_memory(tmp_path: Path) -> None:
    """A run of 2 million places, within 60 MB."""
    connection = duckdb.connect()
    run, qrels = tmp_path / "run.parquet", tmp_path / "qrels.parquet"
    connection.execute(
        f"""COPY (SELECT q AS query_id, 'document ' || (q * 100 + rank) AS doc_id, rank
                  FROM range(20000) t(q), range(1, 101) u(rank) ORDER BY ALL) TO '{run}'"""  # noqa: S608
    )
    connection.execute(
        f"""COPY (SELECT q AS query_id, 'document ' || (q * 100 + 1 + q % 4) AS doc_id, 1 AS grade
                  FROM range(20000) t(q)) TO '{qrels}'"""  # noqa: S608
    )
    found = evaluate_files(run, qrels, "RR R@2", memory_limit="60MB")
    assert [each.mean.estimate for each in found.metrics] == [pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4), 0.5]


GOOD_RUN: Mapping[str, Any] = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "rank": [1, 2]}
GOOD_QRELS: Mapping[str, Any] = {"query_id": ["q"], "doc_id": ["a"], "grade": [1]}


@pytest.mark.parametrize(
    ("run", "qrels", "told"),
    [
        ({"rank": [1, 1]}, {}, "unusable-file: question 'q' has ranks other than 1, 2, 3 … once each (run.parquet)"),
        ({"rank": [0, 1]}, {}, "has ranks other than"),
        ({"rank": [1, 3]}, {}, "has ranks other than"),
        ({"rank": [1.0, 1.5]}, {}, "has ranks other than"),
        ({"rank": [None, 1]}, {}, "has ranks other than"),
        ({"query_id": ["q"] * 4, "doc_id": ["a", "b", "c", "d"], "rank": [1, 1, 4, 4]}, {}, "has ranks other than"),
        ({"rank": None, "score": [1.0, float("nan")]}, {}, "question 'q' has a score that is no number"),
        ({"rank": None, "score": [1.0, None]}, {}, "question 'q' has a score that is no number"),
        ({"rank": None, "doc_id": None, "docs": [["a"], ["b"]]}, {}, "question 'q' has more than one list"),
        ({"rank": None}, {}, "wrong-columns: has columns doc_id, query_id (run.parquet)"),
        ({}, {"grade": None}, "(qrels.parquet); it needs doc_id, grade, query_id"),
        ({}, {"grade": [float("nan")]}, "unusable-file: 1 judgments lack an id or a grade"),
        ({}, {"query_id": ["q", "q"], "doc_id": ["a", "a"], "grade": [1, 0]}, "twice: 1 documents are judged more"),
        ({}, {"query_id": ["other"]}, "no-judgments: no question of the run is judged"),
        ({}, {"grade": [0]}, "grade-above-all"),
    ],
)  # fmt: skip
def test_what_needs_a_decision_is_told_in_one_line(
    run: dict[str, Any], qrels: dict[str, Any], told: str, tmp_path: Path
) -> None:
    run_file, qrels_file = (
        parquet(
            tmp_path / name, **{column: values for column, values in (good | changed).items() if values is not None}
        )
        for name, good, changed in (("run.parquet", dict(GOOD_RUN), run), ("qrels.parquet", dict(GOOD_QRELS), qrels))
    )
    with pytest.raises((InputError, UsageError)) as caught:
        evaluate_files(run_file, qrels_file, "R")
    assert told in caught.value.line()
    assert "\n" not in caught.value.line()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            b"q Q0 a 1 2.5 t\nq Q0 b 2 no-number t\n",
            "the line 'q Q0 b 2 no-number t' is not query_id, q0, ",
        ),
        (b"q Q0 a\n", "the line 'q Q0 a' is not query_id"),
        (b"PAR1 and then nothing of the kind", "cannot be read: "),
        (b"PK\x03\x04", "unknown-packing: this is zip"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_one_line(text: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "bad.run").write_bytes(text)
    qrels = parquet(tmp_path / "qrels.parquet", **GOOD_QRELS)
    with pytest.raises(InputError) as caught:
        evaluate_files(tmp_path / "bad.run", qrels, "R")
    assert told in caught.value.line()
    assert "bad.run" in caught.value.line()
    assert "\n" not in caught.value.line()
    with pytest.raises(InputError, match="no-file"):
        evaluate_files(tmp_path / "absent.run", qrels, "R")


def test_a_memory_limit_that_is_none_or_too_little_is_told_in_one_line(tmp_path: Path) -> None:
    run, qrels = parquet(tmp_path / "run.parquet", **GOOD_RUN), parquet(tmp_path / "qrels.parquet", **GOOD_QRELS)
    with pytest.raises(UsageError, match=r"bad-memory-limit: .* such as 1GB, not 'lots'"):
        evaluate_files(run, qrels, "R", memory_limit="lots")
    with pytest.raises(StoreError, match="out-of-memory"):
        evaluate_files(run, qrels, "R", memory_limit="100KB")


def test_no_other_file_can_be_reached(tmp_path: Path) -> None:
    mine, other = (parquet(tmp_path / name, **GOOD_QRELS) for name in ("it's mine.parquet", "other.parquet"))
    with TraceStore.over_files([mine]) as store:
        assert store.connection.read_parquet(str(mine.resolve())).fetchall() == [("q", "a", 1)]
        with pytest.raises(duckdb.PermissionException):
            store.connection.read_parquet(str(other.resolve()))
        with pytest.raises(duckdb.InvalidInputException):
            store.connection.execute("SET enable_external_access = true")
