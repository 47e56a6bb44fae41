"""The gate: what it accepts the models accept, and what it refuses is refused for a reason."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.traces.made import trace
from traces import gate, models
from traces.errors import RecordError
from traces.gate import Gate
from traces.records import dropping, keeping_tags, trace_gate

TEXTS = st.text(max_size=6) | st.sampled_from(["", "\x00", "x\x00", "a" * 1024, "a" * 1025, "😀" * 1024, "c12"])
NUMBERS = (
    st.integers(-3, 70_000)
    | st.sampled_from([2**31 - 1, 2**31, 2**63, 2**64, 10**30, -(10**30)])
    | st.floats()
    | st.sampled_from([1.0, 65_535, 65_536, 1.7976931348623157e308, 5e-324])
)
TIMES = st.sampled_from(
    [
        "2026-09-26T02:14:00Z",
        "2026-09-26T02:14:00",
        "2026-09-26 02:14:00.1234567+02:00",
        "2026-09-26",
        "2026-09-26t02:14:00z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "2026-09-26T23:59:60Z",
        "2026-09-26T24:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-09-26T02:14:00+23:59",
        "2026-09-26T02:14:00+24:00",
        "2026-09-26T02:14Z",
        "1790000000",
        "yesterday",
    ]
)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS | TIMES
ANYTHING = st.recursive(
    SCALARS,
    lambda held: st.lists(held, max_size=3) | st.dictionaries(TEXTS, held, max_size=3),
    max_leaves=6,
)


def _record(model: type[models.Record], **likely: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return records that mostly fit a model: every field now and then absent, wrong, or unknown."""
    required = {name for name, field in model.model_fields.items() if field.is_required()}
    fields = {name: likely.get(name, SCALARS) | ANYTHING for name in model.model_fields}
    unlikely = st.dictionaries(st.sampled_from([*fields, "latency_ms"]), ANYTHING, max_size=1)
    fitting = st.fixed_dictionaries(
        {name: likely.get(name, SCALARS) for name in required},
        optional={name: fields[name] for name in fields if name not in required},
    )
    return st.builds(lambda record, change: record | change, fitting, unlikely)


COUNTS = st.integers(0, 9) | st.none()
IDS = st.sampled_from(["d1", "d2", 7, "d\x00", ""]) | st.integers() | TEXTS
ITEMS = _record(
    models.Item,
    doc_id=IDS,
    score=NUMBERS,
    rank=st.integers(0, 65_536),
    tokens=COUNTS,
    kept_tokens=COUNTS,
    chars=COUNTS,
    kept_chars=COUNTS,
    metadata=st.dictionaries(TEXTS, SCALARS, max_size=2),
    text=TEXTS,
    title=TEXTS,
)
LISTS = st.lists(IDS | ITEMS, max_size=4)
GOLD = IDS | _record(models.GoldItem, doc_id=IDS, grade=NUMBERS, group=IDS, text=TEXTS)
TRACES = _record(
    models.Trace,
    query_id=IDS,
    stages=st.dictionaries(TEXTS, LISTS, max_size=3)
    | st.lists(_record(models.StageList, stage=IDS, items=LISTS, search=COUNTS), max_size=3),
    repeat=COUNTS,
    asked_at=TIMES,
    tags=st.dictionaries(TEXTS, ANYTHING, max_size=2),
    gold=st.lists(GOLD, max_size=3) | st.lists(st.lists(GOLD, max_size=2), max_size=3),
)
KINDS: dict[str, tuple[type[models.Record], Any, st.SearchStrategy[dict[str, Any]]]] = {
    "trace": (models.Trace, trace_gate, TRACES),
    "judgment": (
        models.Judgment,
        lambda: Gate((gate.Judgment,), models.Judgment, dropping(models.Judgment)),
        _record(models.Judgment, query_id=IDS, doc_id=IDS, grade=NUMBERS, at=TIMES),
    ),
    "outcome": (
        models.Outcome,
        lambda: Gate((gate.Outcome,), models.Outcome, dropping(models.Outcome)),
        _record(models.Outcome, query_id=IDS, repeat=COUNTS, score=NUMBERS),
    ),
    "oracle answer": (
        models.OracleAnswer,
        lambda: Gate((gate.OracleAnswer,), models.OracleAnswer, dropping(models.OracleAnswer)),
        _record(models.OracleAnswer, query_id=IDS, repeat=COUNTS, score=NUMBERS),
    ),
    "question": (
        models.Question,
        lambda: Gate((gate.Question,), models.Question, keeping_tags(models.Question)),
        _record(models.Question, query_id=IDS, weight=NUMBERS),
    ),
    "document": (
        models.Document,
        lambda: Gate((gate.Document,), models.Document, dropping(models.Document)),
        _record(models.Document, doc_id=IDS, aliases=st.lists(IDS, max_size=3)),
    ),
}


