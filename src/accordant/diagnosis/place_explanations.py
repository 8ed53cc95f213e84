"""Explanations that name a stretch of the data or a group of items, of all coders or of one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from .deviations import Deviations
from .explanation import Explanation, Mask, best, cost, explanation

__all__: list[str] = []

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CUTS = 8  # stretches begin and end at eighths
LONGEST = 0.75  # of the items
FEW = 8  # deviations of a coder: fewer have no normal tail
OWN = 2  # pseudo-counts of the difficulty of an item, from the other coders


def _overdispersion(at: Deviations) -> float:
    """How far deviations come together in hard items."""
    d, e = (x.sum(1) for x in at.by_annotation)
    return max(1.0, float(((d - e) ** 2).sum() / max(float(e.sum()), 1)))


@lru_cache(maxsize=8)
def _spans(n: int) -> tuple[Ints, Ints]:
    """Beginnings and ends of the stretches of n items."""
    edges = np.linspace(0, n, CUTS + 1).astype(int)
    low, high = (x.ravel() for x in np.meshgrid(edges, edges))
    fits = (high - low >= n // CUTS) & (high - low <= LONGEST * n) & (high > low)
    return low[fits], high[fits]


def _sums(x: Floats) -> Floats:
    """Sums up to each place, from 0; along the first axis."""
    return np.concatenate([np.zeros((1, *x.shape[1:])), np.cumsum(x, 0)])


@explanation
def stretch(at: Deviations) -> Iterator[Explanation]:
    """A stretch of the data in which all coders deviate more."""
    if len(at.grid) < CUTS:
        return
    order = np.argsort(at.times.mean(1), kind="stable")
    d, e = (_sums(x.sum(1)[order]) for x in at.by_annotation)
    low, high = _spans(len(at.grid))
    yield from best(
        at, "stretch", len(low), d[high] - d[low], d[-1], (e[high] - e[low]) / max(e[-1], 1e-9),
        _overdispersion(at), lambda s: Mask(place=(int(low[s]), int(high[s]))),
    )  # fmt: skip


@explanation
def trend(at: Deviations) -> Iterator[Explanation]:
    """Deviations of all coders that become more, or fewer, in the course of the data."""
    dev, exp = (x.sum(1) for x in at.by_annotation)
    z, late = _trend(at.times.mean(1)[:, None], dev[:, None], exp[:, None], _overdispersion(at))
    yield from _told_trends(
        at, "trend", z, late, dev[:, None], exp[:, None], at.times.mean(1)[:, None]
    )


@explanation
def item_group(at: Deviations) -> Iterator[Explanation]:
    """A group of items on which all coders deviate more."""
    n = sum(int(x.max(initial=-1)) + 1 for x in at.groups.values())
    wide = _overdispersion(at) if n else 1.0
    dev, exp = (x.sum(1) for x in at.by_annotation)
    for name, group in at.groups.items():
        has = group >= 0
        many = int(group.max(initial=-1)) + 1
        d, e = (np.bincount(group[has], x[has], many) for x in (dev, exp))
        yield from best(
            at, "item_group", n, d, float(d.sum()), e / max(float(e.sum()), 1e-9), wide,
            lambda s, name=name: Mask(place=(name, s)),
        )  # fmt: skip


def _of_each(at: Deviations) -> tuple[Floats, Floats, Floats]:
    """(I, C) deviations of each coder beside those that the others lead to expect; (C,) noise."""
    dev, exp = at.by_annotation
    d, e = (x.sum(1, keepdims=True) for x in (dev, exp))
    exp = exp * (OWN + d - dev) / (OWN + e - exp)  # the difficulty of the item, by the others
    n = np.maximum((at.grid >= 0).sum(0), 1)
    return dev, exp, 1 - np.minimum(dev.sum(0) / n, 0.9)


@explanation
def coder_stretch(at: Deviations) -> Iterator[Explanation]:
    """A stretch in which a coder deviates more than before and after."""
    if not at.sure or len(at.grid) < CUTS:
        return
    dev, exp, noise = _of_each(at)
    order = np.argsort(at.times, axis=0, kind="stable")
    d, e = (_sums(np.take_along_axis(x, order, 0)) for x in (dev, exp))
    low, high = _spans(len(at.grid))
    yield from best(
        at, "coder_stretch", dev.shape[1] * len(low), (d[high] - d[low]).T, d[-1][:, None],
        (e[high] - e[low]).T / np.maximum(e[-1], 1e-9)[:, None], noise[:, None],
        lambda c, s: Mask((c,), place=(int(low[s]), int(high[s]))),
    )  # fmt: skip


@explanation
def coder_trend(at: Deviations) -> Iterator[Explanation]:
    """A coder who deviates more, or less, in the course of the data."""
    if not at.sure:
        return
    dev, exp, noise = _of_each(at)
    z, late = _trend(at.times, dev, exp, noise)
    yield from _told_trends(at, "coder_trend", z, late, dev, exp, at.times)


def _trend(times: Floats, dev: Floats, exp: Floats, noise: Floats | float) -> tuple[Floats, Floats]:
    """(C,) how many standard deviations deviations lean to the end; the expected ones (I, C)."""
    total, by_null = dev.sum(0), np.maximum(exp.sum(0), 1e-9)
    pace = exp * (total / by_null)
    away = times - (times * pace).sum(0) / np.maximum(pace.sum(0), 1e-9)
    z = (away * (dev - pace)).sum(0) / np.sqrt((away**2 * pace * noise).sum(0) + 1e-9)
    return np.where(total < FEW, 0, z), pace


def _told_trends(
    at: Deviations, kind: str, z: Floats, pace: Floats, dev: Floats, exp: Floats, times: Floats
) -> Iterator[Explanation]:
    """The clearest trends beyond the bound."""
    score = -log_ndtr(-np.abs(z)) - cost(2 * len(z))
    for c in np.argsort(-score)[:2].tolist():
        if not score[c] > 0:
            return
        half = times[:, c] > 0 if z[c] > 0 else times[:, c] < 0
        o, e = float(dev[half, c].sum()), float(pace[half, c].sum())
        coders = (c,) if kind == "coder_trend" else ()
        yield Explanation(
            kind, coders, (), ("rises" if z[c] > 0 else "falls",), o, e, float(dev[:, c].sum()),
            float(score[c]), (o - e) / at.n,
        )  # fmt: skip


@explanation
def coder_change(at: Deviations) -> Iterator[Explanation]:
    """A coder who begins, or ceases, to give one label where another is right."""
    if not at.sure or len(at.grid) < CUTS:
        return
    o, e = at.changed_by
    z = (o - e) / np.sqrt(e + 1)
    edges = np.linspace(0, len(at.grid), CUTS + 1).astype(int)[1:-1]
    for flat in np.argsort(-z, axis=None)[: 2 * len(o)].tolist():
        c, a, b = (int(x) for x in np.unravel_index(flat, z.shape))
        if z[c, a, b] < 2:
            return
        order = np.argsort(at.times[:, c], kind="stable")
        did, could = (_sums(x[order]) for x in at.change_by_item(c, a, b))
        early, share = did[edges], could[edges] / max(float(could[-1]), 1e-9)
        both = np.stack([early, did[-1] - early]), np.stack([share, 1 - share])
        yield from best(
            at, "coder_change", 2 * o.size * len(edges) / 4, both[0], float(did[-1]), both[1], 1.0,
            lambda side, cut, c=c, a=a, b=b: Mask(
                (c,), (a, b), (("until", "from")[side], int(edges[cut])),
                at.mask(at.changes.cells(a, b), c),
            ),
        )  # fmt: skip
