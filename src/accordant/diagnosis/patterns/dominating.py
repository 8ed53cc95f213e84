"""One category that swallows the others: it takes part in nearly all disagreements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...measure.shares import holders
from ...numbers import count_of, how_often, p_text, percent
from ...scheme import Value
from ..coders import LabelUse
from ..disputes import Disputes, Mask
from ..exact_tests import binomial_test
from ..finding import Evidence, Finding
from ..view import View
from ..words import listed, quoted
from .hubs import Hub, hub_lines, hubs
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_LINES, items_of, severity_of
from .use import by_label, given_by, others_of, use_lines

__all__ = ["dominating_category"]

NEARLY_ALL = 0.8  # of the disagreements; our convention
EVERYTHING = 0.9  # of the items of a coder; our convention
SECOND = 0.1  # of the disagreements: less is no second partner
FEWEST = 3  # annotations with the second partner
ONE_SIDED = 2  # times as often one way as the other; our convention
MOST_TRIED = 20  # coders and categories


@pattern
def dominating_category(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Category in nearly all disagreements.

    Either it is the most frequent category, nearly all disagreements are about it, and more than
    guesses or slips explain, with its strongest partner and without; or one coder gives it to
    nearly everything where others give several categories (exact test). With two categories
    every disagreement is about both: no finding. ``left`` are the pairs (K, K) that have
    not been told.
    """
    found = view.disputes
    if found is None or found.n_taken < 3:
        return
    left = found.every if left is None else left
    finding = _of_coder(view, found, left) or _of_all(view, found, left)
    if finding is not None:
        yield finding


# ------------------------------------------------------------------ for all coders


def _of_all(view: View, found: Disputes, left: Mask) -> Finding | None:
    """The most frequent category is mixed up with several others."""
    top = int(found.share[: found.n_taken].argmax())
    for hub in hubs(found, left):
        if hub.position == top and hub.share >= NEARLY_ALL:
            return _hub(view, found, left, hub)
    return None


def _hub(view: View, found: Disputes, left: Mask, hub: Hub) -> Finding | None:
    k = hub.position
    own = found.table[k] * left[k]
    n, of = float(own.sum()), float(np.triu(found.table * left, 1).sum())
    more = max(0.0, 1 - hub.expected * of / n)  # than chance alone would give
    value, partners = found.values[k], [found.values[j] for j in hub.partners]
    told = (
        f"{n:,.0f} of {count_of(of, 'disagreement')} ({percent(n / of)}) involve {quoted(value)}; "
        f"chance would give {percent(hub.expected)} ({p_text(hub.p_value)}). It is the most "
        f"frequent category, and it is confused with {listed(partners)}."
    )
    lines = hub_lines(found, left, k), "category", "disagreements that involve it"
    seen = Evidence(
        *lines, "share of the disagreements", "by chance", _items(view, value, partners)
    )
    title = f"{quoted(value)} is in nearly all disagreements"
    return _finding(view, left, (title, told), value, partners, (hub.p_value, more), seen)


# ------------------------------------------------------------------ for one coder


def _of_coder(view: View, found: Disputes, left: Mask) -> Finding | None:
    """One coder gives a category to nearly everything: the one with most at stake."""
    use = view.coders.labels
    if use is None:
        return None
    own = use.shared / np.maximum(use.n_shared, 1)[:, None]
    wide = (own >= EVERYTHING) & (np.nan_to_num(use.others, nan=1.0) < own)
    each = [_swallowed(view, found, left, use, c, k) for c, k in np.argwhere(wide)[:MOST_TRIED]]
    return max((f for f in each if f is not None), key=lambda f: f.stake, default=None)


