"""Numbers as the reports write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import numbers

SHARES = st.floats(0.0, 1.0)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0%"), (1.0, "100%"), (0.5726, "57%"), (0.0095, "0.9%"), (0.995, "99.5%"), (0.0001, "<0.1%"),
     (0.99999, ">99.9%"), (0.01, "1%"), (0.99, "99%"), (-0.6, "−60%"), (-0.004, "−0.4%"), (-0.0004, ">−0.1%"),
     (-2.5, "−250%"), (-0.9999, "<−99.9%"), (-1.0, "−100%"), (-0.0, "0%"), (1.2, "120%"), (1.0001, ">100%"),
     (-1.0001, "<−100%")],
)  # fmt: skip
def test_percent(share: float, text: str) -> None:
    assert numbers.percent(share) == text


@given(SHARES)
def test_only_none_and_all_are_written_as_0_and_100(share: float) -> None:
    assert (numbers.percent(share) == "0%") == (share == 0.0)
    assert (numbers.percent(share) == "100%") == (share == 1.0)
    assert numbers.rate(share).startswith("1") == (share == 1.0)
    assert (numbers.rate(share) == ".00") == (share == 0.0)
    assert (numbers.rate(share, 3) == ".000") == (share == 0.0)


@given(st.floats(0.0, 3.0))
def test_a_loss_reads_as_the_gain_does_with_a_minus(share: float) -> None:
    gain, loss = numbers.percent(share), numbers.percent(-share)
    assert loss.translate(str.maketrans("<>", "><")).replace("−", "") == gain
    assert ("−" in loss) == (share > 0)
    assert "-" not in loss


@given(st.one_of(st.floats(0.99501, 1.0), st.floats(0.0, 0.00499)))
def test_a_rate_near_the_ends_has_the_digits_of_its_percentage(share: float) -> None:
    if 0.0 < share < 1.0:
        sign = numbers.percent(share).strip("<>.0123456789")
        side, tenths = (text := numbers.percent(share))[: text[0] in "<>"], text.strip("<>%").replace(".", "")
        assert sign == "%"
        assert numbers.rate(share) == f"{side}.{tenths.zfill(3)}"


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (0.7075, 2, ".71"),
        (0.818, 3, ".818"),
        (1.0, 2, "1.00"),
        (0.0, 2, ".00"),
        (0.9968, 2, ".997"),
        (0.58, 2, ".58"),
        (0.9976, 2, ".998"),
        (0.9951, 2, ".995"),
        (0.99996, 2, ">.999"),
        (0.99996, 3, ">.999"),
        (0.003, 2, ".003"),
        (0.0004, 2, "<.001"),
        (0.0004, 3, "<.001"),
    ],
)
def test_rate(share: float, digits: int, text: str) -> None:
    assert numbers.rate(share, digits) == text


def test_ranges_have_an_en_dash() -> None:
    assert numbers.percent_range(0.482, 0.6587) == "48–66"
    assert numbers.percent_range(-0.12, 0.05) == "−12 to 5"
    assert numbers.percent_range(-0.9, -0.3) == "−90 to −30"
    assert numbers.rate_range(0.7755, 0.8505) == ".78–.85"


@pytest.mark.parametrize(("gain", "text"), [(0.10945, "+10.9"), (-0.004, "−0.4"), (0.0, "0.0"), (-0.0001, "0.0")])
def test_points(gain: float, text: str) -> None:
    assert numbers.points(gain) == text


def test_counts_and_nouns() -> None:
    assert numbers.count(3410) == "3,410"
    assert numbers.plural(1, "question") == "1 question"
    assert numbers.plural(3410, "question") == "3,410 questions"
    assert numbers.plural(2, "query") == "2 queries"


def test_dates_do_not_depend_on_the_machine() -> None:
    assert numbers.date(datetime(2026, 9, 26, 23, 59, tzinfo=UTC)) == "26 September 2026"


@pytest.mark.parametrize(
    ("top", "ticks"),
    [(0.66, [0, 0.25, 0.5, 0.75]), (0.55, [0, 0.2, 0.4, 0.6]), (0.8, [0, 0.5, 1.0]), (1.0, [0, 0.5, 1.0]),
     (0.03, [0, 0.01, 0.02, 0.03]), (0.0, [0, 0.01])],
)  # fmt: skip
def test_axis(top: float, ticks: list[float]) -> None:
    assert numbers.axis(top) == pytest.approx(ticks)


@given(SHARES)
def test_an_axis_holds_what_it_is_for(top: float) -> None:
    ticks = numbers.axis(top)
    assert 2 <= len(ticks) <= 4
    assert top - 1e-9 <= ticks[-1] <= 1.0


def test_places_stay_on_the_chart() -> None:
    assert [numbers.place(x) for x in (-0.1, 0.0, 1 / 3, 0.5, 1.2)] == ["0%", "0%", "33.33%", "50%", "100%"]
