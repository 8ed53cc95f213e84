"""Findings about several questions at once: what a pooled figure hides."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..numbers import count_of, decimal, joined, p_text
from .directions import Direction, comparable
from .facts import SIGNIFICANT, Facts
from .finding import Finding
from .words import listed, quoted

__all__ = [
    "POOLED_RULES",
    "one_direction",
    "pooled_above_all",
    "pooled_hides_undefined",
    "pooled_not_independent",
    "pooled_range",
    "schemes_differ",
]

Together: TypeAlias = Callable[[Facts, Sequence[Facts]], Finding | None]

POOLED_RULES: dict[str, Together] = {}
"""Rules about the pooled facts and those of each question, by the code of their finding."""

ONE_SIDED = 2  # times as many differences one way as the other; our convention
RANGE = 0.2  # questions this far apart are not one thing; our convention


def together(function: Together) -> Together:
    """Register a rule under its name, which is the code of its findings."""
    POOLED_RULES[getattr(function, "__name__", "")] = function
    return function


def _alpha(f: Facts) -> float:
    return f.alpha.value


def _name(*each: Facts) -> str:
    """What α is called in some questions: 'α', of label sets 'α (MASI)'."""
    return " or ".join(dict.fromkeys(f.name(f.alpha_key) for f in each))


def _kappa(f: Facts) -> float:
    """Cohen's kappa, which many papers report; NaN of label sets."""
    return math.nan if f.label_sets else f.value("kappa")


