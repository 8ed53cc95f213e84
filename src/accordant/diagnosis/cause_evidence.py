"""Lines of evidence for an explanation: what is seen beside what the null expects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..numbers import tied
from .deviations import Deviations
from .explanation import Explanation
from .finding import Contrast
from .words import quoted

__all__ = ["MOST_LINES", "NO_LABEL", "by_coder", "by_group", "changes", "over_time"]

MOST_LINES = 8
NO_LABEL = "no such label"  # of a set: neither this one nor another in its place

Lines: TypeAlias = tuple[tuple[Contrast, ...], str]
"""Lines, and what they are about."""


def changes(at: Deviations, one: Explanation, label: Callable[[int], Any]) -> Lines:
    """Its own changes, the clearest first, and then others, of the coders it is about."""
    d, e = at.changed_by
    chosen = list(one.coders) if len(one.coders) == 1 else slice(None)
    d, e = d[chosen].sum(0), e[chosen].sum(0)
    own = np.ones(d.shape, bool)
    if one.cells is not None:
        own = at.changes.table(one.cells.any(0).astype(float)) > 0
    if len(one.coders) != 1:
        d, e, own = np.triu(d + d.T, 1), np.triu(e + e.T, 1), own | own.T
    order = np.lexsort((-tied(np.abs(d - e)).ravel(), ~own.ravel()))[:MOST_LINES]
    link = "for" if len(one.coders) == 1 else "or"
    of, of_expected = max(float(d.sum()), 1e-9), max(float(e.sum()), 1e-9)
    lines = []
    for a, b in zip(*np.unravel_index(order, d.shape), strict=True):
        if d[a, b] < 0.5 and e[a, b] < 0.5:
            continue
        pair = (b, a) if link == "for" else (a, b)
        labels = [label(int(k)) for k in pair]
        name = f" {link} ".join(NO_LABEL if x == () else quoted(x) for x in labels)
        lines.append(Contrast(name, round(d[a, b]), d[a, b] / of, e[a, b] / of_expected))
    return tuple(lines), "label for label" if link == "for" else "pair of labels"


def by_coder(at: Deviations, names: Sequence[str]) -> Lines:
    """How often each coder differs, those who do most first, beside all coders."""
    n = at.null.exposure.sum(1)
    rate = at.observed.sum((1, 2)) / np.maximum(n, 1)
    whole = float(at.observed.sum() / max(n.sum(), 1))
    order = [c for c in np.argsort(-tied(rate), kind="stable").tolist() if n[c] > 0]
    return tuple(
        Contrast(quoted(names[c]), round(n[c]), float(rate[c]), whole) for c in order[:MOST_LINES]
    ), "coder"


def by_group(
    at: Deviations, column: str, code: NDArray[np.integer[Any]], names: Sequence[str]
) -> Lines:
    """Differences per item in each group of a column, the hardest first."""
    d, e = at.by_item
    looked = np.zeros(len(d))
    looked[at.annotations[0]] = 1
    has = code >= 0
    n, d, e = (np.bincount(code[has], x[has], len(names)).astype(float) for x in (looked, d, e))
    order = [k for k in np.argsort(tied(-d / np.maximum(n, 1)), kind="stable").tolist() if n[k]]
    return tuple(
        Contrast(quoted(names[k]), round(n[k] / at.part), float(d[k] / n[k]), float(e[k] / n[k]))
        for k in order[:MOST_LINES]
    ), column


def over_time(at: Deviations, coders: Sequence[int], names: Sequence[str]) -> Lines:
    """How often annotations of some coders, or of all, differ in each part of the data."""
    item, entry = at.annotations
    coder = at.null.patterns.coder[entry]
    dev, exp = at.by_annotation
    bins = at.timeline.at(item, coder)[1]
    own = (bins >= 0) & (np.isin(coder, coders) if len(coders) else True)
    many = at.timeline.n_bins
    n, d, e = (np.bincount(bins[own], x[own], many) for x in (np.ones(len(dev)), dev, exp))
    return tuple(
        Contrast(names[k].strip("“”"), int(n[k]), float(d[k] / n[k]), float(e[k] / n[k]))
        for k in range(many)
        if n[k]
    ), "part of the data"
