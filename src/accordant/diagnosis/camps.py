"""Groups of coders who agree among themselves and not with each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..measure.shares import LabelOrder, held_labels
from ..measure.weights import Weights
from ..results import Result
from ..scheme import Value
from .apart import all_disagreement
from .camp_search import Compared, best_split, gaps, how_rare

__all__ = ["CLEAR_GAP", "MOST_CODERS", "Camps", "camps"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

MOST_CODERS = 60  # a table of all pairs is made for each deal
MOST_ENTRIES = 2_000_000  # annotations of different patterns that the table of pairs is made from
CLEAR_GAP = 0.2  # a fifth of the disagreement between camps is not there within; our convention
CLEAR = 0.05  # a difference in the use of a category that is worth a word; our convention
WORTH_DEALING = 0.02  # a gap below is not worth a test: two points of agreement


@dataclass(frozen=True, eq=False)
class Camps(Result):
    """Camps of coders, or the reason why none were looked for or found. C coders, G camps.

    Parameters
    ----------
    coders : tuple of str
        (C,) names.
    of : ndarray of int
        (C,) the camp of each coder; -1 for one that belongs to none.
    names : tuple of tuple of str
        (G,) who belongs to each; empty if there are none.
    excess : ndarray
        (C, C) how much more two coders agree than any two coders of the same items.
    within, between : ndarray
        (G,) mean agreement of two coders of the camp, and of one of them with one of another camp.
    n_within, n_between : ndarray
        (G,) annotations of the same item that were compared for it.
    share : float
        Share of all disagreement that would be gone if camps agreed with each other as within.
    p_value : float
        Share of deals of the annotations of each item to its coders that show camps as far apart.
    values : tuple
        (L,) categories, or labels of sets.
    use : ndarray
        (G, L) share of the annotations of each camp that hold the label, on items of all camps,
        each item counting once.
    distance : ndarray
        (P,) how differently the camps labelled the items of each pattern, from 0 to 1.
    reason : str
        Why there are none.
    """

    coders: tuple[str, ...]
    of: Ints
    names: tuple[tuple[str, ...], ...]
    excess: Floats
    within: Floats
    between: Floats
    n_within: Floats
    n_between: Floats
    share: float
    p_value: float
    values: tuple[Value, ...]
    use: Floats
    distance: Floats
    reason: str = ""

    @property
    def gap(self) -> float:
        """Share of the disagreement between camps that is not there within the least united one.

        (within - between) / (1 - between): 0 where a camp is no more united than all coders, 1
        where its members always agree; NaN if there are no camps.
        """
        apart = 1 - self.between
        beyond = (self.within - self.between) / np.where(apart > 0, apart, np.nan)
        return float(beyond.min()) if len(beyond) else math.nan

    def clear(self, level: float) -> bool:
        """Whether there are camps beyond chance that are also far apart, by `CLEAR_GAP`.

        With many items a test finds camps that are hardly apart, so a small p-value is not enough.
        """
        return bool(self.names) and self.p_value < level and self.gap >= CLEAR_GAP

    @property
    def telling(self) -> int:
        """The label that tells the camps apart best: the widest range of its use.

        Of two labels with the same range it is the rarer one.
        """
        width = np.round(self.use.max(0) - self.use.min(0), 9)
        return int(np.lexsort((self.use.mean(0), -width))[0])

    @property
    def exchanged(self) -> tuple[Value | None, Value | None]:
        """The label that tells the camps apart best, and the one that is given in its place.

        None for the second if no label moves at least half as far the other way; None for both
        if no label moves far.
        """
        if not self.values or np.ptp(self.use[:, self.telling]) < CLEAR:
            return None, None
        k = self.telling
        moved = self.use[self.use[:, k].argmax()] - self.use[self.use[:, k].argmin()]
        other = int(moved.argmin())
        found = self.values[other] if -moved[other] >= moved[k] / 2 else None
        return self.values[k], found

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each camp."""
        return [
            {
                "camp": g + 1,
                "coders": ", ".join(names),
                "within": float(self.within[g]),
                "between": float(self.between[g]),
                "p_value": self.p_value,
            }
            for g, names in enumerate(self.names)
        ]


