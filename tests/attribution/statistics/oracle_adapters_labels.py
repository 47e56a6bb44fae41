"""What each reference case about labels, judges and unjudged documents asks of the package."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from attribution.statistics.audit import audited_rates
from attribution.statistics.audit_cells import AuditCell, Estimand, Label, Truth
from attribution.statistics.confusion import Confusion
from attribution.statistics.gains import Gain, discounted_gain, ndcg_bounds
from attribution.statistics.interval import Interval, Undefined
from attribution.statistics.judge_quality import judge_quality
from attribution.statistics.paired_means import paired_mean
from attribution.statistics.prediction_powered import prediction_powered
from attribution.statistics.projection import project
from attribution.statistics.proportions import wilson, wilson_effective
from attribution.statistics.rogan_gladen import apparent_rate, rogan_gladen, true_rate
from attribution.statistics.two_phase import Stratum, two_phase, variance_parts
from attribution.statistics.unjudged import Judged, inferred_ap, recall_bounds

Inputs = Mapping[str, Any]

EITHER = frozenset({Truth.reached, Truth.missed})
JUDGED = {"R": Judged.relevant, "U": Judged.unsampled, "N": Judged.irrelevant, "-": Judged.outside}


def limits(interval: Interval) -> list[float]:
    return list(interval.bounds)


def quality(given: Inputs) -> Any:
    right, missed, false, correct = given["confusion"]
    return judge_quality([[right, missed], [false, correct]], ["majority", "minority"])


def agreement(given: Inputs) -> dict[str, Any]:
    found = quality(given)
    lower, upper = found.kappa.bounds
    return {
        "accuracy": found.accuracy.estimate,
        "prevalence_class1": found.classes[0].prevalence.estimate,
        "kappa": found.kappa.estimate,
        "kappa_se": (upper - lower) / (2 * 1.959963984540054),
        "kappa_ci": [lower, upper],
    }


def mover_product(first: Interval, second: Interval) -> list[float]:
    """Square-and-add of two independent rates multiplied: the method that the posterior was preferred to."""
    assert first.estimate is not None
    assert second.estimate is not None
    (low1, high1), (low2, high2) = first.bounds, second.bounds
    a, b = first.estimate, second.estimate
    return [a * b - math.hypot(b * (a - low1), a * (b - low2)), a * b + math.hypot(b * (high1 - a), a * (high2 - b))]


def audited(given: Inputs) -> dict[str, Any]:
    n, hits, checked, demoted = (given[name] for name in ("n", "label_hit", "audited_hit", "demoted"))
    strata = (
        Stratum(cases=hits, checked=checked, true=checked - demoted),
        Stratum(
            cases=n - hits,
            checked=given["audited_miss"],
            true=given["promoted"],
            certain=None if given["promotion_possible"] else False,
        ),
    )
    found = two_phase(*strata)
    return {
        "point": found.estimate,
        "se_two_phase": variance_parts(strata).standard_error,
        "bayes": limits(found),
        "mover_wilson": mover_product(wilson(hits, n), wilson(checked - demoted, checked)),
    }


def textbook(given: Inputs) -> float | None:
    """The rates as counts of a thousand questions and a hundred audits."""
    kept = round(100 * (1 - given["rate"]))
    hits = round(1000 * given["r"])
    return two_phase(Stratum(cases=hits, checked=100, true=kept), Stratum(cases=1000 - hits, certain=False)).estimate


def broken_identity(given: Inputs) -> dict[str, float]:
    """What comes of correcting recall and leaving the pass rates: the package never pairs them so."""
    rates = [wilson_effective(given[name], 1000.0, n=1000) for name in ("p1", "p0")]
    wrong, observed = (project(recall, *rates).estimate for recall in (given["r"], 0.58))
    assert wrong is not None
    assert observed is not None
    return {"wrong": wrong, "observed": observed, "gap": observed - wrong}


def any_gold(given: Inputs) -> dict[str, Any]:
    hit, labelled, n = given["hit"], given["labelled_gold"], given["n"]
    found, audits = given["gold_found"], given["audited_no_gold"]
    cells = [
        AuditCell(label=Label.hit, passed=True, questions=hit, possible=frozenset({Truth.reached})),
        AuditCell(label=Label.miss, passed=False, questions=labelled - hit, possible=frozenset({Truth.missed})),
        AuditCell(
            label=Label.no_gold,
            passed=False,
            questions=n - labelled,
            possible=frozenset({Truth.missed, Truth.unanswerable}),
            missed=found,
            unanswerable=audits - found,
        ),
    ]
    corrected = audited_rates(cells, estimand=Estimand.any_gold).recall.estimate
    return {"label_recall": wilson(hit, labelled).estimate, "corrected": corrected}


def confusion(given: Inputs) -> Confusion:
    return Confusion(true_pass=given["tp"], false_fail=given["fn"], false_pass=given["fp"], true_fail=given["tn"])


def corrected_rate(given: Inputs) -> dict[str, float | None]:
    found = rogan_gladen(given["judge_pass"], given["n"], confusion(given))
    return {
        "se_sens": found.sensitivity,
        "spec": found.specificity,
        "point": found.rate.estimate,
        "se": found.standard_error,
    }


def known_errors(given: Inputs) -> float | str | dict[str, float | None] | None:
    found = true_rate(given["q"], given["sens"], given["spec"])
    if found.reason is Undefined.judge_uninformative:
        return "undefined"
    return {"raw": found.raw, "clipped": found.estimate} if found.reason is Undefined.clipped else found.estimate


def judged_strata(given: Inputs) -> tuple[Stratum, Stratum]:
    return (
        Stratum(cases=given["judge_pass"], checked=given["tp"] + given["fp"], true=given["tp"]),
        Stratum(cases=given["n"] - given["judge_pass"], checked=given["fn"] + given["tn"], true=given["fn"]),
    )


def subset(given: Inputs) -> dict[str, float | None]:
    strata = judged_strata(given)
    return {"point": two_phase(*strata).estimate, "se": variance_parts(strata).standard_error}


def cross_check(given: Inputs) -> dict[str, Any]:
    tp, fn, fp, tn = given["labelled"]
    found = prediction_powered(
        Confusion(true_pass=tp, false_fail=fn, false_pass=fp, true_fail=tn),
        given["unlabelled_pass"],
        given["unlabelled_n"],
        weight=1.0,
    )
    return {"point": found.estimate, "interval": limits(found)}


def attenuated(given: Inputs) -> dict[str, float]:
    pairs = [value if isinstance(value, list) else [value] * 2 for value in (given["sens"], given["spec"])]
    judged = [
        apparent_rate(given[name], sensitivity, specificity)
        for name, sensitivity, specificity in zip(("p1", "p0"), *pairs, strict=True)
    ]
    return {
        "judge_p1": judged[0],
        "judge_p0": judged[1],
        "judge_slope": judged[0] - judged[1],
        "true_slope": given["p1"] - given["p0"],
    }


def linear(given: Inputs) -> dict[str, float | None]:
    # The two rankings hold the same documents, so either has the ideal of both.
    found = discounted_gain(given["grades"])
    return {"dcg": found.dcg, "idcg": found.ideal, "ndcg": found.ndcg}


def recall_range(given: Inputs) -> dict[str, float | None]:
    found = recall_bounds(*(given[name] for name in ("hit", "labelled", "unjudged_in_topk", "unjudged_elsewhere")))
    return {"lower": found.lower, "upper": found.upper, "judged_only": found.judged}


def not_monotone(given: Inputs) -> dict[str, float | None]:
    assert given["other_relevant"] == 0
    found = ndcg_bounds(given["list"], k=given["k"])
    relevant = [1 if grade is None else grade for grade in given["list"]]
    assert found.upper == found.judged
    assert found.lower == discounted_gain(relevant).ndcg
    return {"unjudged_as_nonrelevant": found.judged, "unjudged_as_relevant": found.lower}


def reciprocal(rank: int | None) -> float:
    return 0.0 if rank is None else float(Fraction(1, rank))


COMPUTED: dict[str, Callable[[Inputs], Any]] = {
    **dict.fromkeys(("C01", "C02", "C03"), lambda g: quality(g).macro_f1.estimate),
    "C04": lambda g: quality(g).majority_macro_f1,
    "C05": agreement,
    "C07": lambda g: quality(g).pabak.estimate,
    **dict.fromkeys(("I01", "I02"), audited),
    "I03": textbook,
    "I04": broken_identity,
    "I06": any_gold,
    "J01": corrected_rate,
    **dict.fromkeys(("J02", "J04", "J05"), known_errors),
    "J06": subset,
    "J08": lambda g: limits(two_phase(*judged_strata(g))),
    "J09": cross_check,
    **dict.fromkeys(("J11", "J12"), attenuated),
    **dict.fromkeys(("L01", "L02"), linear),
    "L03": lambda g: discounted_gain(g["grades"], gain=Gain.exponential).ndcg,
    "L04": lambda g: paired_mean([reciprocal(rank) for rank in g["first_relevant_rank"]]).estimate,
    "L05": lambda g: inferred_ap([JUDGED[mark] for mark in g["ranking"]], g["num_rel"]).estimate,
    "L06": recall_range,
    "L08": not_monotone,
}
