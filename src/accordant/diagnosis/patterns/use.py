"""A category that one coder never gives, though others give it to the same items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...counts.counts import Counts
from ...measure.shares import holders
from ...numbers import count_of, p_text, percent
from ...scheme import Value
from ..categories import labels_of
from ..coders import LabelUse
from ..disputes import Disputes, Mask
from ..finding import Contrast, Evidence, Finding
from ..view import View
from ..words import quoted
from .neighbours import numbered
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_LINES, items_of, severity_of

__all__ = ["by_label", "given_by", "others_of", "unused_by_coder", "use_lines"]

Floats = NDArray[np.float64]

FEWEST = 3  # items to which others gave it
ALWAYS = 0.8  # of the others' annotations have one category for it; our convention
MOST_TRIED = 50  # coders and categories
MOST_TOLD = 5
MOST_STEPS = 20  # of a scale of numbers; nobody gives every one of more


@pattern
def unused_by_coder(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Category never used by one coder.

    If coders were alike, each of the m coders of an item would be among the h who gave the
    category with probability h / m; the test is the product of 1 - h / m over the items, which
    is exact, corrected for the number of coders and categories. ``left`` are the pairs (K, K)
    that have not been told. A single number of a scale with very many is not missed.
    """
    found, use = view.disputes, view.coders.labels
    if found is None or use is None or view.counts.n_coders < 2:
        return
    left = found.every if left is None else left
    if found.n_taken > MOST_STEPS and numbered(found.values):
        return
    # the others' share counts each item once: so many of the coder's items hold it at most
    expected = np.where(use.given == 0, np.nan_to_num(use.others) * use.n_shared[:, None], 0)
    tried = np.argwhere(expected >= FEWEST)
    tried = tried[np.argsort(-expected[tuple(tried.T)], kind="stable")][:MOST_TRIED]
    told = 0
    for c, k in tried.tolist():
        finding = _never(view, found, left, use, c, k)
        if finding is not None and told < MOST_TOLD:
            told += 1
            yield finding


def _never(
    view: View, found: Disputes, left: Mask, use: LabelUse, c: int, k: int
) -> Finding | None:
    counts, coder, value = view.counts, use.coders[c], use.values[k]
    given = holders(counts, value)
    row = counts.row[given_by(counts, coder)]
    row = row[given[row] > 0]
    times = counts.times[row]
    p = float(np.exp(times @ np.log1p(-given[row] / counts.size[row]))) * use.shared.size
    if p >= LEVEL or value not in found.values:
        return None
    here = np.zeros(counts.n_patterns, bool)
    here[row] = True
    mine = given_by(counts, coder) & here[counts.row]
    weight = (given[counts.row] * counts.times[counts.row])[mine]
    pairs = np.bincount(counts.value[mine], weights=weight, minlength=counts.n_values)
    n, at = float(pairs.sum()), found.position(value)
    instead = [] if found.of_labels else by_label(counts, pairs)
    excess = np.zeros_like(found.table)
    for v, m in instead or [(found.values[-1], n)]:  # beside other labels, it is left out
        j = found.position(v)
        excess[at, j] = excess[j, at] = m * left[at, j]
    if excess.sum() < n:  # most of it is told already
        return None
    if instead and instead[0][1] >= ALWAYS * n:  # one category for another: `one_way` says more
        return None
    stake = stake_of(view, found.at_stake(excess))
    many, other = counts.n_coders > 2, others_of(view, coder)
    told = (
        f"{quoted(coder)} never gave {quoted(value)}, though {other} gave it to "
        f"{count_of(times.sum(), 'item')} that {quoted(coder)} annotated "
        f"(exact test of interchangeable coders, {p_text(min(1.0, p))})."
    )
    if instead:
        share = instead[0][1] / n
        told += (
            f" There {quoted(coder)} gave {quoted(instead[0][0])} in {percent(share)} of the cases."
        )
    return Finding(
        "unused_by_coder", severity_of(stake), told,
        (
            f"Ask {quoted(coder)} whether the category was known and available; if it was, read "
            "these items together."
            if many
            else "Find out which of the two follows the guideline: whether the category was known "
            "to both, and whether it is needed. Then resolve these items together."
        ),
        {"coder": coder, "category": value, "n": float(times.sum()), "p_value": min(1.0, p),
         "instead": tuple(instead[:5]),
         "pairs": tuple((value, found.values[j]) for j in np.flatnonzero(left[at]))},
        ("mcnemar1947",), view.question, stake, "coder" if many else "guideline",
        Evidence(
            use_lines(use, c, k), "category", "items", f"given by {coder}", f"given by {other}",
            items_of(counts, here),
        ),
        f"{quoted(coder)} never gives {quoted(value)}",
    )  # fmt: skip


def use_lines(use: LabelUse, c: int, k: int) -> tuple[Contrast, ...]:
    """The category, then the most frequent ones, as the coder and the others give them."""
    n = float(use.n_shared[c])
    rest = [j for j in np.argsort(-use.shared[c], kind="stable").tolist() if j != k]
    return tuple(
        Contrast(
            quoted(use.values[j]), int(n), float(use.shared[c, j] / n), float(use.others[c, j])
        )
        for j in [k, *rest][:MOST_LINES]
    )


def given_by(counts: Counts, coder: str) -> NDArray[np.bool_]:
    """(E,) the annotations of a coder."""
    if counts.coder is None:
        return np.zeros(len(counts.value), bool)
    return np.asarray(counts.coder == counts.coders.index(coder))


def by_label(counts: Counts, n: NDArray[Any]) -> list[tuple[Value, float]]:
    """Labels and how often they were given, the most frequent first; of sets each label."""
    total: dict[Value, float] = {}
    for k in np.flatnonzero(n).tolist():
        for label in labels_of(counts.values[k]):
            total[label] = total.get(label, 0.0) + float(n[k])
    return sorted(total.items(), key=lambda pair: -pair[1])


def others_of(view: View, coder: str) -> str:
    """What the others are called: the second of two coders by name."""
    rest = [c for c in view.counts.coders if c != coder]
    return quoted(rest[0]) if len(rest) == 1 else "others"
