"""Fates as the glossary defines them, case by case, and against a naive second implementation on random runs."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, cast

import pytest

from attribution.attribute import attribute
from attribution.choices import Choices
from attribution.results import Attribution
from tests.attribution import naive_fates as naive
from tests.attribution.made_runs import RUN, made_store, trace
from traces.errors import UsageError


def counts(found: Attribution) -> dict[tuple[str, str | None], tuple[int, int]]:
    return {(f.fate, f.stage): (f.failed, f.passed) for f in found.fates}


def test_the_three_default_stages_and_the_passes_without_gold(tmp_path: Path) -> None:
    records = [
        trace("q1", ["x", "y"], ["x"], ["x"], False, gold=["g"]),
        trace("q2", ["x", "g"], ["x"], ["x"], False, gold=["g"]),
        trace("q3", ["x", "g"], ["g"], [], False, gold=["g"]),
        trace("q4", ["g"], ["g"], ["g"], False, gold=["g"]),
        trace("q5", ["g"], ["g"], ["g"], True, gold=["g"]),
        trace("q6", ["x"], ["x"], ["x"], True, gold=["g"]),
    ]
    with made_store(tmp_path, records) as store:
        found = attribute(store, RUN)
    assert counts(found) == {
        ("never_found", None): (1, 1),
        ("lost", "reranked"): (1, 0),
        ("lost", "packed"): (1, 0),
        ("reached", None): (1, 1),
    }
    assert [(s.stage, s.covered, s.recall.n) for s in found.stages] == [
        ("candidates", 4, 6), ("reranked", 3, 6), ("packed", 2, 6),
    ]  # fmt: skip
    assert (found.conditional.with_gold.count, found.conditional.with_gold.n) == (1, 2)
    assert (found.conditional.without_gold.count, found.conditional.without_gold.n) == (1, 4)
    assert found.labels.name == "inline"
    assert found.failed == 4


def test_a_question_covered_again_after_a_loss_is_reached(tmp_path: Path) -> None:
    records = [trace("q1", ["g"], ["x"], ["g"], False, gold=["g"])]
    with made_store(tmp_path, records) as store:
        found = attribute(store, RUN)
    assert counts(found)[("reached", None)] == (1, 0)
    assert [s.appeared_late for s in found.stages] == [0, 0, 1]
    assert "appeared_late" in {w.code for w in found.warnings}


def test_gold_that_appears_late_and_is_lost_is_lost_there(tmp_path: Path) -> None:
    records = [trace("q1", ["x"], ["g"], ["x"], False, gold=["g"])]
    with made_store(tmp_path, records) as store:
        found = attribute(store, RUN)
    assert counts(found)[("lost", "packed")] == (1, 0)
    assert [(s.covered, s.appeared_late) for s in found.stages] == [(0, 0), (1, 1), (0, 0)]


def test_several_groups_the_fate_is_that_of_the_group_lost_earliest(tmp_path: Path) -> None:
    # Group 1 is lost by the reranker, group 2 by the packer; no stage after the first has both.
    records = [trace("q1", ["a", "b"], ["b"], ["x"], False, gold=[["a", "a2"], ["b"]])]
    with made_store(tmp_path, records) as store:
        strict = attribute(store, RUN)
        lenient = attribute(store, RUN, Choices(require="any"))
    assert strict.policy.require == "groups"
    assert counts(strict)[("lost", "reranked")] == (1, 0)
    assert counts(lenient)[("lost", "packed")] == (1, 0)


def test_any_document_of_a_group_stands_in_for_the_others(tmp_path: Path) -> None:
    records = [trace("q1", ["a2", "b"], ["a2", "b"], ["b", "a2"], True, gold=[["a", "a2"], ["b"]])]
    with made_store(tmp_path, records) as store:
        found = attribute(store, RUN)
    assert counts(found)[("reached", None)] == (0, 1)
    assert [(g.needed, g.present, g.passed.count, g.passed.n) for g in found.groups_present] == [(2, 2, 1, 1)]


def test_flat_gold_any_by_default_all_on_request(tmp_path: Path) -> None:
    records = [trace("q1", ["a", "x"], ["a"], ["a"], True, gold=["a", "b"])]
    with made_store(tmp_path, records) as store:
        assert counts(attribute(store, RUN))[("reached", None)] == (0, 1)
        assert attribute(store, RUN).policy.require == "any"
        assert counts(attribute(store, RUN, Choices(require="all")))[("never_found", None)] == (0, 1)


def test_grades_below_the_threshold_are_no_gold(tmp_path: Path) -> None:
    labels = [{"query_id": "q1", "doc_id": "a", "grade": 1}, {"query_id": "q1", "doc_id": "b", "grade": 2}]
    with made_store(tmp_path, [trace("q1", ["a"], ["a"], ["a"], False)], labels=labels) as store:
        assert counts(attribute(store, RUN))[("reached", None)] == (1, 0)
        assert counts(attribute(store, RUN, Choices(min_grade=2)))[("never_found", None)] == (1, 0)
        assert attribute(store, RUN, Choices(min_grade=3)).questions.unlabelled == 1


def test_truncated_gold_is_lost_in_packing_unless_kept_and_both_are_said(tmp_path: Path) -> None:
    piece = {"doc_id": "g", "tokens": 100, "kept_tokens": 40}
    records = [trace("q1", ["g"], ["g"], [piece], False, gold=["g"])]
    with made_store(tmp_path, records) as store:
        lost = attribute(store, RUN)
        kept = attribute(store, RUN, Choices(truncated="kept"))
    packed = next(f for f in lost.fates if f.stage == "packed")
    assert (packed.failed, packed.reasons) == (1, {"truncated": 1})
    assert counts(kept)[("reached", None)] == (1, 0)
    for found in (lost, kept):
        assert "truncated_gold" in {w.code for w in found.warnings}


def test_a_second_whole_copy_outweighs_a_truncated_one(tmp_path: Path) -> None:
    packed = [{"doc_id": "g", "tokens": 100, "kept_tokens": 40}, {"doc_id": "g", "tokens": 100, "kept_tokens": 100}]
    with made_store(tmp_path, [trace("q1", ["g"], ["g"], packed, True, gold=["g"])]) as store:
        found = attribute(store, RUN)
    assert counts(found)[("reached", None)] == (0, 1)
    assert found.stages[-1].duplicates == 1


def test_several_searches_count_together(tmp_path: Path) -> None:
    stages = [
        {"stage": "candidates", "search": 0, "items": ["x"]},
        {"stage": "candidates", "search": 1, "items": ["g"], "query": "second try"},
        {"stage": "packed", "search": 0, "items": ["x", "g"]},
    ]
    record = {"query_id": "q1", "stages": stages, "passed": True, "gold": ["g"]}
    with made_store(tmp_path, [record]) as store:
        found = attribute(store, RUN)
    assert counts(found)[("reached", None)] == (0, 1)
    assert found.stages[0].covered == 1


def test_every_reason_for_no_verdict_is_counted_and_none_falls_into_a_fate(tmp_path: Path) -> None:
    half = [{"stage": s, "items": ["g"], "complete": s != "candidates"} for s in ("candidates", "reranked", "packed")]
    records = [
        trace("ok", ["g"], ["g"], ["g"], True, gold=["g"]),
        trace("unlabelled", ["x"], ["x"], ["x"], False),
        trace("empty", ["x"], ["x"], ["x"], False, gold=[]),
        trace("no-answer", ["x"], ["x"], ["x"], False, gold=[], answerable=False),
        trace("no-outcome", ["x"], ["x"], ["x"], None, gold=["g"]),
        trace("text-only", ["x"], ["x"], ["x"], False, gold=[{"text": "the passage"}]),
        {"query_id": "half", "stages": half, "passed": False, "gold": ["g"]},
        {
            "query_id": "one-stage-missing",
            "stages": {"candidates": ["x"], "packed": []},
            "passed": False,
            "gold": ["g"],
        },
    ]
    with made_store(tmp_path, records) as store:
        asked = attribute(store, RUN).questions
        fates = attribute(store, RUN).fates
    assert asked.model_dump() == {
        "total": 8, "attributable": 1, "unlabelled": 2, "no_answer": 1, "no_outcome": 1, "unknown_gold": 1,
        "incomplete_lists": 2, "repeats": 1,
    }  # fmt: skip
    assert sum(f.questions for f in fates) == 1


def test_without_any_outcome_evidence_is_followed_and_no_failure_invented(tmp_path: Path) -> None:
    records = [
        trace("q1", ["x"], ["x"], ["x"], None, gold=["g"]),
        trace("q2", ["g"], ["g"], ["g"], None, gold=["g"]),
    ]
    with made_store(tmp_path, records) as store:
        found = attribute(store, RUN)
    assert [f.questions for f in found.fates] == [1, 0, 0, 1]
    assert (found.passed.n, found.passed.estimate, found.failed) == (0, None, 0)
    assert found.fates[0].share_of_failures.estimate is None
    assert found.fates[0].share_of_questions.estimate == 0.5
    assert (found.questions.attributable, found.questions.no_outcome) == (2, 2)
    assert found.identity.difference is None
    assert "no_outcomes" in {w.code for w in found.warnings}


@pytest.mark.parametrize(
    ("listed", "document", "reason"),
    [
        (["x", "g"], {"doc_id": "g", "indexed": True}, "below_cutoff"),
        (["x"], {"doc_id": "g", "indexed": False}, "not_indexed"),
        (["x"], {"doc_id": "g", "indexed": True}, "not_retrieved"),
    ],
)
def test_why_it_was_never_found(tmp_path: Path, listed: list[str], document: dict[str, Any], reason: str) -> None:
    from tests.attribution.made_runs import write_lines
    from traces.imports import import_documents

    header = {"run": {"cutoffs": {"candidates": 1}}}
    records = [header, trace("q1", listed, ["x"], ["x"], False, gold=["g"])]
    with made_store(tmp_path, records) as store:
        import_documents(store, write_lines(tmp_path / "documents.jsonl", [document]))
        assert attribute(store, RUN).fates[0].reasons == {reason: 1}


def test_repeats_of_a_question_are_one_cluster(tmp_path: Path) -> None:
    records = [
        trace(
            f"q{q}", ["g"], ["g"], ["g"] if q % 2 else [], passed=(q % 4 == 0 or (q + r) % 3 == 0), repeat=r, gold=["g"]
        )
        for q in range(20)
        for r in range(3)
    ]
    with made_store(tmp_path, records) as store:
        found = attribute(store, RUN)
    assert (found.questions.attributable, found.questions.repeats) == (20, 60)
    assert found.passed.n == 60
    recall = found.stages[-1].recall
    assert recall.estimate == 0.5
    assert recall.n_effective is not None
    assert recall.n_effective < 20  # three identical repeats tell no more than one


def test_weights_bring_the_set_back_to_traffic(tmp_path: Path) -> None:
    from tests.attribution.made_runs import write_lines
    from traces.imports import import_questions

    records = [
        trace(f"q{i}", ["g"], ["g"], ["g"], passed=i < 5 or i >= 18, intent="head" if i < 10 else "tail", gold=["g"])
        for i in range(20)
    ]
    weights = [{"query_id": f"q{i}", "weight": 9.0 if i < 10 else 1.0} for i in range(20)]
    with made_store(tmp_path, records) as store:
        plain = attribute(store, RUN)
        import_questions(store, write_lines(tmp_path / "weights.jsonl", weights))
        found = attribute(store, RUN)
    assert plain.passed.estimate == pytest.approx(7 / 20)
    assert found.policy.weighted
    assert found.passed.estimate == pytest.approx((9 * 5 + 2) / 100)
    assert (found.passed.count, found.passed.n) == (7, 20)
    assert found.identity.difference == pytest.approx(0, abs=1e-15)


def test_by_several_fields_at_once_each_on_its_own(tmp_path: Path) -> None:
    records = [
        trace("q1", ["g"], ["g"], ["g"], True, gold=["g"], intent="A", tags={"lang": "en"}),
        trace("q2", ["x"], ["x"], ["x"], False, gold=["g"], intent="A", tags={"lang": "fr"}),
        trace("q3", ["x"], ["x"], ["x"], False, gold=["g"], intent="B"),
    ]
    with made_store(tmp_path, records) as store:
        found = attribute(store, RUN, Choices(by=("intent", "lang")))
    got = {(by.field, by.value): (by.questions, by.failed, by.passed.n) for by in found.by}
    assert got == {
        ("intent", "A"): (2, 1, 2),
        ("intent", "B"): (1, 1, 1),
        ("lang", "en"): (1, 0, 1),
        ("lang", "fr"): (1, 1, 1),
        ("lang", None): (1, 1, 1),
    }


def test_a_field_nobody_recorded_is_refused_with_those_that_are_there(tmp_path: Path) -> None:
    records = [trace("q1", ["g"], ["g"], ["g"], True, gold=["g"], tags={"lang": "en"})]
    with made_store(tmp_path, records) as store, pytest.raises(UsageError, match="lang") as refused:
        attribute(store, RUN, Choices(by=("lnag",)))
    assert refused.value.slug == "unknown-field"


def test_two_label_sets_and_none_named_is_refused_with_both_names(tmp_path: Path) -> None:
    from tests.attribution.made_runs import write_lines
    from traces.imports.labels import import_labels

    with made_store(tmp_path, [trace("q1", ["g"], ["g"], ["g"], True)]) as store:
        judged = write_lines(tmp_path / "more.jsonl", [{"query_id": "q1", "doc_id": "g"}])
        import_labels(store, judged, name="first", kind="human")
        assert attribute(store, RUN).labels.name == "first"
        import_labels(store, judged, name="second", kind="human")
        with pytest.raises(UsageError, match="first, second"):
            attribute(store, RUN)
        assert attribute(store, RUN, Choices(labels="second")).labels.name == "second"


def test_aliases_are_one_document(tmp_path: Path) -> None:
    from tests.attribution.made_runs import write_lines
    from traces.imports import import_documents

    with made_store(tmp_path, [trace("q1", ["g-old"], ["g"], ["g-new"], True, gold=["g"])]) as store:
        import_documents(store, write_lines(tmp_path / "d.jsonl", [{"doc_id": "g", "aliases": ["g-old", "g-new"]}]))
        found = attribute(store, RUN)
    assert counts(found)[("reached", None)] == (0, 1)
    assert [s.covered for s in found.stages] == [1, 1, 1]


STAGES = ("one", "two", "three", "four")


def _random_run(seed: int) -> tuple[list[naive.Answer], naive.Setting, list[dict[str, Any]], list[dict[str, Any]]]:
    """Make a random run three times over: for the naive way, as records, and as labels."""
    chance = random.Random(seed)
    depth = chance.randint(1, 4)
    documents = [f"d{i}" for i in range(8)]
    gold: dict[str, list[tuple[str, float, str | None]]] = {}
    answers = []
    for number in range(25):
        query_id = f"q{number}"
        if chance.random() < 0.9:
            grouped = chance.random() < 0.5
            gold[query_id] = [
                (doc, float(chance.choice([0, 1, 1, 2])), chance.choice(["1", "2"]) if grouped else None)
                for doc in chance.sample(documents, chance.randint(1, 3))
            ]
        for repeat in range(chance.choice([1, 1, 2])):
            stages: list[list[list[naive.Place]] | None] = [
                None
                if chance.random() < 0.03
                else [
                    [naive.Place(chance.choice(documents), chance.random() < 0.8) for _ in range(chance.randint(0, 6))]
                    for _ in range(chance.choice([1, 1, 1, 2]))
                ]
                for _ in range(depth)
            ]
            answers.append(
                naive.Answer(
                    query_id=query_id,
                    repeat=repeat,
                    stages=stages,
                    passed=chance.choice([True, False, True, False, None]),
                    answerable=False if chance.random() < 0.05 else None,
                    incomplete=chance.random() < 0.05,
                )
            )
    setting = naive.Setting(
        gold=gold,
        min_grade=chance.choice([1.0, 2.0]),
        require=chance.choice(["any", "all"]),
        truncated=chance.choice(["lost", "kept"]),
        cutoffs={chance.randint(1, depth): chance.randint(1, 4)} if chance.random() < 0.5 else {},
    )
    header = {"run": {"stages": STAGES[:depth], "cutoffs": {STAGES[p - 1]: k for p, k in setting.cutoffs.items()}}}
    labels = [
        {"query_id": q, "doc_id": doc, "grade": grade, "group": group}
        for q, judged in gold.items()
        for doc, grade, group in judged
    ]
    return answers, setting, [header, *map(_record, answers)], labels


def _record(answer: naive.Answer) -> dict[str, Any]:
    return {
        "query_id": answer.query_id,
        "repeat": answer.repeat,
        "passed": answer.passed,
        "answerable": answer.answerable,
        "stages": [
            {
                "stage": STAGES[at],
                "search": search,
                "complete": not answer.incomplete,
                "items": [{"doc_id": p.doc_id, "tokens": 9, "kept_tokens": 9 if p.whole else 3} for p in places],
            }
            for at, lists in enumerate(answer.stages)
            for search, places in enumerate(lists or ())
        ],
    }


@pytest.mark.parametrize("seed", range(40))
def test_random_runs_agree_with_the_naive_way(tmp_path: Path, seed: int) -> None:
    answers, setting, records, labels = _random_run(seed)
    require = cast("Literal['any', 'all']", setting.require)
    truncated = cast("Literal['lost', 'kept']", setting.truncated)
    choices = Choices(labels="made", min_grade=setting.min_grade, require=require, truncated=truncated)
    with made_store(tmp_path, records, labels=labels) as store:
        found = attribute(store, RUN, choices)
    outcomes_exist = any(answer.passed is not None for answer in answers)
    attributable = [a for a in answers if naive.status(a, setting, outcomes_exist=outcomes_exist) == "attributable"]
    assert found.questions.repeats == len(attributable)
    wanted = Counter((naive.reach(a, setting), a.passed) for a in attributable)
    for reach, fate in enumerate(found.fates):
        assert (fate.failed, fate.passed) == (wanted[(reach, False)], wanted[(reach, True)])
    for position, stage in enumerate(found.stages, start=1):
        assert stage.covered == sum(naive.covered(a, setting, position) for a in attributable)
    _identity_is_exact(found)


def _identity_is_exact(found: Attribution) -> None:
    """On counts the identity holds without a tolerance."""
    with_gold, without_gold = found.conditional.with_gold, found.conditional.without_gold
    n = with_gold.n + without_gold.n
    if n == 0:
        return
    recall = Fraction(with_gold.n, n)
    p1 = Fraction(with_gold.count or 0, with_gold.n) if with_gold.n else Fraction(0)
    p0 = Fraction(without_gold.count or 0, without_gold.n) if without_gold.n else Fraction(0)
    assert recall * p1 + (1 - recall) * p0 == Fraction(found.passed.count or 0, found.passed.n)
    assert found.identity.difference == pytest.approx(0, abs=1e-12)
    assert found.stages[-1].covered == with_gold.n


def test_gold_known_by_text_only_beside_known_gold_leaves_the_question_out(tmp_path: Path) -> None:
    records = [trace("q1", ["x"], ["x"], ["x"], False, gold=["g", {"text": "the same passage, elsewhere"}])]
    with made_store(tmp_path, records) as store:
        asked = attribute(store, RUN).questions
    assert (asked.attributable, asked.unknown_gold) == (0, 1)


def test_the_unnamed_judge_can_be_chosen_among_several(tmp_path: Path) -> None:
    from tests.attribution.made_runs import write_lines
    from traces.imports import import_outcomes

    with made_store(tmp_path, [trace("q1", ["g"], ["g"], ["g"], False, gold=["g"])]) as store:
        assert attribute(store, RUN).policy.judge is None
        import_outcomes(
            store, write_lines(tmp_path / "o.jsonl", [{"query_id": "q1", "passed": True}]), run_id=RUN, judge="b"
        )
        with pytest.raises(UsageError, match="unnamed"):
            attribute(store, RUN)
        assert attribute(store, RUN, Choices(judge="")).passed.count == 0
        assert attribute(store, RUN, Choices(judge="b")).passed.count == 1


def test_a_grade_that_is_no_number_is_refused() -> None:
    with pytest.raises(UsageError, match="grade"):
        Choices(min_grade=float("nan"))