@together
def pooled_hides_undefined(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Undefined questions in the pooled coefficient."""
    hidden = [f for f in each if f.n_annotations and math.isnan(_alpha(f))]
    if not hidden or math.isnan(_alpha(pooled)):
        return None
    n = sum(f.n_annotations for f in hidden)
    both = all(math.isnan(_kappa(f)) for f in hidden) and not math.isnan(_kappa(pooled))
    return Finding(
        "pooled_hides_undefined", "problem",
        f"{_name(*hidden)} {'and κ are' if both else 'is'} undefined for "
        f"{count_of(len(hidden), 'question')} of {len(each)} "
        f"({listed(f.question for f in hidden)}), with {n:,} of the {pooled.n_annotations:,} "
        f"annotations in the pooled {_name(pooled)} = {decimal(_alpha(pooled))}"
        f"{f' and κ = {decimal(_kappa(pooled))}' if both else ''}.",
        "Do not report the pooled coefficient alone: a question with a single label adds agreement "
        "without evidence that it can be answered reliably.",
        {"hidden": [f.question for f in hidden], "n_annotations": n},
        ("artstein2008",),
    )  # fmt: skip


@together
def pooled_above_all(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Pooled coefficient above that of every question."""
    known = [f for f in each if not math.isnan(_alpha(f))]
    best = max(known, key=_alpha, default=None)
    if len(known) < 2 or best is None or not _alpha(pooled) > _alpha(best):
        return None
    name = _name(pooled)
    same = _name(pooled, *known) == name
    return Finding(
        "pooled_above_all", "problem",
        f"The pooled {name} = {decimal(_alpha(pooled))} is higher than "
        f"{'that' if same else _name(*known)} of every single question: the best is "
        f"{quoted(best.question)} with {'' if same else f'{_name(best)} = '}"
        f"{decimal(_alpha(best))}.{_kappa_above_all(pooled, each)}",
        "Report the questions separately. Pooling questions with different label frequencies "
        "raises the coefficient, because distinguishing the questions counts as agreement.",
        {"pooled": _alpha(pooled), "best": best.question, "value": _alpha(best)},
        ("artstein2008",),
    )  # fmt: skip


def _kappa_above_all(pooled: Facts, each: Sequence[Facts]) -> str:
    """The same for kappa, where it holds for kappa."""
    known = [f for f in each if not math.isnan(_kappa(f))]
    best = max(known, key=_kappa, default=None)
    if best is None or not _kappa(pooled) > _kappa(best):
        return ""
    return (
        f" The same holds for κ: {decimal(_kappa(pooled))} pooled, and at most "
        f"{decimal(_kappa(best))} for one question ({quoted(best.question)})."
    )


@together
def pooled_range(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Questions differ in reliability."""
    known = [f for f in each if not math.isnan(_alpha(f))]
    if len(known) < 2:
        return None
    worst, best = min(known, key=_alpha), max(known, key=_alpha)
    if _alpha(best) - _alpha(worst) < RANGE:
        return None
    first = _name(worst)
    second, whole = (f"{_name(f)} " if _name(f) != first else "" for f in (best, pooled))
    return Finding(
        "pooled_range", "warning",
        f"The questions differ: {first} is {decimal(_alpha(worst))} for {quoted(worst.question)} "
        f"and {second}{decimal(_alpha(best))} for {quoted(best.question)}; pooled {whole or 'it '}"
        f"is {decimal(_alpha(pooled))}.",
        "Report the questions separately: a mean over unlike questions describes none of them.",
        {"worst": worst.question, "best": best.question,
         "values": {f.question: _alpha(f) for f in known}}, ("krippendorff2004",),
    )  # fmt: skip


@together
def pooled_not_independent(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Pooled answers are not independent."""
    places, items = pooled.n_annotated, pooled.n_items // max(1, len(each))
    if not pooled.n_pairable or places <= items:
        return None
    return Finding(
        "pooled_not_independent", "note",
        f"The pooled coefficients treat {places:,} answers to "
        f"{count_of(len(each), 'question')} about {count_of(items, 'item')} as if each were about "
        "a different item.",
        (
            "Answers about the same item are correlated; the pooled intervals are clustered by "
            "item."
            if "clustered" in pooled.coefficients["percent"].method
            else "Read the pooled intervals with care: answers about the same item are correlated, "
            "so they may be too narrow."
        ),
        {"answers": places, "items": items}, ("gwet2014",),
    )  # fmt: skip


@together
def schemes_differ(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Different schemes pooled."""
    schemes = dict.fromkeys(frozenset(str(v) for v in (*dict(f.used), *f.unused)) for f in each)
    scales = {f.scale for f in each}
    apart = any(a.isdisjoint(b) for a in schemes for b in schemes if a != b)
    if len(scales) == len(schemes) == 1:
        return None
    declared = all(f.declared for f in each)
    how = "different" if declared or len(scales) > 1 else "different, as far as the data show,"
    why = f"scales ({', '.join(sorted(scales))})" if len(scales) > 1 else "categories"
    names = "names" if len(scales) > 1 else "labels"
    return Finding(
        "schemes_differ", "warning" if declared or apart or len(scales) > 1 else "note",
        f"The {count_of(len(each), 'question')} have {how} {why}"
        f"{', some without one in common' if apart and len(scales) == 1 else ''}; the pooled "
        f"coefficients treat all labels as {names} of one scheme.",
        "Report each question, and the pooled coefficient after them if at all: its expected "
        "agreement mixes categories that never compete.",
        {"scales": sorted(scales), "categories": [sorted(x) for x in schemes]}, ("artstein2008",),
    )  # fmt: skip


@together
def one_direction(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Differences in one direction over all questions."""
    alike = comparable(((*dict(f.used), *f.unused), f.scale) for f in each)
    if not alike or len(each) < 2 or not pooled.directions:
        return None
    x = min(pooled.directions, key=_p_value)
    p = min(1.0, _p_value(x) * len(pooled.directions))
    own = [d for f in each for d in f.directions if (d.first, d.second) == (x.first, x.second)]
    own = sorted((d for d in own if d.n), key=lambda d: -d.n)
    if len(own) < 2 or not p < SIGNIFICANT or x.most < ONE_SIDED * (x.n - x.most):
        return None
    same = [d for d in own if (d.up > d.down) == (x.up > x.down) and d.up != d.down]
    parts = joined(
        f"{d.up if x.up > x.down else d.down:,} of {d.n:,} in {quoted(d.question)}" for d in own
    )
    every = "on every question with a difference" if len(same) == len(own) else (
        f"on {len(same)} of {count_of(len(own), 'question')} with a difference"
    )  # fmt: skip
    return Finding(
        "one_direction", "warning",
        f"{x.most:,} of {count_of(x.n, 'difference')} over all questions go in the same direction: "
        f"{_way(x)} (exact sign test clustered by item, {p_text(p)}). This holds {every}: {parts}.",
        "Define in the guideline how much evidence an answer needs: the two coders use different "
        "thresholds. Until then a third coder, not an average, should decide.",
        {"first": x.first, "second": x.second, "up": x.up, "down": x.down, "p_value": p,
         "questions": {d.question: (d.up, d.down) for d in own}}, ("mcnemar1947",),
    )  # fmt: skip


def _p_value(x: Direction) -> float:
    """The larger one of the differences and of the items; 1 without a difference."""
    return max(x.p_value, x.by_item) if x.n else 1.0


def _way(x: Direction) -> str:
    first, second = (x.first, x.second) if x.up > x.down else (x.second, x.first)
    if x.low is None or x.high is None:
        return f"the value of {quoted(second)} is the higher one, that of {quoted(first)} the lower"
    return f"{quoted(first)} gave {quoted(x.low)} where {quoted(second)} gave {quoted(x.high)}"
