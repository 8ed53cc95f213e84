"""Coders who are apart from the others on one group of items only, such as a batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..counts.tables import evenly, one_by_one
from ..data.annotations import Annotations
from ..measure.weights import Weights
from .apart import apart, beside_the_others
from .groups import FEW_ITEMS, columns_of

__all__ = ["Spot", "spots"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

MOST_COLUMNS = 10
MOST_TRIED = 5  # coders and groups that are tested exactly, the clearest ones
MOST_ANNOTATIONS = 500_000  # that are summed by group, for each column
WORTH_A_TEST = 3.0  # standard errors; below, no corrected bound of a tail is small
CLEAR = 0.1  # more disagreement than the others have; our convention
ELSEWHERE = 1 / 3  # of that, at most, on all other items; our convention


@dataclass(frozen=True, eq=False)
class Spot:
    """A group of items on which a coder is apart, and hardly elsewhere.

    ``agreement`` with the others on the ``n_items`` items of the group, that of the ``others``
    among themselves there, and both on all other items; ``share`` of all disagreement that is
    beyond theirs there; ``p_value`` corrected for the number of groups, not for that of coders.
    ``items`` are the positions of the items of the group that were looked at.
    """

    coder: str
    column: str
    value: str
    n_items: int
    agreement: float
    others: float
    elsewhere: float
    others_elsewhere: float
    share: float
    p_value: float
    items: Ints


@dataclass(frozen=True, eq=False)
class _Sums:
    """(C, G) sums over the items of the groups of a column, of the coder beside the others."""

    n: Floats
    own: Floats
    among: Floats
    variance: Floats

    def excess(self) -> tuple[Floats, Floats]:
        """Mean disagreement beyond that of the others, in the group and on all other items."""
        x, n = self.own - self.among, self.n
        rest, total = n.sum(1, keepdims=True) - n, x.sum(1, keepdims=True) - x
        return x / np.where(n > 0, n, np.nan), total / np.where(rest > 0, rest, np.nan)


def spots(
    data: Annotations, counts: Counts, w: Weights, whole: float, *, level: float,
    only: str | None = None,
) -> tuple[Spot, ...]:  # fmt: skip
    """Coders with a group of items on which they are apart, the most disagreement first.

    Parameters
    ----------
    data : Annotations
    counts : Counts
        The counts of these data, of all coders or some.
    w : Weights
    whole : float
        The disagreement of which `Spot.share` is a share.
    level : float
        Of the tests of all coders and groups together (Bonferroni).
    only : str, optional
        The coder who is looked at, by default each.

    Notes
    -----
    Within a group the coder is judged as by `apart`: every deal of the annotations of an item to
    its coders is as likely as another. So a group of hard items alone makes nobody apart.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.diagnosis.apart import all_disagreement
    >>> from accordant.measure.distances import weights_for
    >>> rows = {"item": list(range(60)), "batch": ["one"] * 30 + ["two"] * 30, "x": ["a", "b"] * 30}
    >>> rows |= {"y": rows["x"], "z": rows["x"][:30] + ["b", "a"] * 15}
    >>> data = read(rows, coder=["x", "y", "z"])
    >>> counts = count(data)
    >>> w = weights_for("identity", counts)
    >>> found = spots(data, counts, w, all_disagreement(counts, w), level=0.01)
    >>> [(s.coder, s.column, s.value, s.agreement, s.elsewhere) for s in found]
    [('z', 'batch', 'two', 0.0, 1.0)]
    """
    if counts.coder is None or counts.n_coders < 3 or not data.metadata or not whole:
        return ()
    items = evenly(len(data.items))
    items = items[np.append(counts.size >= 3, False)[counts.pattern_of[items]]]
    columns = islice(columns_of(data, items, texts=False), MOST_COLUMNS)
    tried, n_groups, sides = [], 0, beside_the_others(counts, w)
    for name, group, values in columns:
        sums = _sums(counts, sides, items, group, len(values))
        if sums is None:
            return ()
        n_groups += int((np.bincount(group[group >= 0], minlength=len(values)) >= FEW_ITEMS).sum())
        for c, g, z in _clear(sums):
            if only is None or counts.coders[c] == only:
                tried.append((z, c, g, name, values[g], items[group == g], sums))
    tried.sort(key=lambda x: -x[0])
    n_coders = 1 if only is not None else counts.n_coders
    found: dict[str, Spot] = {}
    for _, c, g, name, value, those, sums in tried[:MOST_TRIED]:
        times = np.bincount(counts.pattern_of[those], minlength=counts.n_patterns)
        seen = apart(counts.drawn(times.astype(float)), w, whole)
        coder = counts.coders[c]
        if seen is None or coder in found:
            continue
        p = min(1.0, float(seen.p_value[c]) * n_groups)
        if p * n_coders < level:
            n, rest = sums.n[c, g], sums.n[c].sum() - sums.n[c, g]
            own, among = (
                1 - (x[c].sum() - x[c, g]) / rest if rest else np.nan
                for x in (sums.own, sums.among)
            )
            part = len(data.items) / max(1, len(evenly(len(data.items))))
            found[coder] = Spot(
                coder, name, value, int(n), float(1 - seen.own[c]), float(1 - seen.among[c]),
                float(own), float(among), float(min(1.0, part * seen.share[c])), p, those,
            )  # fmt: skip
    return tuple(sorted(found.values(), key=lambda x: -x.share))


def _sums(
    counts: Counts, sides: tuple[Floats, Floats], items: Ints, group: Ints, n_groups: int
) -> _Sums | None:
    """What is known of each coder in each group; None if that is too much work."""
    if counts.coder is None or counts.size[counts.pattern_of[items]].sum() > MOST_ANNOTATIONS:
        return None
    own, among = sides
    x = np.nan_to_num(own - among)
    m = np.maximum(counts.size.astype(float), 1)
    spread = (counts.sum_entries(x * x) / m)[counts.row]
    kept = items[group >= 0]
    item, entry = one_by_one(counts, kept)
    shape = counts.n_coders, n_groups
    cell = counts.coder[entry] * np.int64(n_groups) + group[group >= 0][item]

    def summed(y: Floats) -> Floats:
        n = np.bincount(cell, weights=y[entry], minlength=shape[0] * shape[1])
        return np.asarray(n.reshape(shape), float)

    return _Sums(summed(np.ones(len(x))), summed(own), summed(among), summed(spread))


def _clear(sums: _Sums) -> Iterator[tuple[int, int, float]]:
    """Coder, group and standard errors of what is worth a test."""
    here, elsewhere = sums.excess()
    z = sums.n * here / np.sqrt(np.where(sums.variance > 0, sums.variance, np.nan))
    with np.errstate(invalid="ignore"):
        clear = (sums.n >= FEW_ITEMS) & (here >= CLEAR) & (z >= WORTH_A_TEST)
        clear &= elsewhere <= ELSEWHERE * here
        clear &= sums.n.sum(1, keepdims=True) - sums.n >= FEW_ITEMS
    for c, g in np.argwhere(clear).tolist():
        yield c, g, float(z[c, g])
