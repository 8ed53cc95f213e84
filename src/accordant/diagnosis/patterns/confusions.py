"""Two categories that coders cannot tell apart: each is taken for the other more than by chance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...measure.confusion import NO_FURTHER, Confusion
from ...measure.registry import chance_corrected
from ...numbers import count_of, decimal, p_text, percent
from ...scheme import Value
from ..disputes import Disputes, Mask, at_least
from ..finding import Contrast, Evidence, Finding, Remedy
from ..view import View
from ..words import quoted
from .both_ways import both_ways
from .pair_lines import pair_line, pair_lines
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, MOST_LINES, severity_of

__all__ = [
    "LIFT", "Pair", "confused_pair", "confused_pairs", "distinguishability", "kappa_within",
]  # fmt: skip

Floats = NDArray[np.float64]

LIFT = 1.5  # times what chance gives the pair; less shows in no table. Our convention
MOST_PAIRS = 5
MOST_TRIED = 40


@dataclass(frozen=True)
class Pair:
    """Two positions with more disputes than chance gives them, and the corrected p-value."""

    a: int
    b: int
    p_value: float


@pattern
def confused_pair(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Categories confused.

    Each pair of categories is compared with the larger of two shares: that of coders who guess by
    the frequency of the categories, and that of coders who slip to any other category. An item
    counts once, however many coders it has; the exact binomial test is corrected for the number
    of pairs. Pairs found before are left out of the test of the next, not out of its figures.
    ``left`` are the pairs (K, K) that have not been told.
    """
    found = view.disputes
    if found is None or found.n_taken < 3:
        return
    for pair in confused_pairs(found, left)[:MOST_PAIRS]:
        yield _finding(view, found, pair)


def confused_pairs(found: Disputes, left: Mask | None = None) -> list[Pair]:
    """Every pair of positions that is disputed more than by chance, the clearest one first."""
    left = found.every if left is None else left
    every = found.expected(found.every) * found.n
    told: list[Pair] = []
    while len(told) < MOST_TRIED:
        best = _strongest(found, left)
        if best is None:
            break
        if found.table[best.a, best.b] >= LIFT * every[best.a, best.b]:
            told.append(best)
        left = found.without(left, [(found.values[best.a], found.values[best.b])])
    return told


def _strongest(found: Disputes, left: Mask) -> Pair | None:
    """The pair with the largest excess of those beyond chance."""
    a, b = np.nonzero(np.triu(left, 1))
    if not len(a):
        return None
    votes, total = found.votes[a, b], float(np.triu(found.votes * left, 1).sum())
    expected = found.expected(left)[a, b]
    p = np.minimum(1, at_least(votes, total, expected) * len(a))
    excess = np.where((p < LEVEL) & (votes >= LIFT * expected * total), votes - expected * total, 0)
    best = int(excess.argmax())
    return Pair(int(a[best]), int(b[best]), float(p[best])) if excess[best] > 0 else None


def _finding(view: View, found: Disputes, pair: Pair) -> Finding:
    a, b = pair.a, pair.b
    first, second = found.values[a], found.values[b]
    n, chance, of = float(found.table[a, b]), float(found.expected(found.every)[a, b]), found.n
    excess = np.zeros_like(found.table)
    excess[a, b] = excess[b, a] = n - chance * of
    stake = stake_of(view, found.at_stake(excess))
    delta, kappa = _apart(view, first, second)
    ways = both_ways(view, first, second)
    evidence = {
        "first": first, "second": second, "n": n, "of": of, "expected": chance,
        "p_value": pair.p_value, "lift": n / of / chance, "distinguishability": delta,
        "kappa_within": kappa, "one_way": ways.there, "other_way": ways.back,
        "pairs": ((first, second),),
    }  # fmt: skip
    share = f"{n:,.0f} of {count_of(of, 'disagreement')} ({percent(n / of)})"
    more = (
        f"Chance would give {percent(chance)} (exact binomial test on items, "
        f"{p_text(pair.p_value)}, corrected for the number of pairs)."
    )
    name = f"{quoted(first)} and {quoted(second)}"
    remedy: Remedy = "categories"
    if first == NO_FURTHER or second == NO_FURTHER:
        label = second if first == NO_FURTHER else first
        told = f"{share} are about {quoted(label)}: one coder gives it, the other gives no other "
        told += f"label in its place. {more}"
        title = f"{quoted(label)} given by one coder and left out by another"
        advice = "Say in the guideline when it must be given beside other labels."
    elif ways.mostly_one:
        told = f"{share} are between {name}, mostly one way: {ways.told}. {more}"
        title = f"{name} confused, mostly in one direction"
        remedy = "guideline"
        advice = (
            "Read these items and define the boundary between the two in the guideline. Random "
            "errors would go both ways, so probably only one of the coders follows a rule."
        )
    else:
        way = f", both ways{f' ({ways.told})' if ways.told else ''}" if ways.both else ""
        told = f"{share} are between {name}{way}. {more}{_told_apart(delta, kappa)}"
        title = f"{name} confused"
        advice = (
            "Add a rule for the two categories to the guideline, with examples from the items "
            "below. If that fails, ask whether the distinction is needed."
        )
    return Finding(
        "confused_pair", severity_of(stake), told, advice, evidence,
        ("darroch1986", "artstein2008"), view.question, stake, remedy,
        Evidence(
            _with(found, (a, b)), "pair of categories", "disagreements",
            "share of the disagreements", "by chance", _items(view.confusion, first, second),
        ),
        title,
    )  # fmt: skip


def _with(found: Disputes, pair: tuple[int, int]) -> tuple[Contrast, ...]:
    """The pair that is told, then those with most disagreements."""
    first = pair_line(found, *pair)
    rest = [x for x in pair_lines(found, found.every) if x.name != first.name]
    return (first, *rest)[:MOST_LINES]


def _told_apart(delta: float, kappa: float) -> str:
    if math.isnan(delta):
        return " Coders never agreed on one of them."
    if delta <= 0:
        return (
            " Their distinguishability is 0: if one coder gives one of them, another gives the "
            "other at least as often."
        )
    return (
        f" Their distinguishability is {decimal(delta, 2)} (0: not distinguished, 1: never "
        f"confused), and κ between the two alone is {decimal(kappa, 2)}."
    )


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
        directions, 0 if they cannot be told apart, below 0 if coders differ on the two more than
        guesses would; NaN if coders never agreed on one of them.

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