def _decoded(data: bytes, shape: type[Any]) -> bool:
    """Tell whether the bare decoder accepts a line, with nothing set aside and no model asked."""
    try:
        msgspec.json.decode(data, type=shape)
    except (msgspec.DecodeError, RecursionError):
        return False
    return b"\\u0000" not in data


SHAPES = {
    "trace": (gate.NarrowTrace, gate.Trace),
    "judgment": (gate.Judgment,),
    "outcome": (gate.Outcome,),
    "oracle answer": (gate.OracleAnswer,),
    "question": (gate.Question,),
    "document": (gate.Document,),
}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_what_the_fast_path_accepts_the_model_accepts(kind: str, data: st.DataObject) -> None:
    model, _, records = KINDS[kind]
    record = data.draw(records)
    line = json.dumps(record, ensure_ascii=False).encode(errors="replace")
    for shape in SHAPES[kind]:
        if _decoded(line, shape):
            model.model_validate_json(line)
            model.model_validate(json.loads(line))


EDGES: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 0.5, -0.0, 65_535, 65_536, 2**31 - 1, 2**31, 2**63, 2**64, 10**30,
    "", "d1", "a" * 1024, "a" * 1025, "😀" * 1024, "true", "1", [], ["d1"], [""], [[]], [["d1"], "d2"], {}, {"": 1},
    "2026-09-26", "2026-09-26T02:14:00Z", "2026-09-26T23:59:60Z", "2026-09-26T24:00:00Z", "0000-01-01T00:00:00Z",
    "2026-09-26T02:14:00+24:00", "2026-09-26t02:14:00z", "2026-09-26T02:14:00.123456789Z",
]  # fmt: skip


def _one_field_off() -> list[tuple[str, dict[str, Any]]]:
    """Return good records with one field replaced by one odd value, for every field and every value."""
    found: list[tuple[str, dict[str, Any]]] = []
    for odd in EDGES:
        for kind, key in (
            ("judgment", "query_id"),
            ("outcome", "query_id"),
            ("question", "query_id"),
            ("document", "doc_id"),
        ):
            base = {key: "x"} | ({"doc_id": "d1"} if kind == "judgment" else {})
            found += [(kind, base | {field: odd}) for field in KINDS[kind][0].model_fields]
        found += [("trace", trace() | {field: odd}) for field in models.Trace.model_fields]
        for field in models.Item.model_fields:
            item = {"doc_id": "d1", "tokens": 1, "chars": 1} | {field: odd}
            found.append(("trace", trace(stages={"packed": [item]})))
            found.append(("trace", trace(stages=[{"stage": "packed", "items": [item]}])))
        for field in models.StageList.model_fields:
            found.append(("trace", trace(stages=[{"stage": "packed", "items": ["d1"]} | {field: odd}])))
        for field in models.GoldItem.model_fields:
            found.append(("trace", trace(gold=[{"doc_id": "d1"} | {field: odd}])))
            found.append(("trace", trace(gold=[[{"doc_id": "d1"} | {field: odd}], []])))
    return found


def test_for_every_field_and_every_odd_value_the_fast_path_is_as_strict_as_the_model() -> None:
    accepted = 0
    for kind, record in _one_field_off():
        line = json.dumps(record, ensure_ascii=False).encode()
        for shape in SHAPES[kind]:
            if _decoded(line, shape):
                accepted += 1
                KINDS[kind][0].model_validate_json(line)
                KINDS[kind][0].model_validate(json.loads(line))
    assert accepted > 300


