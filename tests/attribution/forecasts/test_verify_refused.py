"""What must not be judged, or not by this run: other questions, other judges, a run that changed since the seal."""

from __future__ import annotations

from pathlib import Path

import pytest

from attribution.forecasts.record import record
from attribution.forecasts.sealed import exported
from attribution.forecasts.verify import verify
from tests.attribution.forecasts.made import (
    EXAMPLE,
    after_of,
    answered,
    before_of,
    headed,
    kinds_of,
    of,
    sealed,
    store_before,
)
from tests.attribution.made_runs import add_run, write_lines
from traces.errors import InputError, UsageError
from traces.imports import import_labels, import_outcomes, import_questions


def test_what_cannot_be_judged_is_refused_in_one_line(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        made = sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds)[:-5], run="short")
        add_run(store, tmp_path, [{**each, "passed": None} for each in after_of(kinds)], run="silent")
        add_run(store, tmp_path, [answered(f"z{i}", 1, 1) for i in range(9)], run="other")
        add_run(store, tmp_path, [{**each, "judge": "strict"} for each in after_of(kinds)], run="judged")
        for name, after, slug in (
            ("f", "before", "same-run"),
            ("f", "nowhere", "unknown-run"),
            ("f", "short", "different-questions"),
            ("f", "other", "different-questions"),
            ("f", "silent", "no-outcomes"),
            ("f", "judged", "not-comparable"),
            ("g", "short", "unknown-forecast"),
        ):
            with pytest.raises(UsageError) as refused:
                verify(store, name, after)
            assert refused.value.slug == slug, after
        with pytest.raises(UsageError, match="bad-option"):
            verify(store, "f", "short", allow=("anything",))
        found = verify(store, "f", "short", allow=("questions",))
        assert (found.allowed, found.questions) == (["questions"], 395)
        assert verify(store, "f", "judged", allow=("judge",)).allowed == ["judge"]
        file = tmp_path / "f.json"
        file.write_text(exported(made).replace("0.85", "0.95"), encoding="utf-8")
        with pytest.raises(InputError, match="forecast-tampered"):
            verify(store, "f", "short", file=file, allow=("questions",))


def test_a_run_that_is_no_longer_what_was_sealed_is_refused(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    bare = [{k: v for k, v in each.items() if k != "gold"} for each in before_of(kinds)]
    later = [{k: v for k, v in each.items() if k != "gold"} for each in after_of(kinds)]
    labels = [{"query_id": f"q{i}", "doc_id": "g"} for i in range(len(kinds))]
    with store_before(tmp_path, bare) as store:
        import_labels(store, write_lines(tmp_path / "l.jsonl", labels), name="made")
        sealed(store, margin=0.04)
        add_run(store, tmp_path, later, run="after")
        assert verify(store, "f", "after").verdict == "cannot tell"
        more = [{"query_id": "q399", "doc_id": "x"}]
        import_labels(store, write_lines(tmp_path / "m.jsonl", more), name="made")
        with pytest.raises(InputError, match="--allow labels") as refused:
            verify(store, "f", "after")
        assert refused.value.slug == "run-changed"
        assert verify(store, "f", "after", allow=("labels",)).allowed == ["labels"]


def test_weights_that_come_after_the_seal_do_not_change_the_verdict(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds), run="after")
        before = verify(store, "f", "after")
        heavy = [{"query_id": f"q{i}", "weight": 1.35 if after else 1.0} for i, (*_, after) in enumerate(kinds)]
        import_questions(store, write_lines(tmp_path / "w.jsonl", heavy))
        with pytest.raises(InputError, match="weights of its questions are not what was sealed") as refused:
            verify(store, "f", "after")
        assert refused.value.slug == "run-changed"
        even = [{"query_id": f"q{i}", "weight": 1.0} for i in range(len(kinds))]
        import_questions(store, write_lines(tmp_path / "v.jsonl", even))
        with pytest.raises(InputError, match="run-changed"):  # the same rates, but no longer what was sealed
            verify(store, "f", "after", allow=("labels",))
        assert before.verdict == "cannot tell"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE outcomes SET passed = NOT passed WHERE query_id IN ('q0', 'q201')", "its answers, their outcomes"),
        ("UPDATE hits SET query_id = 'q232' WHERE query_id = 'q0'", "where it was found"),
    ],
)
def test_answers_that_trade_places_show_though_the_counts_stay(tmp_path: Path, change: str, told: str) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds), run="after")
        store.connection.execute(f"{change} AND run_id = 'before'")
        with pytest.raises(InputError, match=told) as refused:
            verify(store, "f", "after")
    assert refused.value.slug == "run-changed"
    assert "then" not in str(refused.value)  # the counts are the same, so they tell nothing


@pytest.mark.parametrize("after", ["two", None])
def test_another_judge_is_refused_by_name_and_can_be_allowed(tmp_path: Path, after: str | None) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path, before_of(kinds, judge="one")) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds, judge=after), run="after")
        with pytest.raises(UsageError, match=r"judges differ.*--allow judge"):
            verify(store, "f", "after")
        found = verify(store, "f", "after", allow=("judge",))
    assert (found.allowed, found.observed_pass.count) == (["judge"], 310)


@pytest.mark.parametrize("run", ["before", "after"])
def test_one_more_judge_does_not_keep_a_forecast_from_being_judged(tmp_path: Path, run: str) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, after_of(kinds), run="after")
        alone = verify(store, "f", "after")
        second = [{"query_id": "q0", "passed": False, "judge": "second"}]
        import_outcomes(store, write_lines(tmp_path / "o.jsonl", second), run_id=run)
        again = verify(store, "f", "after")
    assert (again.verdict, again.error.total) == (alone.verdict, alone.error.total)


def test_another_judge_whose_outcomes_do_not_count_is_no_change(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    with store_before(tmp_path, headed(before_of(kinds, judge="one"))) as store:
        sealed(store, margin=0.04)
        add_run(store, tmp_path, headed(after_of(kinds, judge="one")), run="after")
        second = [{"query_id": "q0", "passed": False, "judge": "two"}]
        import_outcomes(store, write_lines(tmp_path / "o.jsonl", second), run_id="after")
        found = verify(store, "f", "after")
    assert of(found, "unchanged").verdict == "held"


def test_an_exported_forecast_is_enough_where_the_store_lacks_it(tmp_path: Path) -> None:
    kinds = kinds_of(EXAMPLE)
    file = tmp_path / "f.json"
    with store_before(tmp_path) as store:
        file.write_text(exported(sealed(store, margin=0.04)), encoding="utf-8")
    with store_before(tmp_path) as store:
        add_run(store, tmp_path, after_of(kinds), run="after")
        found = verify(store, "f", "after", file=file)
        assert found.verdict == "cannot tell"
        assert found.warnings[0].code == "forecast_not_stored"
        assert [warn.code for warn in record(store).warnings] == ["forecast_not_stored"]
        assert not verify(store, "f", "after", file=file).new
        with pytest.raises(InputError, match="holds the forecast 'f'"):
            verify(store, "g", "after", file=file)
        sealed(store, recall=0.9)
        with pytest.raises(InputError, match="another forecast"):
            verify(store, "f", "after", file=file)
