"""No pattern: disagreements spread as chance spreads them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...numbers import count_of, decimal, percent
from ..disputes import Disputes, at_least
from ..finding import Contrast, Evidence, Finding
from ..view import View
from .confusions import LIFT
from .of_categories import category_patterns
from .pair_lines import pair_line, pair_lines
from .pattern import LEVEL, pattern

__all__ = ["detectable", "no_pattern"]

SEEN = 0.8  # four times in five, the usual power
FEWEST = 10  # disputed items: fewer spread like anything
CERTAIN = 0.95  # a pattern that would have to be stronger than this could not have been seen
LARGE = 1 / 3  # of the disputes are about one pair; our convention
HINT = 0.05  # level of a pair by itself, not corrected for the number of pairs
TENTATIVE = 0.667  # below, the disagreement itself is a warning (Krippendorff 2004)


@pattern
def no_pattern(view: View, found: Iterable[Finding] | None = None) -> Iterator[Finding]:
    """No pattern.

    Told where no other pattern was found, though there are disagreements enough to see one: the
    share that a pair of categories must have had to be seen four times in five. Where a large
    share is about one pair, though too few items are disputed to be certain, that is said instead.

    Parameters
    ----------
    view : View
    found : iterable of Finding, optional
        What all the other patterns found; by default those of categories are looked for.
    """
    disputes = view.disputes
    if disputes is None or disputes.n_taken < 3 or disputes.n_items < FEWEST - 1e-9:
        return
    told_before = category_patterns(view) if found is None else found
    if any(not _by_prevalence(f) for f in told_before):
        return
    strength = detectable(disputes)
    if math.isnan(strength):
        return
    low = view.alpha < TENTATIVE
    left = disputes.every
    lines = pair_lines(disputes, left)
    n = int(np.triu(disputes.every & (disputes.table > 0), 1).sum())
    open_pair = _leading(disputes)
    told = (
        f"The {count_of(disputes.n, 'disagreement')} on {count_of(disputes.n_items, 'item')} show "
        f"no pattern: they spread over {count_of(n, 'pair')} of categories about as random errors "
        f"do{', and no coder stands out' if view.counts.coder is not None else ''}. "
        f"A pair of categories behind {percent(strength, 0)} or more of them would have been "
        "detected with a power of 80 %."
    )
    advice = (
        f"Look for a general problem, since α is {decimal(view.alpha)}: whether the task can be "
        "done from what coders see, whether they know the guideline, whether they pay attention. "
        "Revising single categories will not help."
        if low
        else "Have the coders read the disputed items again: what is left looks like random errors."
    )
    if open_pair is not None:
        told = (
            f"{open_pair.n:,.0f} of {count_of(disputes.n, 'disagreement')} "
            f"({percent(open_pair.share)}) are between {open_pair.name.replace(' or ', ' and ')}, "
            f"where chance would give {percent(open_pair.other)}, but with "
            f"{disputes.n_items:,.0f} disputed items this is not significant."
        )
        advice = (
            "Read the items of this pair first: they are few. Annotate more items to be certain."
        )
    yield Finding(
        "no_pattern", "warning" if low else "note", told,
        advice,
        {"n": disputes.n, "n_items": disputes.n_items, "detectable": strength,
         "leading": None if open_pair is None else open_pair.name},
        ("artstein2008", "krippendorff2004"), view.question, 0.0,
        "task" if low and open_pair is None else None,
        Evidence(
            lines, "pair of categories", "disagreements", "share of the disagreements",
            "by chance", tuple(int(i) for i in view.items.hardest(25)),
        ),
        "" if open_pair is None else "Too few disputed items",
    )  # fmt: skip


def _by_prevalence(finding: Finding) -> bool:
    """Whether it only says that a category is rare, which is no pattern of disagreements."""
    return finding.code == "weak_category" and bool(finding.evidence["only_rare"])


def _leading(disputes: Disputes) -> Contrast | None:
    """The pair that most disputes are about, if it may well be a pattern."""
    expected = disputes.expected(disputes.every)
    place = np.unravel_index(int(np.triu(disputes.votes, 1).argmax()), disputes.votes.shape)
    i, j = int(place[0]), int(place[1])
    votes, of, chance = float(disputes.votes[i, j]), disputes.n_items, float(expected[i, j])
    line = pair_line(disputes, i, j)
    large = min(votes / of, line.share) >= max(LARGE, LIFT * chance)
    return line if large and float(at_least(votes, of, chance)) < HINT else None


def detectable(disputes: Disputes) -> float:
    """The share of the disputes that a pair of categories must have to be found.

    Found four times in five, by the test of `confused_pair` for the pair in the middle; NaN if
    nearly all disputes would not do.

    Examples
    --------
    >>> from accordant import diagnose, read
    >>> data = read([["a", "b", "c"] * 20, ["a", "b", "c"] * 14 + ["b", "c", "a"] * 6])
    >>> detectable(diagnose(data).pooled.disputes)
    0.78
    """
    a, b = np.nonzero(np.triu(disputes.every, 1))
    expected = float(np.median(disputes.expected(disputes.every)[a, b]))
    n = math.floor(disputes.n_items + 1e-9)
    needed = np.arange(n + 1)
    seen = at_least(needed, n, expected) * len(a) < LEVEL
    if not seen.any():
        return math.nan
    least = max(float(needed[seen][0]), math.ceil(LIFT * expected * n))
    shares = np.linspace(0, 1, 201)
    power: Any = at_least(least, n, shares)
    enough = shares[power >= SEEN]
    return float(enough[0]) if len(enough) and enough[0] <= CERTAIN else math.nan
