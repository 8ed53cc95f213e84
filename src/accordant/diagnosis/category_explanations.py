"""Explanations that name categories, or labels of sets, of all coders."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, factorial, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..inference.null import surprise
from ..numbers import tied
from .deviations import Deviations
from .explanation import NOMINAL, Explanation, Mask, best, cost, explanation

__all__: list[str] = []

NEVER = 1e9  # clumping of what is no candidate

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def _rows(at: Deviations) -> tuple[Floats, Floats]:
    """(L,) observed and expected deviations in which each label is lost."""
    d, e = at.observed.sum(0), at.expected.sum(0)
    return at.changes.losses(d), np.maximum(at.changes.losses(e), 1e-9)


@explanation(
    title="{second} is given instead of {first}",
    text="In {n} annotations {second} is given where the other coders suggest "
    "{first}; random errors would give {expected} ({p}).",
    advice="Say in the guideline where {second} ends, with examples from these items.",
    remedy="guideline",
    sources=("darroch1986", "artstein2008"),
)
def one_way(at: Deviations) -> Iterator[Explanation]:
    """One label given where another is right."""
    if not (at.null.patterns.size > 2).any():
        return  # of two coders nobody knows who is right
    (d, e), (dk, ek) = at.changed, _rows(at)
    yield from best(
        at,
        "one_way",
        d.size,
        d,
        dk[:, None],
        e / ek[:, None],
        at.clumping,
        lambda a, b: Mask(labels=(a, b), cells=at.mask(at.changes.cells(a, b))),
    )


@explanation(
    title="{pairs} are confused",
    text="{pairs} are given instead of each other in {n} annotations; random "
    "errors would give {expected} ({p}).",
    advice="Add the difference between the two to the guideline, with examples "
    "from these items. If that does not help, ask whether the "
    "distinction is needed.",
    remedy="categories",
    sources=("darroch1986", "artstein2008"),
)
def pair(at: Deviations) -> Iterator[Explanation]:
    """Two labels confused with each other."""
    (d, e), (dk, ek) = at.changed, _rows(at)
    null = at.null
    once, twice = (at.changes.table(x) for x in (null.once, null.twice))
    clumping = null.clumping(once + once.T, twice + twice.T)
    yield from best(
        at,
        "pair",
        d.size / 2,
        np.triu(d + d.T, 1),
        dk[:, None] + dk,
        np.triu(e + e.T, 1) / (ek[:, None] + ek),
        clumping,
        lambda a, b: Mask(
            labels=(a, b), cells=at.mask(at.changes.cells(a, b) | at.changes.cells(b, a))
        ),
    )


@explanation(
    title="{first} is given instead of other labels",
    text="{first} is given instead of several other labels in {n} annotations;"
    " random errors would give {expected} ({p}).",
    advice="Say in the guideline what {first} is not for, and offer a label for "
    "doubt if it stands for doubt.",
    remedy="guideline",
)
def default(at: Deviations) -> Iterator[Explanation]:
    """A label given instead of any other."""
    n = at.changes.n if at.changes.plain else at.changes.n - 1
    if n < 3:
        return
    null, (dk, ek) = at.null, _rows(at)
    d, e = at.changes.gains(at.observed.sum(0)), at.changes.gains(at.expected.sum(0))
    once, twice = at.changes.gains(null.once), at.changes.gains(null.twice)
    total, by_null = at.observed.sum() - dk, np.maximum(at.expected.sum() - ek, 1e-9)
    clumping = np.where(_from_several(at), null.clumping(once, twice)[:n], NEVER)
    yield from best(
        at,
        "default",
        n,
        d[:n],
        total[:n],
        (e / by_null)[:n],
        clumping,
        lambda b: Mask(labels=(b,), cells=at.mask(at.changes.gained[:, :, b])),
    )


def _from_several(at: Deviations) -> Bools:
    """(L,) whether a label is given too often even without the one that it replaces most."""
    n = at.changes.n if at.changes.plain else at.changes.n - 1
    (d, e), (rows, by_null) = (x for x in at.changed), _rows(at)
    top = tied(d - e).argmax(0)
    column = np.arange(len(top))
    less, less_by_null = d.sum(0) - d[top, column], e.sum(0) - e[top, column]
    of, of_by_null = (x.sum() - x - x[top] for x in (rows, by_null))
    share = less_by_null / np.maximum(of_by_null, 1e-9)
    return np.asarray(surprise(less, of, share, at.clumping.max(0)) > log(n / NOMINAL))[:n]


@explanation(
    title="{labels} are confused with each other",
    text="{labels} are given instead of each other in {n} annotations; random "
    "errors would give {expected} ({p}).",
    advice="Define these categories together, by the features in which they "
    "differ; ask whether one broader category would do.",
    remedy="categories",
)
def family(at: Deviations) -> Iterator[Explanation]:
    """Three or more labels confused with each other."""
    yield from _grown(at, "family")


@explanation(
    title="Neighbours are confused along {labels}",
    text="Neighbours in the order {labels} are given instead of each other in "
    "{n} annotations; random errors would give {expected} ({p}). The "
    "categories may form a scale.",
    advice="If the categories have this order, use an ordinal scale; fix the "
    "points between neighbours by examples.",
    remedy="categories",
)
def chain(at: Deviations) -> Iterator[Explanation]:
    """Neighbours confused along a chain of labels."""
    yield from _grown(at, "chain")


def _grown(at: Deviations, kind: str) -> Iterator[Explanation]:
    """The best pair, and further labels as long as each link is significant by itself."""
    d, e = at.changed
    n = len(d) if at.changes.plain else len(d) - 1
    if n < 3:
        return
    z = tied(d + d.T - e - e.T)[:n, :n]
    ends = [int(k) for k in np.unravel_index(z.argmax(), z.shape)]
    known = np.zeros(d.shape, bool)
    known[ends, ends[::-1]] = True
    while len(ends) < (n // 2 if kind == "family" else n):
        links = np.zeros(d.shape, bool)
        free = [k for k in range(n) if k not in ends]
        if kind == "family":
            ends = [*ends, max(free, key=lambda k: float(z[ends, k].min()))]
            links[np.ix_(ends, ends)] = True
            np.fill_diagonal(links, val=False)
            ways = float(comb(n, len(ends)))
        else:
            head, tail = (max(free, key=lambda k: float(z[ends[end], k])) for end in (0, -1))
            first = z[ends[0], head] > z[ends[-1], tail]
            ends = [head, *ends] if first else [*ends, tail]
            links[ends[1:], ends[:-1]] = links[ends[:-1], ends[1:]] = True
            ways = factorial(n) / factorial(n - len(ends)) / 2
        (cells, own), (added, own_added) = (_of_links(at, x) for x in (links, links & ~known))
        known = links
        clumping = float(at.null.clumping(at.null.once[cells].sum(), at.null.twice[cells].sum()))
        if not surprise(*_counts(at, added, own_added), clumping) >= log(n / NOMINAL):
            return  # each step must be worth it by itself
        o, of, share = _counts(at, cells, own)
        score = float(surprise(o, of, share, clumping)) - cost(ways)
        if score > 0:
            named = sorted(ends) if kind == "family" else min(ends, ends[::-1])
            yield Explanation(
                kind,
                (),
                tuple(named),
                (),
                float(o),
                float(of * share),
                float(of),
                score,
                float(o - of * share) / at.n,
                at.mask(cells),
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
