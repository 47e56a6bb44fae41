"""What each reference case about two runs asks of the package, in the shape its expected value has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from attribution.statistics.cancellation import cancellation, contribution_limits
from attribution.statistics.claim_power import likeness_chances
from attribution.statistics.composition import funnel_pass, kitagawa, shapley, three_fold
from attribution.statistics.decomposition import fine_forecast_error, forecast_error, observed_change
from attribution.statistics.falsifiers import recovered_as_found
from attribution.statistics.interval import critical_value
from attribution.statistics.paired_means import paired_mean, paired_tests
from attribution.statistics.proportions import wilson
from attribution.statistics.term_limits import error_limits
from attribution.statistics.terms import ChangeTerms, ErrorTerms, FineErrorTerms
from attribution.statistics.transitions import Cell, Transitions
from attribution.statistics.verdicts import four_way, holm

Inputs = Mapping[str, Any]

FIELD = {"retained": "retained", "recovered": "recovered", "lost": "lost", "still": "still_missing"}


def margins_only(given: Inputs) -> Transitions:
    """A table with these passes before and after; how they pair up does not enter what is compared."""

    def cell(counts: Mapping[str, int]) -> Cell:
        both = min(counts["before"], counts["after"])
        return Cell(
            both=both,
            before_only=counts["before"] - both,
            after_only=counts["after"] - both,
            neither=counts["n"] - max(counts["before"], counts["after"]),
        )

    return Transitions(**{FIELD[name]: cell(counts) for name, counts in given["cells"].items()})


def joint(given: Inputs) -> Transitions:
    counts = given["joint"]
    return Transitions(
        **{
            field: Cell(
                both=counts[f"{name}/1/1"],
                before_only=counts[f"{name}/1/0"],
                after_only=counts[f"{name}/0/1"],
                neither=counts[f"{name}/0/0"],
            )
            for name, field in FIELD.items()
        }
    )


def verdict(given: Inputs) -> dict[str, Any]:
    claim = recovered_as_found(
        wilson(given["x_rec"], given["m"]), wilson(given["x1"], given["n1"]), margin=given["margin"]
    )
    observed = claim.gap(0.9, 1.0)  # type: ignore[union-attr]
    reading = four_way(observed, given["margin"])
    return {
        "diff": observed.estimate,
        "interval90": list(observed.bounds),
        "verdict": reading.verdict,
        "resolved": reading.resolved,
    }


def chances(given: Inputs) -> dict[str, float]:
    return asdict(likeness_chances(given["m"], given["p_rec"], given["n1"], given["p1"], given["margin"]))


def change(given: Inputs) -> dict[str, float]:
    table = margins_only(given)
    terms = observed_change(table)
    assert isinstance(terms, ChangeTerms)
    n = table.whole.size
    return {
        "before": float(table.whole.passed_before / n),
        "after": float(table.whole.passed_after / n),
        "change": float(terms.total),
        **{name: float(getattr(terms, field)) for name, field in FIELD.items()},
    }


def error(given: Inputs) -> dict[str, float]:
    table = margins_only(given)
    terms = forecast_error(table, Fraction(str(given["r_forecast"])))
    assert isinstance(terms, ErrorTerms)
    observed = table.whole.passed_after / table.whole.size
    return {
        "forecast": float(observed - terms.total),
        "observed": float(observed),
        "error": float(terms.total),
        "recall": float(terms.recall),
        **{name: float(getattr(terms, field)) for name, field in FIELD.items()},
    }


def selection(given: Inputs) -> dict[str, float]:
    table = margins_only(given)
    fine = fine_forecast_error(table, table.recall_after or 0)
    assert isinstance(fine, FineErrorTerms)
    assert table.without_gold is not None
    recovered = table.recovered
    lead = (recovered.passed_before - recovered.size * table.without_gold) / table.whole.size
    assert fine.still_missing_selection == -lead
    return {
        "still_selection": float(fine.still_missing_selection),
        "minus_recovered_selection": float(-lead),
    }


def spread(given: Inputs) -> dict[str, float]:
    terms = error_limits(joint(given), given["r_forecast"])
    found = {}
    for name, field in {**FIELD, "recall": "recall", "total": "total"}.items():
        low, high = getattr(terms, field).bounds
        found[name] = (high - low) / (2 * critical_value(0.95))
    return found


def kinds(side: Mapping[str, float]) -> tuple[list[float], list[float]]:
    return [side["r"], 1 - side["r"]], [side["p1"], side["p0"]]


def two_fold(given: Inputs) -> dict[str, float]:
    split = kitagawa(*kinds(given["A"]), *kinds(given["B"]))
    gold, nogold = split.rate_by_kind
    return {"delta": split.total, "composition": split.composition, "rate_gold": gold, "rate_nogold": nogold}


def in_order(before: list[float], after: list[float], order: list[int]) -> list[float]:
    """Factors changed one after the other: parts that hang on the order, which is why the package does not."""
    now, parts = list(before), [0.0] * len(before)
    for at in order:
        earlier = funnel_pass(now)
        now[at] = after[at]
        parts[at] = funnel_pass(now) - earlier
    return parts


def two_orders(given: Inputs) -> list[list[float]]:
    before, after = given["A"], given["B"]
    forwards = list(range(len(before)))
    both = [in_order(before, after, order) for order in (forwards, forwards[::-1])]
    # The average over all orders lies between these two here, and is neither.
    for part, *ends in zip(shapley(funnel_pass, before, after), *both, strict=True):
        assert min(ends) < part < max(ends)
    return both


def stages(given: Inputs) -> dict[str, Any]:
    """A hundred questions with these failing shares; who moved where does not enter what is compared."""
    names = list(given["before"])
    before, after = ([round(100 * given[side][name]) for name in names] for side in ("before", "after"))
    size = len(names) + 1
    moves = [[0] * size for _ in range(size)]
    for at, (first, second) in enumerate(zip(before, after, strict=True), start=1):
        moves[at][at] = min(first, second)
        moves[at][0], moves[0][at] = first - moves[at][at], second - moves[at][at]
    moves[0][0] = 100 - sum(map(sum, moves))
    contributions = contribution_limits(moves)
    found = cancellation(contributions)
    return {
        "contrib": {name: part.estimate for name, part in zip(names, contributions, strict=True)},
        "net": found.net,
        "gross": found.gross,
        "index": found.index,
    }


def mean_difference(given: Inputs) -> dict[str, Any]:
    found = paired_mean(given["diffs"])
    return {"mean": found.estimate, "interval": list(found.bounds), "p": paired_tests(given["diffs"]).p_t}


COMPUTED: dict[str, Callable[[Inputs], Any]] = {
    **dict.fromkeys(("D09", "D10", "D11", "D12"), verdict),
    "D14": lambda g: list(holm(g["p"])),
    **dict.fromkeys(("D15", "D16", "D18", "D19"), chances),
    "E01": change,
    "E02": error,
    "E04": selection,
    "E06": spread,
    "F01": two_fold,
    "F02": lambda g: asdict(three_fold(*kinds(g["A"]), *kinds(g["B"]))),
    "F03": lambda g: list(shapley(funnel_pass, g["A"], g["B"])),
    "F05": two_orders,
    "F06": stages,
    "L10": mean_difference,
}
