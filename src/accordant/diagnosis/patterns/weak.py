"""A category on which coders agree much less than on the others: a rare one, or a hard one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...inference.distributions import normal_tail
from ...measure.numbers import count_of, p_text, percent
from ...measure.numbers import joined as in_words
from ..disputes import Disputes, Mask
from ..finding import Contrast, Evidence, Finding
from ..held_labels import held_labels, holders
from ..tables import filled, value_table
from ..view import View
from ..words import quoted
from .hubs import hubs
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_LINES, items_of, severity_of

__all__ = ["weak_category", "weak_hubs"]

Floats = NDArray[np.float64]

GAP = 0.2  # specific agreement below that of the others; our convention
TIMES = 2.0  # as many disagreements for an annotation as of the others; our convention
FEWEST = 8  # items
RARE = 0.4  # of the share that each category would have if all were equally frequent
MOST_TOLD = 3


@dataclass(frozen=True, eq=False)
class _Specific:
    """Specific agreement of the K used categories, item by item.

    ``both`` (P, K) ordered pairs of annotations that both hold the category, ``either`` (P, K)
    those of which the first holds it; ``times`` (P,).
    """

    both: Floats
    either: Floats
    times: Floats


@pattern
def weak_category(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Coders agree much less on one category than on the others.

    Specific agreement is how likely another coder gives a category if one gave it. That of each
    category is compared with that of all others together, items being the units that vary,
    corrected for the number of categories. Told are categories that are disputed with several
    others, and rare ones. Categories in a pair that has been told (not in ``left``, (K, K)) are
    left out.
    """
    disputes = view.disputes
    if disputes is None:
        return
    if left is None:  # asked for by itself: those that are disputed with many others too
        left = disputes.every
        hard = list(weak_hubs(view, left))
        yield from hard
        left = disputes.without(left, (pair for f in hard for pair in f.evidence["pairs"]))
    found = _specific(view) if _rare(disputes).any() else None
    if found is not None:
        yield from _weak(view, disputes, found, left, None)


def _rare(disputes: Disputes) -> Mask:
    """(K,) whether a category is rare, beside one of all equally frequent ones."""
    return np.asarray(disputes.share[: disputes.n_taken] <= RARE / disputes.n_taken)


def weak_hubs(view: View, left: Mask) -> Iterator[Finding]:
    """The weak categories that are disputed with several others, more than slips explain."""
    only = [] if view.disputes is None else [x.position for x in hubs(view.disputes, left)][:1]
    found = _specific(view) if only else None
    if view.disputes is not None and found is not None:
        yield from _weak(view, view.disputes, found, left, only)


def _specific(view: View) -> _Specific | None:
    """Counted where all disagreements weigh the same; neighbours on a scale are near anyway."""
    disputes = view.disputes
    ordered = view.scheme.scale != "nominal"
    if disputes is None or disputes.n_taken < 3 or (ordered and not disputes.of_labels):
        return None
    bare = view.counts.anonymous.pairable
    names = disputes.values[: disputes.n_taken]
    if disputes.of_labels:
        labels, members = held_labels(bare, names)  # type: ignore[arg-type]
        of_labels = members[:, [labels.index(v) for v in names]].astype(float)
        n = np.asarray(value_table(bare) @ of_labels)
    else:
        n = filled(value_table(bare))[:, [bare.values.index(v) for v in names]]
    size = bare.size[:, None].astype(float)
    return _Specific(n * (n - 1), n * (size - 1), np.asarray(bare.times, float))


def _weak(
    view: View, disputes: Disputes, found: _Specific, left: Mask, only: list[int] | None
) -> Iterator[Finding]:
    both, either = found.times @ found.both, found.times @ found.either
    whole = left.sum(1) == disputes.every.sum(1)  # none of its pairs has been told
    free = np.flatnonzero(whole[: disputes.n_taken] & (either > 0))
    if len(free) < 2:
        return
    own = both[free] / either[free]
    others = (both[free].sum() - both[free]) / (either[free].sum() - either[free])
    enough = found.times @ (found.either[:, free] > 0) >= FEWEST
    gap = (others - own >= GAP) & (1 - own >= TIMES * (1 - others)) & enough
    if only is None:
        gap &= _rare(disputes)[free]
    told = 0
    for i in np.argsort(own - others, kind="stable").tolist():
        k = int(free[i])
        if not gap[i] or told == MOST_TOLD or (only is not None and k not in only):
            continue
        p = min(1.0, _p_value(found, k, free[free != k]) * disputes.n_taken)
        if p < LEVEL:
            told += 1
            specific = np.full(disputes.n_taken, np.nan)
            specific[free] = own
            yield _finding(view, disputes, k, specific, float(others[i]), float(either[k]), p)


