"""Explanations that name categories, labels of sets, or a group of items, of all coders."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..inference.null import surprise
from ..numbers import tied
from .deviations import Deviations
from .explanation import LINK, Explanation, Mask, best, cost, explanation

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@explanation(
    title="{pairs} are confused",
    text="{n:,} of the {of:pair} of annotations that differ are between {pairs} ({rate}), more "
    "than random errors make ({p_value:p}).",
    advice="Add the difference between the two to the guideline, with examples from these items. "
    "If that does not help, ask whether the distinction is needed.",
    remedy="categories",
    sources=("darroch1986", "artstein2008"),
)
def pair(at: Deviations) -> Iterator[Explanation]:
    """Two labels confused with each other."""
    (d, e), (dk, ek) = at.changed, _rows(at)
    null = at.null
    once, twice = (at.changes.table(x) for x in (null.once, null.twice))
    yield from best(
        at,
        "pair",
        d.size / 2,
        np.triu(d + d.T, 1),
        dk[:, None] + dk,
        np.triu(e + e.T, 1) / (ek[:, None] + ek),
        null.clumping(once + once.T, twice + twice.T),
        lambda a, b: Mask(
            labels=(a, b), cells=at.mask(at.changes.cells(a, b) | at.changes.cells(b, a))
        ),
    )


def _rows(at: Deviations) -> tuple[Floats, Floats]:
    """(L,) observed and expected deviations in which each label is lost."""
    d, e = at.observed.sum(0), at.expected.sum(0)
    return at.changes.losses(d), np.maximum(at.changes.losses(e), 1e-9)


@explanation(
    title="Neighbours are confused along {labels}",
    text="{n:,} of the {of:pair} of annotations that differ are between neighbours in the order "
    "{labels} ({rate}), more than random errors make ({p_value:p}). The categories may form a "
    "scale.",
    advice="If the categories have this order, use an ordinal scale; fix the points between "
    "neighbours by examples.",
    remedy="categories",
)
def chain(at: Deviations) -> Iterator[Explanation]:
    """Neighbours confused along a chain of labels.

    It grows from the best pair as long as each link is significant by itself.
    """
    d, e = at.changed
    n = len(d) if at.changes.plain else len(d) - 1
    if n < 3:
        return
    z = tied(d + d.T - e - e.T)[:n, :n]
    ends = [int(k) for k in np.unravel_index(z.argmax(), z.shape)]
    known = np.zeros(d.shape, bool)
    known[ends, ends[::-1]] = True
    while len(ends) < n:
        links = np.zeros(d.shape, bool)
        free = [k for k in range(n) if k not in ends]
        head, tail = (max(free, key=lambda k: float(z[ends[end], k])) for end in (0, -1))
        first = z[ends[0], head] > z[ends[-1], tail]
        ends = [head, *ends] if first else [*ends, tail]
        links[ends[1:], ends[:-1]] = links[ends[:-1], ends[1:]] = True
        (cells, own), (added, own_added) = (_of_links(at, x) for x in (links, links & ~known))
        known = links
        clumping = float(at.null.clumping(at.null.once[cells].sum(), at.null.twice[cells].sum()))
        if not surprise(*_counts(at, added, own_added), clumping) >= log(n / LINK):
            return
        o, of, share = _counts(at, cells, own)
        ways = factorial(n) / factorial(n - len(ends)) / 2
        score = float(surprise(o, of, share, clumping)) - cost(ways)
        if score > 0:
            there = float(of * share)
            named = tuple(min(ends, ends[::-1]))
            excess = float(o - there) / at.n
            yield Explanation(
                "chain", (), named, (), float(o), there, of, score, excess, at.mask(cells)
            )


def _of_links(at: Deviations, links: Bools) -> tuple[Bools, Bools]:
    """(K, K) cells of links between labels (L, L), and those in which any of these is lost.

    Of a set that loses or gains several of the labels each cell counts once.
    """
    if at.changes.plain:
        return links, np.repeat(links.any(1, keepdims=True), len(links), 1)
    cells = np.zeros(at.observed.shape[1:], bool)
    for a, b in zip(*np.nonzero(links), strict=True):
        cells |= at.changes.cells(int(a), int(b))
    return cells, np.asarray(at.changes.lost[:, :, links.any(1)].any(2))


def _counts(at: Deviations, cells: Bools, of: Bools) -> tuple[NDArray[Any], float, float]:
    """Observed deviations in some cells, those to compare with, and their share by the null."""
    d, e = at.observed.sum(0), at.expected.sum(0)
    return d[cells].sum(), float(d[of].sum()), float(e[cells].sum() / max(e[of].sum(), 1e-9))


@explanation(
    title="Items {where} are harder",
    text="On items {where} {n:,} of {of:pair} of annotations differ ({rate}); on the others "
    "{usual} ({p_value:p}).",
    advice="Read these items: if the guideline does not fit them, add a rule and examples; if they "
    "are hard by themselves, report agreement on them apart.",
    remedy="items",
)
def item_group(at: Deviations) -> Iterator[Explanation]:
    """A group of items on which all coders deviate more.

    It must be harder by the values of its items, and by the number of its annotations: where all
    items have one value, those on which most coders err seem to have another, and that one to be a
    hard value.
    """
    n = sum(int(x.max(initial=-1)) + 1 for x in at.groups.values())
    rows = np.lexsort((at.difficulty, at.null.patterns.pattern))  # sums whatever the items' order
    observed, *expected = (x[rows] for x in at.by_item)
    wide = max(1.0, float(((observed - expected[0]) ** 2).sum() / max(expected[0].sum(), 1)))
    for name, of in at.groups.items():
        group = of[rows]
        has, many = group >= 0, int(group.max(initial=-1)) + 1
        d, *both = (
            np.bincount(group[has], x[has], many).astype(float) for x in (observed, *expected)
        )
        share = np.max([e / max(e.sum(), 1e-9) for e in both], 0)
        total = float(d.sum())
        yield from best(
            at,
            "item_group",
            n,
            d,
            total,
            share,
            wide,
            lambda s, name=name: Mask(place=(name, s)),
        )
