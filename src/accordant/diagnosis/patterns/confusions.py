"""Two categories that coders cannot tell apart: each is taken for the other more than by chance."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...measure.numbers import count_of, decimal, p_text, percent
from ...measure.registry import chance_corrected
from ...scheme import Value
from ..confusion import Confusion
from ..disputes import Disputes, Mask, at_least
from ..finding import Contrast, Evidence, Finding
from ..label_cells import NO_FURTHER
from ..view import View
from ..words import quoted
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, MOST_LINES, severity_of

__all__ = ["confused_pair", "distinguishability", "kappa_within", "pair_lines", "pair_name"]

Floats = NDArray[np.float64]

LIFT = 1.5  # times what chance gives the pair; less shows in no table. Our convention
MOST_PAIRS = 5


@pattern
def confused_pair(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Two categories are taken for each other.

    Each pair of categories is compared with the larger of two shares: that of coders who guess by
    the frequency of the categories, and that of coders who slip to any other category. An item
    counts once, however many coders it has; the exact binomial test is corrected for the number
    of pairs. ``left`` are the pairs (K, K) that have not been told.
    """
    found = view.disputes
    if found is None or found.n_taken < 3:
        return
    left = found.every if left is None else left
    for _ in range(MOST_PAIRS):
        best = _strongest(found, left)
        if best is None:
            return
        a, b, p = best
        yield _finding(view, found, left, a, b, p)
        left = found.without(left, [(found.values[a], found.values[b])])


def _strongest(found: Disputes, left: Mask) -> tuple[int, int, float] | None:
    """Positions and p-value of the pair with the largest excess of those beyond chance."""
    a, b = np.nonzero(np.triu(left, 1))
    if not len(a):
        return None
    votes, total = found.votes[a, b], float(np.triu(found.votes * left, 1).sum())
    expected = found.expected(left)[a, b]
    p = np.minimum(1, at_least(votes, total, expected) * len(a))
    excess = np.where((p < LEVEL) & (votes >= LIFT * expected * total), votes - expected * total, 0)
    best = int(excess.argmax())
    return (int(a[best]), int(b[best]), float(p[best])) if excess[best] > 0 else None


def _finding(view: View, found: Disputes, left: Mask, a: int, b: int, p: float) -> Finding:
    first, second = found.values[a], found.values[b]
    n, chance = float(found.table[a, b]), float(found.expected(left)[a, b])
    of = float(np.triu(found.table * left, 1).sum())
    excess = np.zeros_like(found.table)
    excess[a, b] = excess[b, a] = n - chance * of
    stake = stake_of(view, found.at_stake(excess))
    delta, kappa = _apart(view, first, second)
    evidence = {
        "first": first, "second": second, "n": n, "of": of, "expected": chance, "p_value": p,
        "lift": n / of / chance, "distinguishability": delta, "kappa_within": kappa,
        "pairs": ((first, second),),
    }  # fmt: skip
    share = f"{n:,.0f} of {count_of(of, 'disagreement')} ({percent(n / of)})"
    more = (
        f"Chance alone would make it {percent(chance)} (item by item, {p_text(p)} after correction "
        "for the number of pairs)."
    )
    if first == NO_FURTHER or second == NO_FURTHER:
        label = second if first == NO_FURTHER else first
        told = f"{share} are about {quoted(label)}: one coder gives it, the other gives no label "
        told += f"instead. {more}"
        advice = (
            "It is not taken for another category, it is left out. Say in the guideline when it "
            "must be given beside other labels."
        )
    else:
        told = f"{share} are between {quoted(first)} and {quoted(second)}, both ways. {more}"
        told += _told_apart(delta, kappa)
        advice = (
            "The trouble lies with these two categories, not with the task as a whole. Sharpen "
            "what sets them apart, with examples from the items below; if that fails, ask whether "
            "the distinction is needed."
        )
    return Finding(
        "confused_pair", severity_of(stake), told, advice, evidence,
        ("darroch1986", "artstein2008"), view.question, stake, "categories",
        Evidence(
            pair_lines(found, left), "pair of categories", "disagreements",
            "share of the disagreements", "by chance", _items(view.confusion, first, second),
        ),
    )  # fmt: skip


def _told_apart(delta: float, kappa: float) -> str:
    if math.isnan(delta):
        return " Coders never agreed on one of them."
    return (
        f" On a scale from 0 (the same) to 1 (never confused) the two are {decimal(delta, 2)} "
        f"apart, and κ between the two alone is {decimal(kappa, 2)}."
    )


def pair_lines(found: Disputes, left: Mask) -> tuple[Contrast, ...]:
    """The pairs with most disagreements, beside their share by chance."""
    a, b = np.nonzero(np.triu(left, 1))
    order = np.argsort(-found.table[a, b], kind="stable")[:MOST_LINES]
    of = float(np.triu(found.table * left, 1).sum()) or 1.0
    expected = found.expected(left)
    return tuple(
        Contrast(
            pair_name(found.values[i], found.values[j]),
            int(found.table[i, j]), float(found.table[i, j] / of), float(expected[i, j]),
        )
        for i, j in zip(a[order].tolist(), b[order].tolist(), strict=True)
    )  # fmt: skip


def pair_name(a: Value, b: Value) -> str:
    """A pair of categories as a reader sees it.

    Examples
    --------
    >>> pair_name("a", "b"), pair_name("a", ())
    ('“a” or “b”', '“a” or no label')
    """
    if b == NO_FURTHER:
        return f"{quoted(a)} or no label"
    return pair_name(b, a) if a == NO_FURTHER else f"{quoted(a)} or {quoted(b)}"


def _items(table: Confusion | None, a: Value, b: Value) -> tuple[int, ...]:
    if table is None:
        return ()
    items = table.items(a, b)[:MOST_ITEMS]
    return tuple(int(i) for i in items)


def _apart(view: View, a: Value, b: Value) -> tuple[float, float]:
    """Distinguishability and kappa of two categories: of two coders, or of all pairs."""
    table = view.confusions[0] if len(view.confusions) == 1 else view.confusion
    if table is None or NO_FURTHER in (a, b):
        return math.nan, math.nan
    at = [table.values.index(a), table.values.index(b)]
    two = table.table[np.ix_(at, at)]
    return distinguishability(two), kappa_within(two)


def distinguishability(two: Floats) -> float:
    """How well two categories are told apart (Darroch & McCloud 1986).

    Parameters
    ----------
    two : ndarray
        (2, 2) the table of the two categories.

    Returns
    -------
    float
        1 - n_ab n_ba / (n_aa n_bb): 1 if one is never taken for the other in one of the
        directions, 0 if they cannot be told apart; NaN if coders never agreed on one of them.

    Examples
    --------
    >>> distinguishability(np.array([[20.0, 10.0], [10.0, 20.0]]))
    0.75
    """
    agreed = float(two[0, 0] * two[1, 1])
    return 1 - float(two[0, 1] * two[1, 0]) / agreed if agreed else math.nan


def kappa_within(two: Floats) -> float:
    """Cohen's kappa of the items on which both coders gave one of the two categories.

    Examples
    --------
    >>> round(kappa_within(np.array([[20.0, 10.0], [10.0, 20.0]])), 3)
    0.333
    """
    n = float(two.sum())
    if not n:
        return math.nan
    return float(chance_corrected(np.trace(two) / n, two.sum(1) @ two.sum(0) / n**2))
