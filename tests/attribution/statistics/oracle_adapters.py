"""What each reference case asks of the package, in the shape its expected value has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from attribution.statistics.allocation import (
    allocate,
    largest_unseen_share,
    miss_probability,
    miss_probability_finite,
)
from attribution.statistics.bounds import bounds
from attribution.statistics.design import (
    paired_detectable,
    paired_size,
    standard_error,
    unpaired_detectable,
    unpaired_size,
)
from attribution.statistics.differences import mcnemar, newcombe_paired, paired_correlation
from attribution.statistics.gain import gain
from attribution.statistics.interval import Interval, Point, Undefined
from attribution.statistics.passes import passes_among_recovered
from attribution.statistics.power import mcnemar_power, smallest_confirmable_slice, unconfirmable_margin
from attribution.statistics.projection import project, project_range
from attribution.statistics.proportions import (
    jeffreys,
    leader_test,
    newcombe,
    wilson,
    wilson_effective,
)
from attribution.statistics.removable import located_share, removable_share
from attribution.statistics.rerun import next_run_same_questions
from attribution.statistics.sensitivity import tipping_discount, tipping_recovered_pass
from attribution.statistics.standardised import IntentCounts, standardised
from attribution.statistics.survey import kish_size, linearised_variance, rate, weighted_share
from attribution.statistics.targets import required_recall
from tests.attribution.statistics.survey_rows import strata_rows

Inputs = Mapping[str, Any]


def limits(interval: Interval) -> list[float]:
    return list(interval.bounds)


def cells(given: Inputs) -> tuple[Interval, Interval]:
    return wilson(given["x1"], given["n1"]), wilson(given["x0"], given["n0"])


def known_rate(value: float | str) -> Interval:
    """A rate given as a figure or a fraction; its precision does not enter what is compared."""
    return wilson_effective(float(Fraction(value)), 1000.0, n=1000)


def recall_of(given: Inputs) -> Interval:
    return wilson(given["n1"], given["n1"] + given["n0"])


def identity(given: Inputs) -> dict[str, float | None]:
    with_gold, without_gold = (
        wilson(given["gold_pass"], given["gold"]),
        wilson(given["nogold_pass"], given["nogold"]),
    )
    recall = wilson(given["gold"], given["n"])
    assert recall.estimate is not None
    overall = project(recall.estimate, with_gold, without_gold).estimate
    return {"r": recall.estimate, "p1": with_gold.estimate, "p0": without_gold.estimate, "overall": overall}


def two_shares(given: Inputs) -> dict[str, float | None]:
    with_gold, without_gold = cells(given)
    found = given["fail"] - given["fail_without_gold"]
    return {
        "located": located_share([given["fail_without_gold"], found])[0].estimate,
        "removable": removable_share([recall_of(given)], with_gold, without_gold).jointly.share_of_failures.estimate,
    }


def required(given: Inputs) -> dict[str, Any] | str:
    need = required_recall(given["target"], *cells(given))
    if need.estimate is None:
        assert need.reason is Undefined.equal_rates
        return "undefined"
    return {
        "point": need.estimate,
        "interval": [need.lower, need.upper],
        "upper_open": need.upper_open,
        "attainable": need.attainable,
    }


def tipping_pass(given: Inputs) -> float | None:
    return tipping_recovered_pass(
        given["gain_min"], given["r_new"], known_rate(given["r"]), known_rate(given["p0"])
    ).estimate


def tipping_kappa(given: Inputs) -> float | None:
    rates = [known_rate(given[name]) for name in ("r", "p1", "p0")]
    return tipping_discount(given["gain_min"], given["r_new"], *rates).estimate


def manski(given: Inputs) -> list[float | None]:
    # The overall rate fixes the rate with gold, which the case does not list.
    r, p0, overall = (Fraction(given[name]) for name in ("r", "p0", "overall"))
    with_gold = known_rate(float((overall - (1 - r) * p0) / r))
    wide = bounds(given["r_new"], known_rate(given["r"]), with_gold, known_rate(given["p0"]))
    return [wide.lower, wide.upper]


def span(given: Inputs) -> dict[str, list[float | None]]:
    low, high = given["r_range"]
    result = project_range(low, high, *cells(given))
    return {
        "point_range": [result.at_low.estimate, result.at_high.estimate],
        "hull": [result.lower, result.upper],
    }


def recovered_passes(given: Inputs) -> dict[str, float]:
    passes = passes_among_recovered(given["m"], wilson(given["x1"], given["n1"]))
    return {"mean": passes.mean, "sd": passes.sd, "q025": passes.lower, "q975": passes.upper}


def same_questions(given: Inputs) -> dict[str, Any]:
    target = (given["n1"] + given["m"]) / given["n"]
    run = next_run_same_questions(target, recall_of(given), *cells(given), churn=given["churn"])
    low, high = run.bounds
    return {"centre": run.estimate, "sd": (high - low) / (2 * 1.959963984540054), "interval": [low, high]}


def empty_cell(given: Inputs) -> dict[str, Any]:
    result = project(given["r_new"], *cells(given))
    assert result.reason is Undefined.no_cases
    return {"point": result.estimate, "interval": limits(result)}


def paired(given: Inputs) -> dict[str, Any]:
    table = [given[name] for name in "abcd"]
    result = newcombe_paired(*table)
    return {"diff": result.estimate, "interval": limits(result), "phi": paired_correlation(*table)}


def stage_shares(given: Inputs) -> dict[str, Any]:
    shares = located_share(given["counts"])
    return {"shares": [share.estimate for share in shares], "wilson": [limits(share) for share in shares]}


def stratified(given: Inputs) -> dict[str, Any]:
    arrays = strata_rows(given["W"], given["n"], given["x"])
    weighted = rate(**arrays.keywords)
    plain = rate(arrays.profiles.successes, arrays.profiles.cases, multiplicity=arrays.profiles.multiplicity)
    assert weighted.estimate == weighted_share(arrays.profiles)
    return {
        "estimate": weighted.estimate,
        "variance": linearised_variance(arrays.profiles),
        "n_eff": weighted.n_effective,
        "interval": limits(weighted),
        "unweighted": plain.estimate,
    }


def by_intent(given: Inputs) -> dict[str, float | None]:
    names = ("W", "n", "gold", "gold_pass", "nogold_pass")
    intents = [
        IntentCounts(weight=w, n=n, gold=g, gold_pass=gp, nogold_pass=np)
        for w, n, g, gp, np in zip(*(given[name] for name in names), strict=True)
    ]
    recall = sum(each.weight * each.gold / each.n for each in intents)
    result = standardised(recall + given["recover_share_of_missing"] * (1 - recall), intents)
    return {
        "pooled": result.pooled,
        "standardised": result.projection.estimate,
        "composition_gap": result.composition_gap,
    }


def detectable(point: Point) -> float | str | None:
    return "exceeds discordance" if point.reason is Undefined.undetectable else point.estimate


def both_powers(given: Inputs) -> dict[str, float]:
    design = (given["n"], given["discordance"], given["diff"])
    return {"exact": mcnemar_power(*design, test="exact"), "midp": mcnemar_power(*design, test="midp")}


def every(ids: str, compute: Callable[[Inputs], Any]) -> dict[str, Callable[[Inputs], Any]]:
    return dict.fromkeys(ids.split(), compute)


COMPUTED: dict[str, Callable[[Inputs], Any]] = {
    "A01": identity,
    "A02": lambda g: project(g["r"], known_rate(g["p1"]), known_rate(g["p0"])).estimate,
    "A03": lambda g: project(g["r_new"], known_rate(g["p1"]), known_rate(g["p0"])).estimate,
    "A04": lambda g: (
        project(g["r_new"], wilson(g["gold_pass"], g["gold"]), wilson(g["nogold_pass"], g["nogold"])).estimate
    ),
    "A05": lambda g: gain(g["r_new"], *(known_rate(g[name]) for name in ("r", "p1", "p0"))).estimate,
    "A06": lambda g: project(1.0, known_rate(g["p1"]), wilson(0, 0)).estimate,
    "A07": two_shares,
    "A08": lambda g: limits(project(g["r_new"], *cells(g), level=g["level"])),
    "A12": lambda g: limits(gain(g["r_new"], recall_of(g), *cells(g))),
    **every("A13 A15 A16", required),
    "A17": tipping_pass,
    "A18": tipping_kappa,
    "A20": manski,
    "A21": span,
    "A23": recovered_passes,
    "A24": same_questions,
    "A26": empty_cell,
    **every("B01 B02 B03 B05 B06 B07 B08", lambda g: limits(wilson(g["x"], g["n"]))),
    "B10": lambda g: limits(jeffreys(g["x"], g["n"])),
    "B11": lambda g: largest_unseen_share(g["n"]),
    "B12": lambda g: miss_probability(1 - g["p"], g["n"]),
    "B13": lambda g: miss_probability_finite(g["N"], g["minority"], g["draws"]),
    **every("B14 B15 B16", lambda g: standard_error(g["p"], g["n"])),
    "C09": lambda g: mcnemar(g["b"], g["c"]).exact,
    **every("C10 C12", lambda g: mcnemar(g["b"], g["c"]).midp),
    "D01": lambda g: limits(newcombe(g["x1"], g["n1"], g["x2"], g["n2"])),
    **every("D02 D04", paired),
    "G01": stage_shares,
    "G04": lambda g: leader_test(g["a"], g["b"]),
    "G05": lambda g: limits(wilson(g["count"], g["n"])),
    "H01": stratified,
    "H02": lambda g: kish_size([w / n for w, n in zip(g["W"], g["n"], strict=True)], g["n"]),
    "H03": lambda g: list(allocate(g["volumes"], g["n"], floor=g["floor"])),
    "H05": by_intent,
    "K01": lambda g: unpaired_size(g["p0"], g["diff"], level=1 - g["alpha"], power=g["power"]),
    "K02": lambda g: unpaired_detectable(g["n"], g["p"], power=g["power"]).estimate,
    **every("K03 K04 K05", lambda g: paired_size(g["discordance"], g["diff"], level=1 - g["alpha"])),
    **every("K06 K08 K09", lambda g: detectable(paired_detectable(g["n"], g["discordance"]))),
    **every("K10 K11", both_powers),
    "K12": lambda g: smallest_confirmable_slice(g["n1"], g["p1"], g["margin"]),
    "K14": lambda g: unconfirmable_margin(g["n1"], g["p1"]),
}
