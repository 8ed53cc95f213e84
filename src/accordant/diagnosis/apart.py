"""Whether one coder agrees less with the others than these among themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.registry import item_agreement
from ..measure.weights import Weights
from ..results import Result
from .coders import agreement_with_others
from .exact_tests import tail_bound

__all__ = ["Apart", "all_disagreement", "apart", "beside_the_others", "others_say", "rest_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

WORTH_A_TEST = 2.0  # standard errors; below, no bound of a tail is small
MOST_ENTRIES = 20_000_000  # annotations of different patterns that are gone through


@dataclass(frozen=True, eq=False)
class Apart(Result):
    """Each coder beside the others, on the items that it and two more annotated. C coders.

    Parameters
    ----------
    coders : tuple of str
        (C,) names.
    n_items : ndarray
        (C,) items that the coder and at least two others annotated.
    own : ndarray
        (C,) mean disagreement of the coder with the others, each item counting once.
    among : ndarray
        (C,) mean disagreement of the others with each other on the same items.
    share : ndarray
        (C,) share of all disagreement that would be gone if the coder disagreed as the others do;
        below 0 where it agrees better.
    p_value : ndarray
        (C,) at most the probability of so much disagreement or more if the annotations of an item
        were dealt to its coders at random; 1 where the difference is too small for a test.
    """

    coders: tuple[str, ...]
    n_items: Floats
    own: Floats
    among: Floats
    share: Floats
    p_value: Floats

    @property
    def excess(self) -> Floats:
        """(C,) how much more the coder disagrees than the others."""
        return self.own - self.among

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        return [
            {
                "coder": name,
                "n_items": int(self.n_items[c]),
                "agreement": float(1 - self.own[c]),
                "others": float(1 - self.among[c]),
                "share": float(self.share[c]),
                "p_value": float(self.p_value[c]),
            }
            for c, name in enumerate(self.coders)
        ]


def beside_the_others(counts: Counts, w: Weights) -> tuple[Floats, Floats]:
    """(E,) mean disagreement of an annotation with the others of its item, and of these others.

    NaN where nobody else, or only one other coder, annotated the item.
    """
    agreed = agreement_with_others(counts, w.symmetrised)
    m = counts.size[counts.row].astype(float)
    total = counts.sum_entries(agreed)[counts.row]
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(m > 1, 1 - agreed / (m - 1), np.nan)
        among = np.where(m > 2, 1 - (total - 2 * agreed) / ((m - 1) * (m - 2)), np.nan)
    return own, among


def others_say(counts: Counts) -> Ints:
    """(E,) the value that most of the other coders of an item gave, the first one of a tie.

    The coder's own where nobody else annotated the item.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([["a"], ["a"], ["b"]]))
    >>> [counts.values[v] for v in others_say(counts)]
    ['a', 'a', 'a']
    """
    bare = counts.anonymous
    if not len(bare.value):
        return counts.value
    order = np.lexsort((-bare.n, bare.row))
    first = order[bare.start[:-1]]
    second = order[np.minimum(bare.start[:-1] + 1, bare.start[1:] - 1)]
    of = counts.anonymous_of[counts.row]
    one, other = first[of], second[of]
    own = counts.value == bare.value[one]
    left = bare.n[one] - own
    return np.asarray(np.where(own & (left < bare.n[other]), bare.value[other], bare.value[one]))


def all_disagreement(counts: Counts, w: Weights) -> float:
    """Disagreement of all items, each with the weight of its annotations, as in alpha."""
    paired = counts.size >= 2
    d = 1 - item_agreement(counts, w)[paired]
    return float((counts.times * counts.size)[paired] @ d)


def apart(counts: Counts, w: Weights, whole: float | None = None) -> Apart | None:
    """Compare each coder with the others; None if that needs more coders, or too much work.

    Parameters
    ----------
    counts : Counts
    w : Weights
    whole : float, optional
        Disagreement of which `Apart.share` is a share, by default all that there is.

    Notes
    -----
    If coders differ by nothing but their names, every deal of the annotations of an item to the
    coders of this item is as likely as another. The sum of (own - among) over the items of a
    coder is judged by the distribution that these deals give it, with `tail_bound`.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> counts = count(read([["a", "b"] * 20, ["a", "b"] * 20, ["a", "a"] * 20]))
    >>> found = apart(counts, weights_for("identity", counts))
    >>> found.own.tolist(), found.among.tolist(), bool(found.p_value[2] < 0.001)
    ([0.25, 0.25, 0.5], [0.5, 0.5, 0.0], True)
    """
    if counts.coder is None or counts.n_coders < 3 or len(counts.value) > MOST_ENTRIES:
        return None
    own, among = beside_the_others(counts, w)
    known = ~np.isnan(among)
    x = np.where(known, own - among, 0.0)
    times = counts.times[counts.row] * known
    n = _summed(counts, times)
    if not n.any():
        return None
    over = np.where(n > 0, n, np.nan)
    excess = _summed(counts, times * x)
    m = counts.size.astype(float)
    spread = (counts.sum_entries(x * x) / np.maximum(m, 1))[counts.row]  # deals of one item
    error = np.sqrt(_summed(counts, times * spread))
    p = np.ones(counts.n_coders)
    worth = max(WORTH_A_TEST, np.sqrt(2 * np.log(counts.n_coders)))
    deals = _Deals.of(counts, x)
    for c in np.flatnonzero(excess > worth * error):
        p[c] = deals.p_value(int(c), float(excess[c]))
    whole = all_disagreement(counts, w) if whole is None else whole
    return Apart(
        coders=counts.coders,
        n_items=n,
        own=_summed(counts, times * np.where(known, own, 0)) / over,
        among=_summed(counts, times * np.where(known, among, 0)) / over,
        share=2 * excess / whole if whole else np.zeros(len(n)),
        p_value=p,
    )


def _summed(counts: Counts, x: NDArray[Any]) -> Floats:
    """(C,) sum of ``x`` (E,) over the annotations of each coder."""
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    return np.bincount(coder, weights=x, minlength=counts.n_coders).astype(float)


@dataclass(frozen=True, eq=False)
class _Deals:
    """What a coder may be dealt of an item: its annotations without who gave them.

    All items with the same annotations, whoever gave them, are one kind of deal. ``x`` is what
    each entry of ``bare`` adds to the sum; ``kind`` (E,) the kind of an entry of the counts,
    ``start`` (C + 1,) where in ``order`` the entries of a coder are.
    """

    bare: Counts
    x: Floats
    kind: Ints
    times: NDArray[Any]
    order: Ints
    start: Ints

    @classmethod
    def of(cls, counts: Counts, x: Floats) -> _Deals:
        """``x`` (E,) is the same for whoever gave a value to an item of a kind."""
        bare, k = counts.anonymous, np.int64(counts.n_values)
        coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
        kind = counts.anonymous_of[counts.row]
        each = np.zeros(len(bare.value))
        each[np.searchsorted(bare.row * k + bare.value, kind * k + counts.value)] = x
        order = np.argsort(coder, kind="stable")
        start = np.searchsorted(coder[order], np.arange(counts.n_coders + 1))
        return cls(bare, each, kind, counts.times[counts.row], order, start)

    def p_value(self, coder: int, excess: float) -> float:
        """Bound of the tail, over what the coder would get if annotations were dealt anew."""
        its = self.order[self.start[coder] : self.start[coder + 1]]
        kinds, of = np.unique(self.kind[its], return_inverse=True)
        size = np.diff(self.bare.start)[kinds]
        begin = np.cumsum(size) - size
        number = np.repeat(np.arange(len(kinds)), size)
        entry = self.bare.start[:-1][kinds][number] + np.arange(len(number)) - begin[number]
        share = self.bare.n[entry] / self.bare.size[kinds][number]
        times = np.bincount(of, weights=self.times[its])
        return tail_bound(self.x[entry], share, number, times, excess)


def rest_of(counts: Counts, names: Iterable[str]) -> Counts:
    """The annotations of all coders but some."""
    out = set(names)
    return counts.of_coders(np.array([c for c, n in enumerate(counts.coders) if n not in out], int))
