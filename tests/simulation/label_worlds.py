"""Worlds in which gold labels err in known ways, and the intervals made from what is seen of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attribution.statistics.audit import audited_projection, audited_rates
from attribution.statistics.audit_cells import AuditCell, Estimand, Label, Truth
from attribution.statistics.passages import passage_recall
from attribution.statistics.projection import project
from attribution.statistics.proportions import wilson
from attribution.statistics.two_phase import Stratum, two_phase
from tests.simulation.trials import Trial, World

Bools = NDArray[np.bool_]

EITHER = frozenset({Truth.reached, Truth.missed})
MISSED = frozenset({Truth.missed})
REACHED = frozenset({Truth.reached})


def chosen(random: np.random.Generator, n: int, m: int) -> Bools:
    """Return which m of n were drawn at random."""
    picked = np.zeros(n, dtype=bool)
    picked[random.choice(n, m, replace=False)] = True
    return picked


def counted(keep: Bools, checked: Bools, true: Bools, *, certain: bool | None = None) -> Stratum:
    """Return the stratum of the kept cases."""
    return Stratum(
        cases=int(keep.sum()),
        checked=int((keep & checked).sum()),
        true=int((keep & checked & true).sum()),
        certain=certain,
    )


def audit_by_label(n: int, label_recall: float, demoted: float, promoted: float, audits: int) -> World:
    """Recall alone, from an audit at random; without promotions, a miss is declared certain."""
    truth = label_recall * (1 - demoted) + (1 - label_recall) * promoted

    def draw(random: np.random.Generator) -> Trial:
        hit = random.random(n) < label_recall
        true = np.where(hit, random.random(n) >= demoted, random.random(n) < promoted)
        checked = chosen(random, n, audits)
        miss = counted(~hit, checked, true, certain=None if promoted else False)
        return {
            "recall": (two_phase(counted(hit, checked, true), miss), truth),
            "recall, labels as they are": (wilson(int(hit.sum()), n), truth),
        }

    return draw


def audit_by_label_and_pass(n: int, audits: int, *, demoted: float = 0.09, p1: float = 0.90, p0: float = 0.47) -> World:
    """All four rates and the projection at .85; hits that an audit would take away pass as if without gold."""
    label_recall, target = 0.58, 0.85
    recall = label_recall * (1 - demoted)

    def draw(random: np.random.Generator) -> Trial:
        hit = random.random(n) < label_recall
        true = hit & (random.random(n) >= demoted)
        passed = random.random(n) < np.where(true, p1, p0)
        checked = chosen(random, n, audits)
        cells = [
            AuditCell(
                label=Label.hit if labelled else Label.miss,
                passed=passing,
                questions=int((keep := (hit == labelled) & (passed == passing)).sum()),
                possible=EITHER if labelled else MISSED,
                reached=int((keep & checked & true).sum()),
                missed=int((keep & checked & ~true).sum()),
            )
            for labelled in (True, False)
            for passing in (True, False)
        ]
        found = audited_rates(cells, estimand=Estimand.all_required)
        naive = wilson(int((hit & passed).sum()), int(hit.sum())), wilson(int((~hit & passed).sum()), int((~hit).sum()))
        truth = target * p1 + (1 - target) * p0
        return {
            "recall": (found.recall, recall),
            "with gold": (found.with_gold, p1),
            "without gold": (found.without_gold, p0),
            "projection": (audited_projection(target, cells, estimand=Estimand.all_required), truth),
            "with gold, labels as they are": (naive[0], p1),
            "projection, labels as they are": (project(target, *naive), truth),
        }

    return draw


def audit_any_gold(n: int, audits: int) -> World:
    """Recall of the answerable questions, where half of those without labelled gold have some after all."""
    shares, hidden, promoted = (0.58, 0.27, 0.15), 0.5, 0.05
    reached = shares[0] + shares[1] * promoted + shares[2] * hidden * 0.3
    truth = reached / (1 - shares[2] * (1 - hidden))

    def draw(random: np.random.Generator) -> Trial:
        label = random.choice(3, n, p=shares)
        answerable = (label != 2) | (random.random(n) < hidden)
        luck = random.random(n)
        true = answerable & ((label == 0) | (luck < np.where(label == 1, promoted, 0.3)))
        passed = random.random(n) < np.where(true, 0.88, 0.47)
        checked = (label != 0) & chosen(random, n, audits)
        possible = (REACHED, EITHER, frozenset(Truth))
        cells = [
            AuditCell(
                label=(Label.hit, Label.miss, Label.no_gold)[kind],
                passed=passing,
                questions=int((keep := (label == kind) & (passed == passing)).sum()),
                possible=possible[kind],
                reached=int((keep & checked & true).sum()),
                missed=int((keep & checked & answerable & ~true).sum()),
                unanswerable=int((keep & checked & ~answerable).sum()),
            )
            for kind in range(3)
            for passing in (True, False)
        ]
        found = audited_rates(cells, estimand=Estimand.any_gold)
        return {
            "recall": (found.recall, truth),
            "with gold": (found.with_gold, 0.88),
            "recall, labels as they are": (wilson(int((label == 0).sum()), int((label != 2).sum())), truth),
        }

    return draw


def audit_of_passages(n: int, audits: int) -> World:
    """Passages in clusters of a question, some questions far harder than others."""
    mean_recall, extra, extra_recall = 0.6, 0.15, 0.3
    # A question has 1 + Poisson(2) labelled passages, and as many unlabelled ones in the mean as `extra` of them.
    truth = (mean_recall + extra * extra_recall) / (1 + extra)

    def draw(random: np.random.Generator) -> Trial:
        labelled = 1 + random.poisson(2.0, n)
        retrieved = random.binomial(labelled, random.beta(4 * mean_recall, 4 * (1 - mean_recall), n))
        audited = chosen(random, n, audits)
        added = random.poisson(extra * labelled) * audited
        found = passage_recall(retrieved, labelled, audited, added, random.binomial(added, extra_recall))
        naive = wilson(int(retrieved.sum()), int(labelled.sum()))
        return {
            "passage recall": (found.corrected, truth),
            "passage recall, labels as they are, passages as draws": (naive, truth),
        }

    return draw