def _swallowed(
    view: View, found: Disputes, left: Mask, use: LabelUse, c: int, k: int
) -> Finding | None:
    coder, value = use.coders[c], use.values[k]
    x = _alone_with(view, coder, value)
    p = min(1.0, x.p_value * use.shared.size)
    several = len(x.instead) > 1 and x.instead[1][1] >= max(FEWEST, SECOND * x.n)
    if value not in found.values or not several or p >= LEVEL or x.n < ONE_SIDED * x.back:
        return None
    at = found.position(value)
    n, of = float((found.table * left)[at].sum()), float(np.triu(found.table * left, 1).sum())
    if not n:
        return None
    name, other = quoted(coder), others_of(view, coder)
    instead = ", ".join(f"{quoted(v)} {how_often(m)}" for v, m in x.instead[:4])
    share = float(use.shared[c, k] / use.n_shared[c])
    told = (
        f"{name} gives {quoted(value)} to {percent(share)} of {count_of(use.n_shared[c], 'item')}, "
        f"{other} to {percent(use.others[c, k])} of them. {n:,.0f} of "
        f"{count_of(of, 'disagreement')} involve it. Where {name} gave it, {other} gave {instead}; "
        f"vice versa {how_often(x.back)} (exact test of interchangeable coders, {p_text(p)})."
    )
    partners = [v for v, _ in x.instead]
    seen = Evidence(
        use_lines(use, c, k), "category", "items", f"given by {name}", f"given by {other}",
        _items(view, value, partners),
    )  # fmt: skip
    title = f"{name} gives {quoted(value)} to nearly everything"
    return _finding(view, left, (title, told), value, partners, (p, (x.n - x.back) / n), seen)


@dataclass(frozen=True)
class _Alone:
    """What others gave where a coder gave a category, or did not: pairs of annotations."""

    n: float
    back: float
    p_value: float
    instead: list[tuple[Value, float]]


def _alone_with(view: View, coder: str, value: Value) -> _Alone:
    """How often a coder gives a category that others do not, and the exact test of it.

    If coders were alike, the coder would be among the h of the m coders who gave it with
    probability h / m.
    """
    counts = view.counts
    holds = np.array([value in (v if isinstance(v, tuple) else (v,)) for v in counts.values])
    given, size = holders(counts, value), counts.size.astype(float)
    entry = np.flatnonzero(given_by(counts, coder))
    row, own = counts.row[entry], holds[counts.value[entry]]
    times, mixed = counts.times[row], (given[row] > 0) & (given[row] < size[row])
    of = float(times @ mixed)
    hits, expected = float(times @ (mixed & own)), float(times @ (mixed * given[row] / size[row]))
    n = float(times @ (own * (size[row] - given[row])))
    back = float(times @ (~own * given[row]))
    p = binomial_test(hits, of, expected / of) if of and hits > expected else 1.0
    with_it = np.zeros(counts.n_patterns, bool)
    with_it[row[own]] = True
    other = with_it[counts.row] & ~holds[counts.value]
    weight = (counts.n * counts.times[counts.row])[other]
    instead = np.bincount(counts.value[other], weights=weight, minlength=counts.n_values)
    return _Alone(n, back, p, by_label(counts, instead))


# ------------------------------------------------------------------ what is told of both


def _items(view: View, value: Value, partners: list[Value]) -> tuple[int, ...]:
    table, shown = view.confusion, np.zeros(view.counts.n_patterns, bool)
    if table is not None:
        at = table.values.index(value)
        for v in partners[:MOST_LINES]:
            shown |= table.patterns(at, table.values.index(v))
    return items_of(view.counts, shown)


def _finding(
    view: View, left: Mask, words: tuple[str, str], value: Value, partners: list[Value],
    p_and_more: tuple[float, float], seen: Evidence,
) -> Finding | None:  # fmt: skip
    """``p_and_more`` are the p-value and the share of its disagreements that are beyond chance.

    ``words`` are the title and the sentence.
    """
    found, (p, more), (title, told) = view.disputes, p_and_more, words
    if found is None:
        return None
    k = found.position(value)
    excess = np.zeros_like(found.table)
    excess[k] = (found.table * left)[k] * more
    stake = stake_of(view, found.at_stake(excess + excess.T))
    return Finding(
        "dominating_category", severity_of(stake), told,
        f"Say in the guideline when {quoted(value)} must not be given, revise or merge the "
        "categories that are confused with it, and check whether one is missing.",
        {"category": value, "partners": partners, "p_value": p,
         "pairs": tuple((value, found.values[j]) for j in np.flatnonzero(left[k]))},
        ("feinstein1990", "artstein2008"), view.question, stake, "categories", seen, title,
    )  # fmt: skip
