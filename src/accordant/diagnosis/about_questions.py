"""Findings about several questions at once: what a pooled figure hides."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from .facts import Facts
from .finding import Finding, amount, listed

__all__ = [
    "POOLED_RULES",
    "pooled_above_all",
    "pooled_hides_undefined",
    "pooled_not_independent",
    "pooled_range",
    "schemes_differ",
]

Together: TypeAlias = Callable[[Facts, Sequence[Facts]], Finding | None]

POOLED_RULES: dict[str, Together] = {}
"""Rules about the pooled facts and those of each question, by the code of their finding."""

RANGE = 0.2  # questions this far apart are not one thing; our convention


def together(function: Together) -> Together:
    """Register a rule under its name, which is the code of its findings."""
    POOLED_RULES[getattr(function, "__name__", "")] = function
    return function


def _alpha(f: Facts) -> float:
    return f.value("alpha")


@together
def pooled_hides_undefined(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Questions without a value of their own disappear in the pooled figure."""
    hidden = [f for f in each if f.n_annotations and math.isnan(_alpha(f))]
    if not hidden or math.isnan(_alpha(pooled)):
        return None
    n = sum(f.n_annotations for f in hidden)
    return Finding(
        "pooled_hides_undefined", "problem",
        f"α is undefined for {amount(len(hidden), 'question')} of {len(each)} "
        f"({listed(f.question for f in hidden)}), which hold {n:,} of the {pooled.n_annotations:,} "
        f"annotations in the pooled α = {_alpha(pooled):.3f}.",
        "Do not report the pooled figure alone. Where nobody used a second label, a question "
        "adds agreement to the pool without any evidence that it can be answered reliably.",
        {"hidden": [f.question for f in hidden], "n_annotations": n},
        ("artstein2008",),
    )  # fmt: skip


@together
def pooled_above_all(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """The pooled figure is higher than that of every question."""
    values = {f.question: _alpha(f) for f in each if not math.isnan(_alpha(f))}
    best = max(values, key=lambda q: values[q], default=None)
    if len(values) < 2 or not _alpha(pooled) > values[best]:
        return None
    return Finding(
        "pooled_above_all", "problem",
        f"The pooled α = {_alpha(pooled):.3f} is higher than that of every single question: the "
        f"best is {best!r} with {values[best]:.3f}.",
        "Report the questions one by one. Questions with different label frequencies make "
        "coders look better together, because telling the questions apart counts as agreement.",
        {"pooled": _alpha(pooled), "best": best, "value": values[best]},
        ("artstein2008",),
    )  # fmt: skip


@together
def pooled_range(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Questions are reliable to a different degree."""
    values = {f.question: _alpha(f) for f in each if not math.isnan(_alpha(f))}
    if len(values) < 2:
        return None
    worst, best = min(values, key=lambda q: values[q]), max(values, key=lambda q: values[q])
    if values[best] - values[worst] < RANGE:
        return None
    return Finding(
        "pooled_range", "warning",
        f"The questions differ: α is {values[worst]:.3f} for {worst!r} and {values[best]:.3f} for "
        f"{best!r}; pooled it is {_alpha(pooled):.3f}.",
        "Let conclusions rest on the questions they use. A mean over unlike questions describes "
        "none of them.",
        {"worst": worst, "best": best, "values": values}, ("krippendorff2004",),
    )  # fmt: skip


@together
def pooled_not_independent(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """The same items occur once for each question."""
    places, items = pooled.n_annotated, pooled.n_items // max(1, len(each))
    if not pooled.n_pairable or places <= items:
        return None
    return Finding(
        "pooled_not_independent", "note",
        f"The pooled figures take {places:,} answers to {amount(len(each), 'question')} about "
        f"{amount(items, 'item')} as if each were about an item of its own.",
        "Answers about the same item go together, so the pooled intervals may be too narrow.",
        {"answers": places, "items": items}, ("gwet2014",),
    )  # fmt: skip


@together
def schemes_differ(pooled: Facts, each: Sequence[Facts]) -> Finding | None:
    """Pooled questions have different categories or scales."""
    schemes = {frozenset(str(v) for v in (*dict(f.used), *f.unused)) for f in each}
    scales = {f.scale for f in each}
    if len(scales) == 1 and not any(a.isdisjoint(b) for a in schemes for b in schemes if a != b):
        return None
    why = (
        f"scales ({', '.join(sorted(scales))})"
        if len(scales) > 1
        else "categories, some without one in common"
    )
    return Finding(
        "schemes_differ", "warning",
        f"The questions have different {why}; the pooled figures take all labels as names of "
        "one scheme.",
        "Prefer the figures of each question. Pooled expected agreement mixes categories that "
        "never compete.",
        {"scales": sorted(scales)}, ("artstein2008",),
    )  # fmt: skip