def camps(counts: Counts, w: Weights, labels: LabelOrder = None) -> Camps:
    """Look for two to four camps, each of two coders or more (Kairam & Heer 2016).

    Parameters
    ----------
    counts : Counts
    w : Weights
    labels : sequence, optional
        The order of the labels that sets hold.

    Notes
    -----
    Kairam & Heer cluster workers by how far their annotations overlap, to find groups that read
    the task in different ways. Here the agreement of two coders is taken beyond the mean agreement
    on each item, so that neither easy items nor chance make two coders alike. Clusters are those of
    average linkage. What counts is the smallest gap, over the camps, of the agreement within a camp
    above the agreement with each other camp, times the share of the coders who are in a camp. So
    careless coders, who agree as little with each other as with the rest, are no camp. The gap is
    compared with the one that the same search finds after the annotations of each item were dealt
    to its coders at random, 200 times with a fixed seed (fewer once 10 deals show as large a gap:
    Besag & Clifford 1991).

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> one, other = ["a", "b", "b", "a"] * 10, ["a", "b", "a", "a"] * 10
    >>> counts = count(read([one, other, one, other]))
    >>> found = camps(counts, weights_for("identity", counts))
    >>> found.names, found.within.tolist(), found.between.tolist(), found.gap
    ((('coder 1', 'coder 3'), ('coder 2', 'coder 4')), [1.0, 1.0], [0.75, 0.75], 1.0)
    """
    refused = _refused(counts)
    if refused:
        return _none(counts, refused)
    w = w.symmetrised
    pairs = Compared.of(counts, w)
    excess = pairs.excess(w.at(pairs.first, pairs.second), counts.n_coders)
    split, gap = best_split(*excess)
    if split is None or gap < WORTH_DEALING:
        return _none(counts, "no group of coders agrees more within than with the others")
    p = how_rare(counts, w, gap)
    return _described(counts, w, pairs, split, excess[0], p, labels)


def _refused(counts: Counts) -> str:
    if counts.coder is None:
        return "the data do not tell who gave which label"
    if counts.n_coders < 4:
        return "coder groups of two or more need four coders"
    if counts.n_coders > MOST_CODERS:
        return f"there are more than {MOST_CODERS} coders"
    if counts.n_questions > 1:
        return "coder groups are looked for in each question separately"
    m = counts.size.astype(float)
    if len(counts.value) > MOST_ENTRIES or float((m * m).sum()) > 2 * MOST_ENTRIES:
        return "there are too many different patterns of annotation"
    return ""


def _none(counts: Counts, reason: str) -> Camps:
    no, nothing = np.zeros(0), np.zeros((0, 0))
    of = np.full(counts.n_coders, -1)
    return Camps(
        counts.coders, of, (), nothing, no, no, no, no, 0.0, math.nan, (), nothing, no, reason
    )


def _described(
    counts: Counts, w: Weights, pairs: Compared, split: Ints, excess: Floats,
    p: float, labels: LabelOrder,
) -> Camps:  # fmt: skip
    """The camps, the largest first, with what tells them apart."""
    size = np.bincount(split[split >= 0])
    order = np.argsort(-size, kind="stable")
    number = np.append(np.argsort(order), -1)
    of = number[split]
    same = w.at(pairs.first, pairs.second)
    agreed, n = pairs.summed(same, counts.n_coders)
    within, between, inside, outside = gaps(of, agreed, n)
    beyond, across, _, crossing = gaps(of, pairs.summed(same - pairs.mean, counts.n_coders)[0], n)
    lost = float((crossing * (np.average(beyond, weights=inside) - across)).sum() / 2)
    whole = all_disagreement(counts, w)
    values, use, distance = _use(counts, of, labels)
    return Camps(
        coders=counts.coders,
        of=of,
        names=tuple(
            tuple(counts.coders[c] for c in np.flatnonzero(of == g)) for g in range(len(size))
        ),
        excess=excess,
        within=within,
        between=between,
        n_within=inside,
        n_between=outside,
        share=min(1.0, max(0.0, lost / whole)) if whole else 0.0,
        p_value=p,
        values=values,
        use=use,
        distance=distance,
    )


def _use(counts: Counts, of: Ints, labels: LabelOrder) -> tuple[tuple[Value, ...], Floats, Floats]:
    """Labels, (G, L) their share in each camp on common items, (P,) distance of the camps."""
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    n_camps, n_patterns = int(of.max()) + 1, counts.n_patterns
    values: tuple[Value, ...] = counts.values
    members = None
    if counts.of_sets:
        values, members = held_labels(counts, labels)
    camp = of[coder]
    size = np.stack(
        [np.bincount(counts.row[camp == g], minlength=n_patterns) for g in range(n_camps)]
    )
    common = (size > 0).all(0)
    times = counts.times * common
    use = np.zeros((n_camps, len(values)))
    for g in range(n_camps):
        own = camp == g
        row, value = counts.row[own], counts.value[own]
        weight = times[row] / np.maximum(size[g][row], 1)
        n = np.bincount(value, weights=weight, minlength=counts.n_values)
        use[g] = n if members is None else n @ members.astype(float)
    use = use / max(float(times.sum()), 1e-300)
    return values, use, _distance(counts, camp, size)


def _distance(counts: Counts, camp: Ints, size: Ints) -> Floats:
    """(P,) largest distance of two camps on the items of a pattern: half the sum of differences."""
    cell = counts.row * np.int64(counts.n_values) + counts.value
    cells, of = np.unique(cell, return_inverse=True)
    share = np.stack([
        np.bincount(of[camp == g], weights=1 / size[g][counts.row[camp == g]], minlength=len(cells))
        for g in range(len(size))
    ])  # fmt: skip
    found = np.zeros(counts.n_patterns)
    for g in range(len(size)):
        for h in range(g):
            d = np.abs(share[g] - share[h]) / 2
            d = np.bincount(cells // counts.n_values, weights=d, minlength=counts.n_patterns)
            found = np.maximum(found, np.where((size[g] > 0) & (size[h] > 0), d, 0))
    return found
