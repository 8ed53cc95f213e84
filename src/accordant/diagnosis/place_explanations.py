"""Explanations that name a stretch of the data or a group of items, of all coders or of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from ..numbers import tied
from .coder_explanations import too_often
from .deviations import Deviations
from .explanation import Explanation, Mask, best, cost, explanation

__all__: list[str] = []

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SHORTEST, LONGEST = 0.1, 0.75  # of the annotations are in a stretch
SEEN = 5.3  # nats: a trend of one in a hundred, whatever its direction
FEW = 8  # deviations of a coder: fewer have no normal tail
CELL = 3  # a coder and two labels
OWN = 2  # pseudo-counts of the difficulty of an item, from the other coders


def _overdispersion(at: Deviations) -> float:
    """How far deviations come together in hard items."""
    d, e = at.by_item
    return max(1.0, float(((d - e) ** 2).sum() / max(float(e.sum()), 1)))


def _expected(at: Deviations) -> tuple[Floats, Floats]:
    """(I,) deviations expected by the values of an item, and by the number of its annotations.

    A place must be harder by both. Where all items have one value, those on which most coders err
    seem to have another, and that one to be a hard value.
    """
    item = at.annotations[0]
    alike = np.bincount(item, at.difficulty[item], len(at.difficulty))
    return at.by_item[1], np.asarray(alike, float)


def _of_all(at: Deviations, found: Iterable[Explanation]) -> Iterator[Explanation]:
    """The same with the counts of all items, where only some were looked at."""
    for one in found:
        yield (
            one
            if at.part == 1
            else replace(
                one,
                observed=one.observed / at.part,
                expected=one.expected / at.part,
                of=one.of / at.part,
                share=one.share / at.part,
            )
        )


def _sorted_perhaps(at: Deviations) -> bool:
    """Whether a sorted file would look the same: two annotations do not tell the category."""
    return not at.timeline.known and not (at.null.patterns.size > 2).any()


def _stretches(d: Floats, e: Floats, n: Floats) -> tuple[Floats, Floats, Ints, Ints]:
    """Sums over stretches (..., S) of sums over bins (..., B), and their first and last bins."""
    bins = d.shape[-1]
    low, high = np.triu_indices(bins + 1, 1)
    per_bin = n.reshape(-1, bins).sum(0)
    share = np.diff(np.concatenate([[0], np.cumsum(per_bin)])[np.stack([low, high])], axis=0)[0]
    share = share / max(float(per_bin.sum()), 1)
    fits = (share >= SHORTEST) & (share <= LONGEST)
    low, high = low[fits], high[fits]
    up = [np.concatenate([np.zeros((*x.shape[:-1], 1)), np.cumsum(x, -1)], -1) for x in (d, e)]
    return (*(x[..., high] - x[..., low] for x in up), low, high)


@explanation(
    title="All coders differ more {where}",
    text="{where_begun} coders differ from each other in {n} annotations; "
    "errors as frequent as elsewhere would give {expected} ({p}).{order}",
    advice="Find out what was different there: another source of items, another "
    "version of the guideline, haste. Have these items annotated again.",
    remedy="task",
)
def stretch(at: Deviations) -> Iterator[Explanation]:
    """A stretch of the data in which all coders deviate more."""
    if _sorted_perhaps(at):
        return
    bins, many = at.timeline.of_items()[1], at.timeline.n_bins
    known = bins >= 0
    d, n, *expected = (
        np.bincount(bins[known], x[known], many).astype(float)
        for x in (at.by_item[0], np.ones(len(bins)), *_expected(at))
    )
    o, share, low, high = _stretches(d, np.stack([e / max(e.sum(), 1e-9) for e in expected]), n)
    yield from _of_all(
        at,
        best(
            at,
            "stretch",
            len(low),
            o,
            float(d.sum()),
            share.max(0),
            _overdispersion(at),
            lambda s: Mask(place=(int(low[s]), int(high[s]))),
        ),
    )


@explanation(
    title="Agreement {direction} {along}",
    text="Agreement {direction} {along}: in {where} coders differ in {n} "
    "annotations; at an even rate, {expected} would be expected ({p}).{order}",
    advice="Find out what changed with the order: the items, the guideline, or "
    "how tired the coders were.",
    remedy="task",
)
def trend(at: Deviations) -> Iterator[Explanation]:
    """Deviations of all coders that become more, or fewer, in the course of the data."""
    if _sorted_perhaps(at):
        return
    d, rank = at.by_item[0], at.timeline.of_items()[0]
    both, alike = np.stack(_expected(at)), np.zeros(len(d), int)
    yield from _trends(at, "trend", rank, d, both, alike, np.zeros(1))


@explanation(
    title="Items {where} are harder",
    text="On items {where} coders differ in {n} annotations; errors as "
    "frequent as elsewhere would give {expected} ({p}).",
    advice="Read these items: if the guideline does not fit them, add a rule"
    " and examples; if they are hard by themselves, report agreement on "
    "them apart.",
    remedy="items",
)
def item_group(at: Deviations) -> Iterator[Explanation]:
    """A group of items on which all coders deviate more."""
    if not at.groups:
        return
    n = sum(int(x.max(initial=-1)) + 1 for x in at.groups.values())
    wide = _overdispersion(at)
    for name, group in at.groups.items():
        has, many = group >= 0, int(group.max(initial=-1)) + 1
        d, *expected = (
            np.bincount(group[has], x[has], many).astype(float)
            for x in (at.by_item[0], *_expected(at))
        )
        share = np.max([e / max(e.sum(), 1e-9) for e in expected], 0)
        yield from _of_all(
            at,
            best(
                at,
                "item_group",
                n,
                d,
                float(d.sum()),
                share,
                wide,
                lambda s, name=name: Mask(place=(name, s)),
            ),
        )


def _of_each(at: Deviations) -> tuple[Ints, Floats, Floats]:
    """(N,) coder, deviations and (2, N) what the other coders lead to expect, by both `_expected`.

    Items are hard by the others.
    """
    item, entry = at.annotations
    (dev, exp), d = at.by_annotation, at.by_item[0]
    usual = np.full(len(dev), float(dev.mean())) * at.difficulty[item]
    both = []
    for pace, own in ((exp * at.own_pace[entry], exp), (usual, usual)):
        e = np.bincount(item, own, len(d))[item]
        both.append(pace * (OWN + d[item] - dev) / (OWN + np.maximum(e - pace, 0)))
    return at.null.patterns.coder[entry], dev, np.stack(both)


@explanation(
    title="{coder} agrees less {where}",
    text="{where_begun} {coder} differs from the others in {n} annotations; from"
    " how often elsewhere, {expected} would be expected ({p}).{order}",
    advice="Find out what was different there: another day, another version of "
    "the guideline, haste, a file that was mixed up. Have these items "
    "annotated again.",
    remedy="coder",
    sources=(),
)
def coder_stretch(at: Deviations) -> Iterator[Explanation]:
    """A stretch in which a coder deviates more than before and after."""
    if not at.sure:
        return
    coder, dev, both = _of_each(at)
    bins, many = at.timeline.at(at.annotations[0], coder)[1], at.timeline.n_bins
    known = bins >= 0
    cell, size = (coder * many + bins)[known], at.null.patterns.n_coders * many
    d, n, *expected = (
        np.bincount(cell, x[known], size).reshape(-1, many).astype(float)
        for x in (dev, np.ones(len(dev)), *both)
    )
    total, of_coder = d.sum(1)[:, None], np.maximum(n.sum(1)[:, None], 1)
    noise = 1 - np.minimum(total / of_coder, 0.9)
    shares = np.stack([e / np.maximum(e.sum(1)[:, None], 1e-9) for e in expected])
    o, share, low, high = _stretches(d, shares, n)
    yield from _of_all(
        at,
        best(
            at,
            "coder_stretch",
            o.size,
            o,
            total,
            share.max(0),
            noise,
            lambda c, s: Mask((c,), place=(int(low[s]), int(high[s]))),
        ),
    )


@explanation(
    title="{coder} agrees {direction} {along}",
    text="{coder} agrees {direction} with the others {along}: in {where} the "
    "coder differs in {n} annotations; at an even rate, {expected} would "
    "be expected ({p}).{order}",
    advice="Find out what changed: an edit of the guideline, a discussion, haste"
    " or tiredness, or learning. Retrain the coder on items that all have"
    " labelled, and have the items concerned annotated again.",
    remedy="coder",
    sources=(),
)
def coder_trend(at: Deviations) -> Iterator[Explanation]:
    """A coder who deviates more, or less, in the course of the data."""
    if not at.sure:
        return
    coder, dev, both = _of_each(at)
    times = at.timeline.at(at.annotations[0], coder)[0]
    yield from _trends(at, "coder_trend", times, dev, both, coder, too_often(at))


def _trends(
    at: Deviations, kind: str, times: Floats, dev: Floats, both: Floats, of: Ints, level: Floats
) -> Iterator[Explanation]:
    """The clearest leaning of deviations to the beginning or the end, of each coder or all.

    Its error is that of the deviations themselves, so that neither hard items nor uncertain
    categories make it. ``level`` (C,) is -log p that a coder deviates too often at all: who does,
    and more and more, need not be beyond the bound by either.
    """
    n = len(level)

    def by(x: Floats) -> Floats:
        return np.asarray(np.bincount(of, x, n), float)

    total = by(dev)
    paces = [exp * (total / np.maximum(by(exp), 1e-9))[of] for exp in both]
    leaning = []
    for pace in paces:
        away = times - (by(times * pace) / np.maximum(by(pace), 1e-9))[of]
        left = away * (dev - pace)
        leaning.append(by(left) / np.sqrt(by(left**2) + 1e-9))
    z = np.maximum(np.min(leaning, 0), 0) + np.minimum(np.max(leaning, 0), 0)  # the weaker one
    tried = 2 * n if at.focus is None else 2
    alone = -log_ndtr(-np.abs(z))
    product = alone + np.maximum(level, 0)  # of two p-values: Fisher 1932
    product = np.where(alone > SEEN, product - np.log1p(product), 0)
    score = np.where(total < FEW, -np.inf, np.maximum(alone, product) - cost(tried, at.kinds))
    if at.focus is not None:
        score[np.arange(n) != at.focus[0]] = -np.inf
    for c in np.argsort(-tied(score), kind="stable")[:2].tolist():
        if not score[c] > 0:
            return
        half = (of == c) & ((times > 0) if z[c] > 0 else (times < 0))
        o, e = float(dev[half].sum()), max(float(pace[half].sum()) for pace in paces)
        way = "rises" if z[c] > 0 else "falls"
        told = Explanation(
            kind,
            (c,) if kind == "coder_trend" else (),
            (),
            (way,),
            o,
            e,
            float(total[c]),
            float(score[c]),
            (o - e) / at.n,
        )
        yield from _of_all(at, [told])


@explanation(
    title="{coder} gives {second} for {first} {where}",
    text="{coder} gives {second} where the others give {first} in {n} "
    "annotations {where}; evenly spread, {expected} would be "
    "expected ({p}).{order}",
    advice="Ask the coder what changed: this looks like another rule from there "
    "on. Decide on one, and have the items of the other part annotated "
    "again.",
    remedy="coder",
    sources=(),
)
def coder_change(at: Deviations) -> Iterator[Explanation]:
    """A coder who begins, or ceases, to give one label where another is right."""
    if not at.sure:
        return
    o, e = at.changed_by
    z = (o - e) / np.sqrt(e + 1)
    many, tried = at.timeline.n_bins, o.size
    if at.focus is not None and len(at.focus) == CELL:
        z = np.where(
            np.arange(z.size).reshape(z.shape) == np.ravel_multi_index(at.focus, z.shape), z, 0
        )
        tried = len(o)
    for flat in np.argsort(-tied(z), axis=None, kind="stable")[: 2 * len(o)].tolist():
        c, a, b = (int(x) for x in np.unravel_index(flat, z.shape))
        if z[c, a, b] < 2:
            return
        item, *change = at.change_of(c, a, b)
        bins = at.timeline.at(item, np.full(len(item), c))[1]
        known = bins >= 0
        did, could = (np.cumsum(np.bincount(bins[known], x[known], many)) for x in change)
        early, share = did[:-1], could[:-1] / max(float(could[-1]), 1e-9)
        yield from _of_all(
            at,
            best(
                at,
                "coder_change",
                tried * (many - 1) / 2,
                np.stack([early, did[-1] - early]),
                float(did[-1]),
                np.stack([share, 1 - share]),
                1.0,
                lambda side, cut, c=c, a=a, b=b: Mask(
                    (c,),
                    (a, b),
                    (("until", "from")[side], cut + 1),
                    at.mask(at.changes.cells(a, b), c),
                ),
            ),
        )
