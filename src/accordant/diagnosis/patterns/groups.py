"""Groups of items on which coders disagree more than elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...numbers import count_of, decimal, p_text, percent
from ..finding import Contrast, Evidence, Finding
from ..groups import TEXT_LENGTH, Group, Groups
from ..view import View
from ..words import listed, quoted
from .coders import coders_apart, order_hint
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, MOST_LINES, severity_of

__all__ = ["ambiguous_items", "item_group"]

CLEAR = 0.03  # a difference of agreement worth a word; our convention
ALIKE = 0.8  # of the items of two groups are the same: they say the same thing
MOST_TOLD = 3


def ambiguous_items(view: View) -> NDArray[np.bool_] | None:
    """(I,) the items of the first group that `item_group` tells, if it tells one loudly."""
    rest = _rest(view)
    for group, _ in _told(rest.groups)[:1]:
        if severity_of(stake_of(rest, group.excess)) == "warning":
            found = np.zeros(len(view.data.items), bool)
            found[group.items] = True
            return found
    return None


@pattern
def item_group(view: View) -> Iterator[Finding]:
    """Items with more disagreement.

    By a column about the items (genre, source, batch) or the length of the text: more than on as
    many items drawn at random from all (an exact bound, corrected for the number of groups).
    Coders who have a finding of their own do not count.
    """
    rest = _rest(view)
    found = rest.groups
    for group, p in _told(found):
        yield _finding(rest, found, group, p)


def _told(found: Groups | None) -> list[tuple[Group, float]]:
    """Groups that are worth telling, one for each column, with the corrected p-value."""
    if found is None:
        return []
    clear = [
        (g, g.p_value * len(found.each))
        for g in found
        if g.p_value * len(found.each) < LEVEL and g.elsewhere - g.agreement >= CLEAR
    ]
    told: list[tuple[Group, float]] = []
    for g, p in sorted(clear, key=lambda pair: -pair[0].excess):
        known = any(g.column == t.column or _overlap(g, t) >= ALIKE for t, _ in told)
        if not known and len(told) < MOST_TOLD:
            told.append((g, min(1.0, p)))
    return told


def _rest(view: View) -> View:
    """The view without coders who have a finding of their own, if two are left."""
    if view.counts.coder is None:
        return view
    names = set(coders_apart(view))
    rest = [c for c in view.counts.coders if c not in names]
    return view.of_coders(rest) if names and len(rest) > 1 else view


def _overlap(a: Group, b: Group) -> float:
    both = len(np.intersect1d(a.items, b.items, assume_unique=True))
    return both / max(1, len(a.items) + len(b.items) - both)


def _finding(view: View, every: Groups | None, g: Group, p: float) -> Finding:
    stake = stake_of(view, g.excess)
    name = _name(g)
    alpha = "" if np.isnan(g.alpha) else f" α is {decimal(g.alpha)} there."
    share = (
        f" They are {percent(g.n_items / g.n_known)} of the items and have {percent(g.share)} of "
        "all disagreement."
    )
    part = (
        f" {every.n_used:,} of {count_of(every.n_all, 'item')} were examined."
        if every is not None and every.n_used < every.n_all
        else ""
    )
    return Finding(
        "item_group", severity_of(stake),
        f"On {count_of(g.n_items, 'item')} {name} observed agreement is {percent(g.agreement)}, "
        f"on all other items {percent(g.elsewhere)} ({p_text(p)}).{alpha}{share}"
        f"{part}{_left_out(view)}",
        "Read some of these items first. If they are ambiguous, add examples of them to the "
        "guideline, or a category for what stays open; if coders lacked context or knowledge, give "
        f"it. Report agreement on them separately. {order_hint(view, g.column)}".rstrip(),
        {
            "column": g.column, "value": g.value, "n_items": g.n_items,
            "agreement": g.agreement, "elsewhere": g.elsewhere, "alpha": g.alpha,
            "share": g.share, "excess": g.excess, "p_value": p,
        },
        ("artstein2008",), view.question, stake, "items",
        Evidence(
            _lines(g, every), g.column, "items", "agreement", "on all other items",
            _items(view, g),
        ),
        title=f"More disagreement on items {_name(g)}",
    )  # fmt: skip


def _name(g: Group) -> str:
    if g.column == TEXT_LENGTH:
        return f"whose text is {g.value} characters long"
    return f"with {g.column} = {quoted(g.value)}"


def _left_out(view: View) -> str:
    """The coders without whom the items were looked at."""
    if view.within is None:
        return ""
    kept = set(view.counts.coders)
    out = [name for name in view.within.counts.coders if name not in kept]
    was = "is" if len(out) == 1 else "are"
    return f" {listed(out)} {was} excluded here (see the finding on them)." if out else ""


def _lines(g: Group, every: Groups | None) -> tuple[Contrast, ...]:
    """The group, then the others of the same column."""
    rest = [] if every is None else [x for x in every if x.column == g.column and x is not g]
    return tuple(
        Contrast(x.value, x.n_items, x.agreement, x.elsewhere) for x in [g, *rest][:MOST_LINES]
    )


def _items(view: View, g: Group) -> tuple[int, ...]:
    """Items of the group, the most disputed first."""
    agreed = view.items.by_pattern[view.counts.pattern_of[g.items]]
    order = np.argsort(agreed, kind="stable")
    order = order[agreed[order] < 1 - 1e-12]
    return tuple(g.items[order[:MOST_ITEMS]].tolist())