def _p_value(found: _Specific, k: int, others: NDArray[np.integer[Any]]) -> float:
    """One-sided: less specific agreement than the others, by the pull of each item on both.

    The items of the category are measured from the rate of the others, not from its own: a few
    items that are all disputed would else have no spread, and be certain.
    """
    own, of = found.both[:, k], found.either[:, k]
    all_own, all_of = found.both[:, others].sum(1), found.either[:, others].sum(1)
    n, n_others = float(found.times @ of), float(found.times @ all_of)
    rate = float(found.times @ all_own) / n_others
    pull = (rate * of - own) / n + (all_own - rate * all_of) / n_others
    spread = math.sqrt(float(found.times @ np.square(pull)))
    return normal_tail(float(found.times @ pull) / spread) if spread > 0 else 1.0


def _finding(
    view: View, disputes: Disputes, k: int, specific: Floats, others: float, either: float, p: float
) -> Finding:
    value, own = disputes.values[k], float(specific[k])
    row = disputes.table[k] * disputes.every[k]
    missing = (others - own) * either  # agreements that are not there
    excess = np.zeros_like(disputes.table)
    excess[k] = row * min(1.0, missing / max(1.0, float(row.sum())))
    stake = stake_of(view, disputes.at_stake(excess + excess.T))
    share = float(disputes.share[k])
    rare = bool(_rare(disputes)[k])
    n = int(disputes.given[k])
    told = (
        f"Coders agree on {quoted(value)} much less than on the other categories: if one gives "
        f"it, another does so in {percent(own)} of the cases, against {percent(others)} for the "
        f"others ({count_of(n, 'annotation')}, {percent(share)} of all; {p_text(p)})."
    )
    given = holders(view.counts, value)
    shown = (given > 0) & (given < view.counts.size)
    partners = [quoted(disputes.values[j]) for j in np.argsort(-row, kind="stable") if row[j] > 0]
    if rare:
        told += (
            " It is rare: slips on the many other items weigh as much as the few that it is right "
            "for, and the percentage over all categories does not show it."
        )
        advice = (
            "Report the agreement on it by itself. Add items that show it, so that agreement on "
            "it can be judged, and say what is needed before it is given; if nothing rests on "
            "it, join it with its neighbour."
        )
    else:
        told += f" It is disputed with {in_words(partners[:5])}."
        advice = (
            "The trouble lies with this category: sharpen its definition, with examples from the "
            "items below, or split it if it holds unlike things."
        )
    return Finding(
        "weak_category", severity_of(stake), told, advice,
        {"category": value, "specific": own, "others": others, "n_annotations": n,
         "share": share, "p_value": p, "rare": rare,
         "pairs": tuple((value, v) for j, v in enumerate(disputes.values) if j != k)},
        ("cicchetti1990", "uebersax1982", "byrt1993"), view.question, stake,
        "items" if rare else "categories",
        Evidence(
            _lines(disputes, k, specific, others), "category", "annotations",
            "specific agreement", "of the other categories", items_of(view.counts, shown),
        ),
    )  # fmt: skip


def _lines(disputes: Disputes, k: int, specific: Floats, others: float) -> tuple[Contrast, ...]:
    """The category, then the most frequent ones; beside each what the rest of them reach."""
    rest = [int(j) for j in np.argsort(-disputes.given, kind="stable") if j != k]
    return tuple(
        Contrast(
            quoted(disputes.values[j]), int(disputes.given[j]), float(specific[j]),
            others if j == k else math.nan,
        )
        for j in [k, *rest][:MOST_LINES] if j < disputes.n_taken
    )  # fmt: skip
