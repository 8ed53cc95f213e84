"""A category on which coders agree much less than on the others: a rare one, or a hard one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...counts.tables import filled, value_table
from ...inference.distributions import normal_tail
from ...measure.shares import held_labels, holders
from ...numbers import count_of, p_text, percent
from ...numbers import joined as in_words
from ..disputes import Disputes, Mask
from ..finding import Contrast, Evidence, Finding
from ..view import View
from ..words import quoted
from .hubs import hubs
from .pattern import LEVEL, WORTH, pattern, stake_of
from .telling import MOST_LINES, items_of, severity_of

__all__ = ["by_slips", "weak_category", "weak_hubs"]

Floats = NDArray[np.float64]

GAP = 0.2  # specific agreement below that of the others; our convention
TIMES = 2.0  # as many disagreements for an annotation as of the others; our convention
FEWEST = 8  # items
STEP = 1e-5  # of a derivative
CLEAR = 0.1  # below what slips imply; our convention
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


@dataclass(frozen=True)
class _Slips:
    """What slips imply, whether the category is certainly below it, and whether it is near it."""

    implied: float
    below: bool
    enough: bool


@pattern
def weak_category(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Category with low agreement.

    Specific agreement is how likely another coder gives a category if one gave it. That of each
    category is compared with that of all others together, items being the units that vary,
    corrected for the number of categories. Told are categories that are disputed with several
    others, and rare ones. Categories in a pair that has been told (not in ``left``, (K, K)) are
    left out.

    Slips from frequent categories alone make specific agreement low where a category is rare. It
    is also compared with what slips to any other category, as frequent as on the other
    categories, imply at its frequency (`by_slips`); where it is no lower, the finding is a note
    about prevalence, with little α gain. Otherwise the α gain is what lies below that.
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
            implied, spread = _implied(view, disputes, found, k)
            sure = normal_tail((implied - own[i]) / spread) * disputes.n_taken if spread else 1.0
            below = implied - own[i] >= CLEAR and sure < LEVEL
            yield _finding(
                view, disputes, k, specific, float(others[i]), float(either[k]), p,
                _Slips(implied, bool(below), bool(implied - own[i] < spread)),
            )  # fmt: skip


def _implied(
    view: View, disputes: Disputes, found: _Specific, k: int
) -> tuple[float, float]:  # fmt: skip
    """Specific agreement that slips imply, and the standard error of what lies below it.

    Both what slips imply and what is seen vary from item to item, with the share of the category
    and the agreement on the others; to the first order their pulls add up.
    """
    own, of = found.both[:, k], found.either[:, k]
    n, times = float(found.times @ of), found.times
    if disputes.of_labels:  # every label is given or not by itself: nothing else to slip to
        rest = np.delete(np.arange(disputes.n_taken), k)
        implied = float((times @ found.both)[rest].sum() / (times @ found.either)[rest].sum())
        return implied, math.sqrt(float(times @ np.square(own - implied * of))) / n
    size = view.counts.anonymous.pairable.size.astype(float)
    given = of / (size - 1)
    without = given == 0  # items to which nobody gave it: hardly one that it is right for
    whole, agreed = size * (size - 1) * without, found.both.sum(1) * without
    share = float(times @ given / (times @ size))
    total = float(times @ whole)
    agreement = float(times @ agreed) / total if total else 1.0
    implied = by_slips(share, agreement, disputes.n_taken)
    by_share, by_agreement = (
        (by_slips(*up, disputes.n_taken) - by_slips(*down, disputes.n_taken)) / (2 * STEP)
        for up, down in (
            ((share + STEP, agreement), (share - STEP, agreement)),
            ((share, agreement + STEP), (share, agreement - STEP)),
        )
    )
    pull = by_share * (given - share * size) / float(times @ size)
    pull += by_agreement * (agreed - agreement * whole) / max(1.0, total)
    pull -= (own - implied * of) / n
    return implied, math.sqrt(float(times @ np.square(pull)))


def by_slips(share: float, agreement: float, k: int) -> float:
    """Specific agreement of a category if coders only slip to any of the k - 1 others alike.

    A coder gives the right category with probability 1 - e, each other one with s = e / (k - 1).
    Two annotations of the items of the other categories, neither of them this one, agree with
    probability ((1 - e)² + (k - 2) s²) / (1 - s)², which gives e. The category is right for
    π = (share - s) / (1 - e - s) of the items, and (π (1 - e)² + (1 - π) s²) / share is what
    another coder gives if one gave it. Our derivation.

    Parameters
    ----------
    share : float
        Share of the annotations that hold the category.
    agreement : float
        Share of the pairs of annotations that agree on items to which nobody gave it.
    k : int
        How many categories there are, at least 3.

    Examples
    --------
    Nobody slips; and 5 % slips among five categories, one of them given to 4.6 %:

    >>> by_slips(0.1, 1.0, 5)
    1.0
    >>> round(by_slips(0.0463, 0.926, 5), 2)
    0.71
    """
    # (1 - e)² + (k - 2) s² = agreement (1 - s)² is a square equation in s, with e = (k - 1) s
    a = (k - 1) ** 2 + k - 2 - agreement
    b, c = -2 * (k - 1 - agreement), 1 - agreement
    s = (-b - math.sqrt(max(0.0, b * b - 4 * a * c))) / (2 * a)
    e = (k - 1) * s
    room = 1 - e - s
    right = min(1.0, max(0.0, (share - s) / room)) if room > 0 else 0.0
    return min(1.0, (right * (1 - e) ** 2 + (1 - right) * s * s) / share) if share else 0.0


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
    view: View, disputes: Disputes, k: int, specific: Floats, others: float, either: float,
    p: float, slips: _Slips,
) -> Finding:  # fmt: skip
    value, own = disputes.values[k], float(specific[k])
    implied, below = slips.implied, slips.below
    row = disputes.table[k] * disputes.every[k]
    missing = ((min(others, implied) if below else others) - own) * either  # agreements
    excess = np.zeros_like(disputes.table)
    excess[k] = row * min(1.0, missing / max(1.0, float(row.sum())))
    stake = stake_of(view, disputes.at_stake(excess + excess.T))
    stake = stake if below else min(stake, WORTH / 2)  # slips may be all of it
    share = float(disputes.share[k])
    rare = bool(_rare(disputes)[k])
    n = int(disputes.given[k])
    told = (
        f"Specific agreement on {quoted(value)} is {percent(own)}, on the other categories "
        f"{percent(others)} ({count_of(n, 'annotation')}, {percent(share)} of all; {p_text(p)})."
    )
    given = holders(view.counts, value)
    shown = (given > 0) & (given < view.counts.size)
    partners = [quoted(disputes.values[j]) for j in np.argsort(-row, kind="stable") if row[j] > 0]
    told += _why(rare, slips, partners)
    if not below:
        advice = (
            "Report the agreement on it separately: overall agreement does not show it. If it "
            "matters, add items of this category, so that agreement on it can be estimated."
        )
    elif rare:
        advice = (
            "Report the agreement on it separately. Add items of this category, so that agreement "
            "on it can be estimated, and define what is needed before it is given; if it is not "
            "needed, merge it."
        )
    else:
        advice = (
            "Revise its definition, with examples from these items, or split it if it covers "
            "different things."
        )
    kind = "rare category " if rare else ""
    return Finding(
        "weak_category", severity_of(stake) if below else "note", told, advice,
        {"category": value, "specific": own, "others": others, "n_annotations": n,
         "share": share, "p_value": p, "rare": rare, "by_slips": implied, "below": below,
         "only_rare": slips.enough,
         "pairs": tuple((value, v) for j, v in enumerate(disputes.values) if j != k)},
        ("cicchetti1990", "uebersax1982", "byrt1993"), view.question, stake,
        "items" if rare or not below else "categories",
        Evidence(
            _lines(disputes, k, specific, others), "category", "annotations",
            "specific agreement", "of the other categories", items_of(view.counts, shown),
        ),
        f"Low agreement on {kind}{quoted(value)}",
    )  # fmt: skip


def _why(rare: bool, slips: _Slips, partners: list[str]) -> str:
    """What makes agreement on the category low, as far as the numbers tell."""
    implied = percent(slips.implied)
    if slips.enough:
        return (
            f" Random errors alone would give about {implied} for a category so infrequent, since "
            "most of them fall on items of other categories."
        )
    if not slips.below:
        return (
            f" Random errors alone would give about {implied} for a category so infrequent; these "
            "annotations are too few to show whether coders also find it harder."
        )
    if rare:
        return f" Random errors alone would give {implied}, so coders miss it more than others."
    return (
        f" Random errors as on the other categories would give {implied}. It is confused with "
        f"{in_words(partners[:5])}."
    )


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
