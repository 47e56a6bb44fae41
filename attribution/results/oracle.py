"""A sample of misses to be answered again with their gold in the prompt."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from attribution.results.base import Labels, Policy, Result


class OracleStratum(Result):
    """One stratum: questions without their evidence, and how many were drawn."""

    name: str
    missing: int
    drawn: int


class OracleLimits(Result):
    """What the run's packer allows; ``tokens`` is None where they were not recorded."""

    documents: int
    tokens: int | None


class OracleDocument(Result):
    """One document of a prompt, in its place."""

    doc_id: str
    title: str | None
    text: str
    gold: bool
    tokens: int | None


class OracleQuestion(Result):
    """One question to answer. ``left_out`` is the gold it needs that the prompt had no room for."""

    query_id: str
    repeat: int
    query: str
    pack: list[OracleDocument]
    left_out: int


class OracleSample(Result):
    """A sample as it is exported: all about it, and apart from that the questions with their prompts.

    ``missing`` are answers of the run whose evidence did not reach the last stage, ``missing_questions`` their
    questions, of which ``drawn`` were sampled. ``no_text`` were drawn and gave way to the next, since the text of the
    question or of its gold is not stored.
    """

    schema_: Literal["foundlost.oracle/1"] = Field(default="foundlost.oracle/1", alias="schema")
    sample: str
    run: str
    labels: Labels
    policy: Policy
    seed: int
    asked: int
    missing: int
    missing_questions: int
    drawn: int
    no_text: int
    gold_left_out: int
    gold_stands: Literal["first"] = "first"
    stratified_by: Literal["intent", "fate"]
    strata: list[OracleStratum]
    limits: OracleLimits
