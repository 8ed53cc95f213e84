"""Explanations that name a coder, or groups of coders."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np
from numpy.typing import NDArray

from ..inference.null import surprise
from .deviations import Deviations
from .explanation import NOMINAL, Explanation, Mask, best, cost, explanation

__all__ = ["ordinary_rate"]

Floats = NDArray[np.float64]

SPREAD = 0.07  # coders usually differ by so much in accuracy (sd), unless the data say more
ABLE, FAR = 1.25, 2.5  # standard deviations from the median: worth telling, and not ordinary
NEVER = 1e9  # clumping of a candidate that has no excess within items


def ordinary_rate(at: Deviations, far: float = FAR) -> Floats:
    """(C,) how often the least accurate of ordinary coders would deviate on the coder's items."""
    null = at.null
    n = null.exposure.sum(1)
    net = (at.observed / np.maximum(null.factors, 1)).sum((1, 2))
    rate = (net / np.maximum(n, 1))[n > 0]
    middle = float(np.median(rate))
    spread = max(SPREAD, 1.48 * float(np.median(np.abs(rate - middle))))
    top = np.clip(middle + far * spread, 0.01, 0.99)
    hard = null.weakness / max(null.weakness @ null.exposure.sum(0) / null.exposure.sum(), 1e-9)
    hard = np.clip(null.exposure @ np.minimum(hard, 3) / np.maximum(n, 1), 0.5, 2)
    return np.asarray(np.clip(top * hard, 0, 0.99))


@explanation
def coder(at: Deviations) -> Iterator[Explanation]:
    """A coder who deviates more often than coders do on average, ordinarily or not."""
    if not at.sure:
        return
    net = (at.observed / np.maximum(at.null.factors, 1)).sum((1, 2))
    n = at.null.exposure.sum(1)
    ordinary = net <= ordinary_rate(at) * n
    yield from best(
        at, "coder", len(n), net, n, ordinary_rate(at, ABLE), 1.0,
        lambda c: Mask(
            (c,), place=("ordinary",) if ordinary[c] else (),
            cells=at.mask(np.ones(at.observed.shape[1:], bool), c),
        ),
    )  # fmt: skip


def _seen(at: Deviations, *, less: bool = False) -> Floats:
    """(C, L) 1 where the coder gives the label too often within items as well, else never."""
    found = at.within_items[1 if less else 0]
    return np.where(found > log(found.size / NOMINAL), 1.0, NEVER)


@explanation
def coder_gives(at: Deviations) -> Iterator[Explanation]:
    """A coder who gives a label too often."""
    if not at.sure:
        return
    o, e = at.changes.gains(at.observed), at.changes.gains(at.expected)
    dc, ec = at.of_coder
    n = o.shape[1] if at.changes.plain else o.shape[1] - 1
    yield from best(
        at, "coder_gives", o.size, o[:, :n], dc[:, None], (e / ec[:, None])[:, :n],
        _seen(at)[:, :n],
        lambda c, b: Mask((c,), (b,), cells=at.mask(at.changes.gained[:, :, b], c)),
    )  # fmt: skip


@explanation
def coder_omits(at: Deviations) -> Iterator[Explanation]:
    """A coder who leaves a label out of sets, or hardly ever gives a category."""
    if not at.sure:
        return
    o, e = at.changes.losses(at.observed), at.changes.losses(at.expected)
    dc, ec = at.of_coder
    n = o.shape[1] if at.changes.plain else o.shape[1] - 1
    yield from best(
        at, "coder_omits", o.size, o[:, :n], dc[:, None], (e / ec[:, None])[:, :n],
        _seen(at, less=True)[:, :n],
        lambda c, a: Mask((c,), (a,), cells=at.mask(at.changes.lost[:, :, a], c)),
    )  # fmt: skip


@explanation
def coder_cell(at: Deviations) -> Iterator[Explanation]:
    """A coder who gives one label where another is right."""
    if not at.sure:
        return
    o, e = at.changed_by
    dc, ec = at.of_coder
    yield from best(
        at, "coder_cell", o.size, o, dc[:, None, None], e / ec[:, None, None],
        _seen(at)[:, None, :],
        lambda c, a, b: Mask((c,), (a, b), cells=at.mask(at.changes.cells(a, b), c)),
    )  # fmt: skip


@explanation
def swapped(at: Deviations) -> Iterator[Explanation]:
    """A coder who takes two labels for each other, as with swapped keys."""
    if not at.sure:
        return
    o, e = (np.triu(x + np.swapaxes(x, 1, 2), 1) for x in at.changed_by)
    dc, ec = at.of_coder
    both = np.minimum(*_two_ways(at))
    yield from best(
        at, "swapped", o.size / 2, o, dc[:, None, None], e / ec[:, None, None],
        np.where(both > 2, 1.0, NEVER),
        lambda c, a, b: Mask(
            (c,), (a, b), cells=at.mask(at.changes.cells(a, b) | at.changes.cells(b, a), c)
        ),
    )  # fmt: skip


