"""A projection on the terminal."""

from __future__ import annotations

from attribution.results import Projection, RequiredRecall
from attribution.statistics.interval import Interval
from reports import numbers
from reports.text.table import DASH, loss_words, print_line, print_table, print_warnings, rate, share


def print_projection(found: Projection) -> None:
    """Print a projection: the number, its range, what it rests on, and what would overturn it."""
    if found.projection.estimate is None:
        print_line(f"Run {found.run}: no projection, {found.projection.reason}")
    else:
        now = numbers.rate(found.passed.estimate or 0.0, 3)
        print_line(f"Run {found.run}: recall {rate(found.recall)} to {_goal(found)}")
        print_line(f"takes the pass rate from {now} to {rate(found.projection, 3)}")
    print_line()
    print_table(("what", "value"), [*_worth_rows(found), *_doubt_rows(found)])
    print_line()
    print_table(
        ("a perfect stage", "failures located", "failures it removes"),
        [(loss_words(r.stage), share(r.located), _removed(found, r.removable)) for r in found.removable],
    )
    print_warnings(found.warnings)


def _goal(found: Projection) -> str:
    target = found.recall_target
    if isinstance(target, Interval):
        return f"{rate(target)} as shown by {found.recall_from}"
    if isinstance(target, list):
        return f"between {' and '.join(numbers.rate(end, 3) for end in target)}"
    return numbers.rate(target, 3)


def _worth_rows(found: Projection) -> list[tuple[str, str]]:
    rows = [
        ("gain, points", _gain(found.gain)),
        *_replay_rows(found),
        *_recovered_rows(found),
        ("pass rate with gold", rate(found.with_gold)),
        ("pass rate without gold", rate(found.without_gold)),
        ("ceiling, at recall 1", rate(found.ceiling, 3)),
        ("failures located before the model", share(found.located_share)),
        ("failures full recall removes", _removed(found, found.removable_share)),
    ]
    if found.required_recall is not None:
        target = numbers.rate(found.required_recall.target, 3)
        rows.append((f"recall for a pass rate of {target}", _required(found.required_recall)))
    if found.standardised is not None and found.standardised.composition_gap is not None:
        gap = numbers.points(-found.standardised.composition_gap)
        rows.append(("standardised by intent", f"{rate(found.standardised.projection, 3)}, {gap} points"))
    return rows


def _replay_rows(found: Projection) -> list[tuple[str, str]]:
    shown = found.replayed
    if shown is None:
        return []
    answers = f"{numbers.count(shown.recovered)} recovered, {numbers.count(shown.lost)} lost"
    return [
        ("answers, by the replay", answers),
        ("pass rate of the recovered, before the fix", rate(shown.recovered_before)),
    ]


def _recovered_rows(found: Projection) -> list[tuple[str, str]]:
    """Return the rate of recovered questions where it is not simply that with gold."""
    taken = found.recovered
    if taken.source == "stated":
        return [("pass rate of the recovered, as stated", numbers.rate(taken.rate.estimate or 0.0, 3))]
    return [("pass rate of the recovered, measured", rate(taken.rate))] if taken.source == "oracle" else []


def _doubt_rows(found: Projection) -> list[tuple[str, str]]:
    rows = [
        ("as many fresh questions land in", _limits(found.next_run.fresh_questions)),
        ("the same questions land in", _limits(found.next_run.same_questions)),
    ]
    doubts = found.sensitivity
    if doubts.bounds is not None:
        rows.append(("whatever recovered questions do", numbers.rate_range(*doubts.bounds, 3)))
    if doubts.tipping_recovered_pass is not None:
        least = doubts.tipping_recovered_pass
        told = numbers.rate(least, 3) if 0.0 <= least <= 1.0 else "no rate: out of reach" if least > 1.0 else "any rate"
        rows.append(("worth it if recovered questions pass at", told))
    return rows


def _removed(found: Projection, removable: Interval) -> str:
    """Return the share of failures that would go; with few failures a share would say more than is known."""
    return "few failures" if found.located_share.n < numbers.COUNTS_BELOW else share(removable)


def _gain(gain: Interval) -> str:
    if gain.estimate is None or gain.lower is None or gain.upper is None:
        return DASH
    return f"{numbers.points(gain.estimate)} ({numbers.points(gain.lower)} to {numbers.points(gain.upper)})"


def _limits(found: Interval) -> str:
    return DASH if found.lower is None or found.upper is None else numbers.rate_range(found.lower, found.upper, 3)


def _required(need: RequiredRecall) -> str:
    if need.estimate is None or need.lower is None:
        return f"{DASH} ({need.reason})"
    upper = "1 or never" if need.upper_open or need.upper is None else numbers.rate(need.upper, 3)
    reach = "" if need.attainable else ", out of reach at these rates"
    return f"{numbers.rate(need.estimate, 3)} ({numbers.rate(need.lower, 3)} to {upper}){reach}"