@given(record=TRACES)
@example(record=trace())
@example(record=trace(gold=[["d1"], [{"doc_id": "d2", "group": 4}]]))
@example(record=trace(latency_ms=3, stages={"packed": [{"doc_id": 1, "vector": [0.5]}]}))
def test_a_trace_is_read_or_refused_in_words_and_reading_is_stable(record: dict[str, Any]) -> None:
    line = json.dumps(record, ensure_ascii=False).encode(errors="replace")
    read, refused = _read(line)
    if refused is not None:
        assert refused.reason
        assert "\n" not in refused.line()
        assert "function-" not in refused.line()
        assert _read(json.loads(line))[0] is None
        return
    models.Trace.model_validate(_as_given(read))
    assert _as_given(trace_gate().read(json.loads(line))) == _as_given(read)


def _read(value: bytes | dict[str, Any]) -> tuple[Any, RecordError | None]:
    try:
        return trace_gate().read(value), None
    except RecordError as error:
        return None, error


def _as_given(read: Any) -> Any:
    return {name: value for name, value in msgspec.to_builtins(read, builtin_types=()).items() if value is not None}


def _refusal(value: bytes | dict[str, Any]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        trace_gate().read(value if isinstance(value, bytes) else json.dumps(value).encode())
    return caught.value


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"query_id": ""}, "query_id", "is empty"),
        ({"query_id": "q\x00"}, "query_id", "an id cannot contain a NUL character"),
        ({"query_id": "q" * 1025}, "query_id", "is longer than 1,024 characters"),
        ({"query_id": 1.5}, "query_id", "should be text, is a fraction (1.5)"),
        ({"query_id": True}, "query_id", "should be text, is true or false (true)"),
        ({"query_id": None}, "query_id", "should be text, is null"),
        ({"stages": "d1"}, "stages", 'should be an object or a list, is text ("d1")'),
        ({"stages": {"packed": "d1"}}, "stages.packed", 'should be a list, is text ("d1")'),
        ({"stages": {"packed": [["d1"]]}}, "stages.packed[0]", "should be an object or text, is a list"),
        ({"stages": {"packed": ["d1", {"score": 1}]}}, "stages.packed[1].doc_id", "is required"),
        (
            {"stages": {"packed": [{"doc_id": "d1", "score": "9"}]}},
            "stages.packed[0].score",
            'should be a number, is text ("9")',
        ),
        ({"stages": {"packed": [{"doc_id": "d1", "rank": 0}]}}, "stages.packed[0].rank", "is below 1"),
        ({"stages": {"packed": [{"doc_id": "d1", "rank": 65536}]}}, "stages.packed[0].rank", "is above 65,535"),
        ({"stages": {"packed": [{"doc_id": "d1", "tokens": 3, "kept_tokens": 4}]}}, "stages.packed[0]", "keeps 4 of 3"),
        ({"stages": [{"stage": "packed"}]}, "stages[0].items", "is required"),
        ({"stages": {"": ["d1"]}}, 'stages.""', "is empty"),
        ({"passed": "yes"}, "passed", 'should be true or false or a number, is text ("yes")'),
        ({"gold": "d1"}, "gold", 'should be a list, is text ("d1")'),
        ({"gold": [{"grade": 2}]}, "gold[0]", "needs a doc_id, or the text of a document whose id is not known"),
        ({"asked_at": "noon"}, "asked_at", 'should be a date and time (ISO 8601), is text ("noon")'),
        ({"repeat": -1}, "repeat", "is below 0"),
        ({"repeat": 1.5}, "repeat", "should be a whole number, is a fraction (1.5)"),
        ({"tags": ["en"]}, "tags", "should be an object, is a list"),
    ],
)
def test_a_refusal_names_the_field_and_the_reason(fields: dict[str, Any], field: str, reason: str) -> None:
    error = _refusal(trace() | fields)
    assert (error.field, error.reason) == (field, reason)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"once upon a time", "not JSON: invalid character (byte 0)"),
        (b'{"query_id": "q1", "stages": {"packed": ["d1"', "not JSON: the line ends in the middle of a value"),
        (
            b'{"query_id": "q1", "stages": {"packed": [{"doc_id": "d1", "score": NaN}]}}',
            "not JSON: invalid character (byte 67)",
        ),
        (
            b'{"query_id": "q1", "stages": {"packed": [{"doc_id": "d1", "score": -Infinity}]}}',
            "not JSON: invalid character (byte 68)",
        ),
        (
            b'{"query_id": "q1", "stages": {"packed": [{"doc_id": "d1", "score": 1e400}]}}',
            "a number is too large to hold",
        ),
        (b'{"query_id": "q\\ud800", "stages": {}}', "not JSON: half of a surrogate pair, so not a character"),
        (b'{"query_id": "q\xff", "stages": {}}', "not UTF-8 text"),
        (b'{"query_id": "q\x00", "stages": {}}', "not JSON: invalid character (byte 15)"),
        (b"[1, 2]", "should be an object, is a list"),
        (b"[" * 100_000, "nested too deeply to read"),
        (b'{"query_id": "q1"} {"query_id": "q2"}', "not JSON: trailing characters (byte 20)"),
    ],
)
def test_a_line_that_is_no_record_is_refused_with_the_reason(line: bytes, reason: str) -> None:
    assert _refusal(line).reason == reason


