"""Real pipelines, through the real command, against the numbers their owners counted by other means."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.cases
ROOT = Path(__file__).resolve().parents[1]


class Command:
    """The foundlost command on one store."""

    def __init__(self, db: Path) -> None:
        self.db = db

    def __call__(self, *arguments: object, stdin: str | None = None, code: int = 0) -> str:
        """Run it and return its stdout; it must leave with that code."""
        words = [sys.executable, "-m", "foundlost", *map(str, arguments), "--db", str(self.db)]
        done = subprocess.run(words, input=stdin, capture_output=True, text=True, cwd=ROOT, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout

    def json(self, *arguments: object, code: int = 0) -> dict[str, Any]:
        """Run it with --json and return the object."""
        found: dict[str, Any] = json.loads(self(*arguments, "--json", code=code))
        return found


@pytest.fixture(scope="module")
def nq(cases: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    command = Command(tmp_path_factory.mktemp("nq") / "nq.duckdb")
    for build in ("A_bm25", "B_hybrid", "C_bm25_bigpack"):
        command("ingest", cases / "nq_local" / f"{build}.jsonl", "--run", build)
    command("labels", "import", cases / "nq_local" / "qrels.txt", "--name", "nq", "--kind", "human")
    return command


# per build, (failed, passed) of: never found, lost in rerank, lost in packing, reached
NQ = {
    "A_bm25": [(147, 1), (5, 1), (43, 2), (372, 229)],
    "B_hybrid": [(4, 0), (20, 1), (67, 3), (435, 270)],
    "C_bm25_bigpack": [(146, 2), (5, 1), (0, 0), (458, 188)],
}
NQ_RECALL = {"A_bm25": (652, 646, 601), "B_hybrid": (796, 775, 705), "C_bm25_bigpack": (652, 646, 646)}


@pytest.mark.parametrize("build", sorted(NQ))
def test_nq_local_fates_and_recall(nq: Command, build: str) -> None:
    found = nq.json("attribute", build)
    assert [(f["failed"], f["passed"]) for f in found["fates"]] == NQ[build]
    assert [f["stage"] for f in found["fates"]] == [None, "reranked", "packed", None]
    assert tuple(s["covered"] for s in found["stages"]) == NQ_RECALL[build]
    assert {s["recall"]["n"] for s in found["stages"]} == {800}
    passed = sum(passed for _, passed in NQ[build])
    assert (found["passed"]["count"], found["passed"]["n"]) == (passed, 800)
    assert abs(found["identity"]["difference"]) < 1e-12


def test_nq_local_by_intent(nq: Command) -> None:
    found = nq.json("attribute", "A_bm25", "--by", "intent")
    got = {by["value"]: (by["stages"][-1]["covered"], by["passed"]["count"], by["passed"]["n"]) for by in found["by"]}
    assert got == {
        "who": (180, 90, 257),
        "what/which": (137, 29, 173),
        "when": (130, 72, 165),
        "where": (60, 14, 88),
        "other": (60, 17, 74),
        "how many": (26, 10, 33),
        "how/why": (8, 1, 10),
    }


def test_nq_local_projection(nq: Command) -> None:
    stated = nq.json("project", "A_bm25", "--recall", "0.88125")
    exact = Fraction(705, 800) * Fraction(229, 601) + Fraction(95, 800) * Fraction(4, 199)
    assert round(float(800 * exact), 3) == 270.537
    assert stated["projection"]["estimate"] == pytest.approx(float(exact), abs=1e-15)
    assert stated["ceiling"]["estimate"] == pytest.approx(229 / 601)
    replayed = nq.json("project", "A_bm25", "--recall-from", "B_hybrid")
    assert replayed["projection"]["estimate"] == pytest.approx(stated["projection"]["estimate"])
    assert replayed["projection"]["upper"] - replayed["projection"]["lower"] > (
        stated["projection"]["upper"] - stated["projection"]["lower"]
    )


CELLS = {
    ("A_bm25", "B_hybrid"): [(586, 226, 221), (119, 1, 49), (15, 3, 0), (80, 3, 4)],
    ("A_bm25", "C_bm25_bigpack"): [(601, 229, 183), (45, 2, 5), (0, 0, 0), (154, 2, 3)],
}


@pytest.mark.parametrize(("before", "after"), sorted(CELLS))
def test_nq_local_transition_cells(nq: Command, before: str, after: str) -> None:
    found = nq.json("compare", before, after)
    assert [c["cell"] for c in found["cells"]] == ["retained", "recovered", "lost", "still_missing"]
    assert [(c["n"], c["passed_before"], c["passed_after"]) for c in found["cells"]] == CELLS[(before, after)]
    assert sum(c["contribution"] for c in found["cells"]) == pytest.approx(found["change"], abs=1e-15)
    # one gold document a question: the change of R at the end is gained less lost, and so is that of recall
    _, recovered, lost, _ = (c["n"] for c in found["cells"])
    (packed,) = [m["difference"] for m in found["metrics"] if m["metric"] == "R@packed"]
    assert (packed["n"], packed["estimate"]) == (800, pytest.approx((recovered - lost) / 800, abs=1e-15))


def test_cast21_without_outcomes(cases: Path, tmp_path: Path) -> None:
    folder, command = cases / "cast21", Command(tmp_path / "cast.duckdb")
    command(
        *("ingest", "--run", "convdr", "--doc-id-strip", r"-[0-9]+$", "--cut", "reranked=10", "--cut", "packed=3"),
        *("--stage", f"candidates={folder / 'org_convdr.trec'}"),
        *("--stage", f"reranked={folder / 'org_convdr_bert.trec'}"),
        *("--stage", f"packed={folder / 'org_convdr_bert.trec'}"),
    )
    command("labels", "import", folder / "trec-cast-qrels-docs.2021.qrel", "--name", "cast", "--kind", "human")
    found = command.json("attribute", "convdr", "--min-grade", "2")
    assert [(s["covered"], s["recall"]["n"]) for s in found["stages"]] == [(138, 157), (127, 157), (106, 157)]
    assert [f["questions"] for f in found["fates"]] == [19, 11, 21, 106]
    assert found["questions"]["total"] == 239
    assert (found["questions"]["attributable"], found["questions"]["unlabelled"]) == (157, 82)
    assert all(f["share_of_failures"]["estimate"] is None for f in found["fates"])
    assert "no_outcomes" in {w["code"] for w in found["warnings"]}
    page = tmp_path / "cast.html"
    command("report", "attribution", "convdr", "--min-grade", "2", "-o", page)
    assert "outcome" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(("depth", "wanted"), [(1, 77), (3, 106), (5, 116), (10, 127)])
def test_cast21_gold_in_the_first_places(cases: Path, tmp_path: Path, depth: int, wanted: int) -> None:
    folder, command = cases / "cast21", Command(tmp_path / "cast.duckdb")
    command(
        *("ingest", "--run", "bert", "--doc-id-strip", r"-[0-9]+$", "--cut", f"reranked={depth}"),
        *("--stage", f"reranked={folder / 'org_convdr_bert.trec'}"),
    )
    command("labels", "import", folder / "trec-cast-qrels-docs.2021.qrel", "--name", "cast", "--kind", "human")
    (stage,) = command.json("attribute", "bert", "--min-grade", "2")["stages"]
    assert stage["covered"] == wanted


WIXQA = {
    "2-rag-basic": (330, 132, 270, 57),
    "3-rag-better-retriever": (399, 164, 201, 40),
    "4-rag-wider-context": (399, 213, 201, 69),
}


def reshaped(folder: Path) -> str:
    """Return the canonical traces that the example script makes of one condition's files."""
    script = str(ROOT / "examples" / "reshape_analysis.py")
    return subprocess.run([sys.executable, script, str(folder)], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("condition", sorted(WIXQA))
def test_wixqa_repeats_are_clusters(cases: Path, tmp_path: Path, condition: str) -> None:
    lines = reshaped(cases / "wixqa/runs/rag-wixqa" / condition)
    command = Command(tmp_path / "wixqa.duckdb")
    command("ingest", "-", "--run", condition, "--pass-rule", "score >= 3", stdin=lines)
    found = command.json("attribute", condition)
    with_gold, without_gold = found["conditional"]["with_gold"], found["conditional"]["without_gold"]
    assert (with_gold["n"], with_gold["count"], without_gold["n"], without_gold["count"]) == WIXQA[condition]
    assert (found["questions"]["attributable"], found["questions"]["repeats"]) == (200, 600)
    # Three answers to one question are worth fewer than three questions, and more than one.
    assert 200 < found["passed"]["n_effective"] < 600
    assert found["stages"][0]["recall"]["n_effective"] == pytest.approx(199, abs=1.5)


def test_wixqa_effect_is_said_to_be_too_small(cases: Path, tmp_path: Path) -> None:
    folder, command = cases / "wixqa/runs/rag-wixqa", Command(tmp_path / "wixqa.duckdb")
    for condition in ("2-rag-basic", "3-rag-better-retriever"):
        command("ingest", "-", "--run", condition, "--pass-rule", "score >= 3", stdin=reshaped(folder / condition))
    found = command.json("project", "2-rag-basic", "--recall-from", "3-rag-better-retriever")
    assert found["projection"]["estimate"] == pytest.approx(0.3367, abs=5e-5)
    (small,) = [w for w in found["warnings"] if w["code"] == "gain_not_detectable"]
    assert "a gain of 0.0217 cannot be seen with 200 questions (600 answers): " in small["message"]
    assert small["message"].endswith("; it takes at least 656 questions with 3 answers each")
    assert small["questions"] == 200


def test_wixqa_churn_is_shown_not_netted(cases: Path, tmp_path: Path) -> None:
    folder, command = cases / "wixqa/runs/rag-wixqa", Command(tmp_path / "wixqa.duckdb")
    for condition in ("2-rag-basic", "3-rag-better-retriever"):
        command("ingest", "-", "--run", condition, "--pass-rule", "score >= 3", stdin=reshaped(folder / condition))
    found = command.json("compare", "2-rag-basic", "3-rag-better-retriever")
    cells = {c["cell"]: c for c in found["cells"]}
    assert (cells["recovered"]["n"], cells["lost"]["n"]) == (43 * 3, 20 * 3)
    assert cells["recovered"]["passed_after"] / cells["recovered"]["n"] == pytest.approx(0.388, abs=5e-4)
    assert cells["lost"]["passed_before"] / cells["lost"]["n"] == pytest.approx(0.433, abs=5e-4)
    assert cells["lost"]["passed_after"] / cells["lost"]["n"] == pytest.approx(0.267, abs=5e-4)
    assert found["pass"]["p_mcnemar_midp"] is None
    low, high = found["pass"]["difference"]["lower"], found["pass"]["difference"]["upper"]
    assert low < 0 < high


def test_nq_a_retrieval_fix_comes_out_as_forecast(nq: Command) -> None:
    sealed = nq.json("forecast", "seal", "A_bm25", "--name", "a-b", "--recall", "0.88125")
    assert sealed["forecast"]["projection"]["estimate"] * 800 == pytest.approx(229 / 601 * 705 + 4 / 199 * 95)
    found = nq.json("forecast", "verify", "a-b", "B_hybrid")
    assert found["cells"] == {"retained": 586, "recovered": 119, "lost": 15, "still_missing": 80}
    assert not [each["name"] for each in found["falsifiers"] if each["verdict"] == "refuted"]
    assert (found["verdict"], found["observed_pass"]["count"]) == ("held", 274)
    assert found["error"]["total"] * 800 == pytest.approx(274 - (229 / 601 * 705 + 4 / 199 * 95))
    assert sum(found["error"]["terms"].values()) == pytest.approx(found["error"]["total"], abs=1e-15)


def test_nq_a_packing_fix_is_refuted_by_the_questions_it_was_not_for(nq: Command) -> None:
    sealed = nq.json("forecast", "seal", "A_bm25", "--name", "a-c", "--recall-from", "C_bm25_bigpack")
    assert sealed["forecast"]["projection"]["estimate"] * 800 == pytest.approx(249.2419, abs=1e-4)
    found = nq.json("forecast", "verify", "a-c", "C_bm25_bigpack", code=1)
    verdicts = {each["name"]: (each["verdict"], each["direction"]) for each in found["falsifiers"]}
    assert (found["verdict"], verdicts["retained"]) == ("refuted", ("refuted", "worse"))
    assert found["error"]["largest"] == "retained"
    assert found["error"]["terms"]["retained"] * 800 == pytest.approx(183 - 601 * 229 / 601, abs=1e-9)


def test_wixqa_forecasts_with_repeats_as_clusters(cases: Path, tmp_path: Path) -> None:
    folder, command = cases / "wixqa/runs/rag-wixqa", Command(tmp_path / "wixqa.duckdb")
    for condition in WIXQA:
        command("ingest", "-", "--run", condition, "--pass-rule", "score >= 3", stdin=reshaped(folder / condition))
    small = command.json("forecast", "seal", "2-rag-basic", "--name", "b", "--recall-from", "3-rag-better-retriever")
    assert {"gain_not_detectable", "budget_above_gain"} <= {each["code"] for each in small["forecast"]["warnings"]}
    assert small["forecast"]["expected"]["recovered"] == 43 * 3
    found = command.json("forecast", "verify", "b", "3-rag-better-retriever")
    (recovered,) = [each for each in found["falsifiers"] if each["name"] == "recovered"]
    assert recovered["verdict"] in ("held", "cannot tell")
    assert recovered["observed"]["estimate"] == pytest.approx(50 / 129 - 0.4)
    assert 0.5 <= recovered["power"] < 0.6
    command.json("forecast", "seal", "2-rag-basic", "--name", "c", "--recall-from", "4-rag-wider-context")
    found = command.json("forecast", "verify", "c", "4-rag-wider-context", code=1)
    directions = {each["name"]: each["direction"] for each in found["falsifiers"] if each["verdict"] == "refuted"}
    assert (found["verdict"], directions["retained"]) == ("refuted", "better")
    assert found["observed_pass"]["estimate"] == pytest.approx(0.47)