def _two_ways(at: Deviations) -> tuple[Floats, Floats]:
    """(C, L, L) how many standard deviations a change and its reverse are beyond the null."""
    o, e = at.changed_by
    z = (o - e) / np.sqrt(e + 1)
    return z, np.swapaxes(z, 1, 2)


@explanation
def shifted(at: Deviations) -> Iterator[Explanation]:
    """A coder who gives higher, or lower, values than the others."""
    if not (at.sure and at.ordinal):
        return
    n = at.observed.shape[1]
    ways = np.array([np.triu(np.ones((n, n), bool), 1), np.tril(np.ones((n, n), bool), -1)])
    yield from _along_the_scale(at, "shifted", ways)


@explanation
def narrow(at: Deviations) -> Iterator[Explanation]:
    """A coder who avoids the ends of the scale, or prefers them."""
    n = at.observed.shape[1]
    if not (at.sure and at.ordinal and n > 2):
        return
    out = np.abs(np.arange(n) - (n - 1) / 2)
    inwards = out[None, :] < out[:, None]
    yield from _along_the_scale(at, "narrow", np.array([inwards, inwards.T]))


def _along_the_scale(at: Deviations, kind: str, ways: NDArray[np.bool_]) -> Iterator[Explanation]:
    """Deviations in one of two ways; the place says in which."""
    o, e = (np.einsum("ckl,skl->cs", x, ways) for x in (at.observed, at.expected))
    dc, ec = at.of_coder
    yield from best(
        at, kind, o.size, o, dc[:, None], e / ec[:, None], 1.0,
        lambda c, s: Mask((c,), place=(("up", "down"), ("in", "out"))[kind == "narrow"][s : s + 1],
                          cells=at.mask(ways[s], c)),
    )  # fmt: skip


@explanation
def coder_groups(at: Deviations) -> Iterator[Explanation]:
    """Some coders give one label where the others give another."""
    n = at.observed.shape[0]
    if not at.sure or n < 4:
        return
    d, e = at.changed_by
    labels = at.changes.n
    found = []
    for a, b in zip(*np.triu_indices(labels, 1), strict=True):
        one = _parted(at, d, e, int(a), int(b))
        if one is not None:
            found.append(one)
    yield from sorted(found, key=lambda x: -x.score)[:3]


def _parted(at: Deviations, d: Floats, whole: Floats, a: int, b: int) -> Explanation | None:
    """The best division of coders over two labels, if it is beyond the bound.

    Net of how often each coder deviates elsewhere. Members of a group must do it about alike:
    coders who differ by degrees are no groups.
    """
    n = len(d)
    rest, by_null = (x.sum((1, 2)) - x[:, a, b] - x[:, b, a] + 3 for x in (d, whole))
    e = whole * (rest / by_null)[:, None, None]
    z = (d - e) / np.sqrt(e + 1)
    lean = (d - e)[:, a, b] - (d - e)[:, b, a]
    order = np.argsort(-lean / np.sqrt(e[:, a, b] + e[:, b, a] + 1), kind="stable")
    of, by_all = (np.array(x[:, [a, b]].sum()) for x in (d, e))
    o, x = (
        np.cumsum(t[order, a, b])[:-1] + np.cumsum(t[order[::-1], b, a])[::-1][1:] for t in (d, e)
    )
    score = surprise(o, of, x / by_all, at.clumping[a, b])
    score -= log(2) * (n - 1) + cost(at.changes.n * (at.changes.n - 1) / 2)
    for split in np.argsort(-score).tolist():
        one, two = order[: split + 1], order[split + 1 :]
        if score[split] <= 0:
            return None
        several = (z[one, a, b] > 2).sum() + (z[two, b, a] > 2).sum() >= 2
        large = min(len(one), len(two)) >= 2
        if large and several and _alike(at, d, one, a, b) and _alike(at, d, two, b, a):
            cells = np.zeros(at.observed.shape, bool)
            cells[one] |= at.changes.cells(a, b)
            cells[two] |= at.changes.cells(b, a)
            there = float(x[split] / by_all * of)
            return Explanation(
                "coder_groups", tuple(sorted(one.tolist())), (a, b), (), float(o[split]), there,
                float(of), float(score[split]), float(o[split] - there) / at.n, cells,
            )  # fmt: skip
    return None


def _alike(at: Deviations, d: Floats, members: NDArray[np.int64], a: int, b: int) -> bool:
    """Whether the members of a group change a into b about equally often."""
    exposure = at.null.exposure[members] @ at.changes.lost[:, :, a].any(1)
    o = d[members, a, b]
    e = exposure * o.sum() / max(float(exposure.sum()), 1e-9)
    return bool(((o - e) ** 2 / (e + 0.5)).sum() < 3 * len(members))