def test_integers_become_ids_even_beyond_64_bits() -> None:
    read = trace_gate().read(json.dumps(trace(10**30, stages={"packed": [7, {"doc_id": 10**25}]})).encode())
    assert isinstance(read.stages, dict)
    assert str(read.query_id) == str(10**30)
    assert [str(getattr(item, "doc_id", item)) for item in read.stages["packed"]] == ["7", str(10**25)]


def test_an_integer_too_long_for_an_id_is_refused() -> None:
    assert _refusal(trace(10**1030)).field == "query_id"


def test_of_a_key_given_twice_the_last_wins() -> None:
    assert trace_gate().read(b'{"query_id": "a", "query_id": "b", "stages": {}}').query_id == "b"


def test_nul_in_free_text_is_kept() -> None:
    assert trace_gate().read(json.dumps(trace(answer="a\x00b")).encode()).answer == "a\x00b"


def test_a_date_without_a_time_is_accepted_by_the_model() -> None:
    read = trace_gate().read(json.dumps(trace(asked_at="2026-09-26")).encode())
    assert read.asked_at is not None
    assert read.asked_at.isoformat() == "2026-09-26T00:00:00"


def test_numbers_no_json_text_can_spell_are_refused_from_tables_too() -> None:
    for score in (float("nan"), float("inf")):
        with pytest.raises(RecordError) as caught:
            trace_gate().read(trace(stages={"packed": [{"doc_id": "d1", "score": score}]}))
        assert (caught.value.field, caught.value.reason) == ("stages.packed[0].score", "is not a finite number")


def test_unknown_fields_go_to_tags_and_metadata_and_are_counted_once_a_record() -> None:
    reader = trace_gate()
    raw = trace(
        latency_ms=12,
        lang="de",
        tags={"lang": "en"},
        stages=[
            {
                "stage": "packed",
                "top_k": 5,
                "items": [{"doc_id": "d1", "vector": 3, "metadata": {"page": 2}}, {"doc_id": "d2", "vector": 4}],
            }
        ],
        gold=[{"doc_id": "d1", "why": "it says so"}],
    )
    read = reader.read(json.dumps(raw).encode())
    assert read.tags == {"latency_ms": 12, "lang": "en", "packed.top_k": 5}
    assert not isinstance(read.stages, dict)
    assert [item.metadata for item in read.stages[0].items] == [{"vector": 3, "page": 2}, {"vector": 4}]  # type: ignore[index,union-attr]
    assert reader.unknown == {"latency_ms": 1, "lang": 1, "stages[].top_k": 1, "item.vector": 1, "gold[].why": 1}


def test_records_without_unknown_fields_are_read_as_before_once_some_have_been_met() -> None:
    reader = trace_gate()
    reader.read(json.dumps(trace(latency_ms=1)).encode())
    assert reader.read(json.dumps(trace("q2")).encode()).query_id == "q2"
    with pytest.raises(RecordError):
        reader.read(b'{"query_id": "q3", "stages": "d1"}')
    assert reader.unknown == {"latency_ms": 1}


def test_a_run_header_after_the_first_line_says_so() -> None:
    assert _refusal({"run": {"run_id": "x"}}).slug == "late-header"
