"""By how much coders of an item err together, and what an annotation is worth then.

Models of coders take errors as independent, and coders stumble over the same items. What of this
can be seen is how much the errors of the coders of an item correlate beyond the estimated truth.
It is only a part, since the estimated truth goes where the coders go; how much of an annotation its
neighbours repeat, given what is seen, was learned from crowds with known labels. It is never read
off once but averaged over: a crowd may be independent, or like those.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from .estimators.blend import Judged, judged, judged_by
from .votes import Votes

RHO = np.r_[0.0, np.geomspace(0.01, 4, 24)]
"""One annotation counts 1 / (1 + rho (n - 1)^NEIGHBOURS)."""
NEIGHBOURS = 0.65  # n - 1 neighbours repeat less than n - 1 times as much as one does
INDEPENDENT = 0.8  # prior probability: then one independent crowd in twenty is recalibrated
SEEN_MEAN, SEEN_SD = -3.57, 0.74
"""Log correlation of errors in fourteen public crowds: mean and deviation."""
RHO_MEAN, RHO_SLOPE, RHO_SD = -0.6, 0.75, 0.3
"""Log rho of a crowd with the mean correlation; its slope on the log correlation; its
deviation. The least mean log-loss of the fourteen crowds: .43 where each is left out, .41 at
best."""
MISJUDGED = 0.4
"""Log odds by which all coders of a dependent crowd are misjudged together: deviation."""
CORRELATIONS = np.geomspace(0.002, 0.5, 60)
LEAST_ERROR = 1e-4
LEAST_WEIGHT = 1e-6
SHARPEST = 4.0  # power up to which beliefs that are flatter than those of the blend are raised
STEPS = 12  # that halve the range of that power
UNLIKELY = 1e-3  # beliefs below it do not enter
CELLS = 500_000  # annotations x answers that are looked at; more tell nothing new


@dataclass(frozen=True, eq=False)
class Dependence:
    """How much coders err together.

    Parameters
    ----------
    correlation : float
        Of the errors of two coders of an item, beyond the estimated truth; NaN if no item has two.
    error : float
        Its standard error, clustered by items.
    per_item : float
        Annotations that an annotation shares its item with, and itself: Σ n² / Σ n.
    n_items : int
        Items with two annotations or more that were looked at.
    weights : ndarray
        (R,) posterior of `RHO`.
    """

    correlation: float
    error: float
    per_item: float
    n_items: int
    weights: Floats

    @property
    def independent(self) -> float:
        """Probability that coders err independently."""
        return float(self.weights[0])

    @property
    def seen(self) -> bool:
        """Whether it is more probable than not that coders err together."""
        return self.independent < 0.5

    @property
    def misjudged(self) -> float:
        """Log odds by which all coders may be misjudged together: a standard deviation."""
        return MISJUDGED * (1 - self.independent)

    @cached_property
    def kept(self) -> list[tuple[float, float]]:
        """The values of rho that matter, and their weights."""
        pairs = zip(RHO.tolist(), self.weights.tolist(), strict=True)
        return [(rho, w) for rho, w in pairs if w > LEAST_WEIGHT]

    def worth(self, n: Floats) -> Floats:
        """(I,) what an annotation counts on an item with n, on average over rho.

        Examples
        --------
        >>> NOT_MEASURED.worth(np.array([1.0, 10.0])).tolist()
        [1.0, 1.0]
        """
        return np.asarray(sum(w * worth(n, rho) for rho, w in self.kept))

    def reweighted(self, log_likelihood: Floats) -> Dependence:
        """The same, given how probable something known is (R,) for each `RHO`."""
        logs = np.where(self.weights > 0, np.log(np.maximum(self.weights, 1e-300)), -np.inf)
        logs = logs + log_likelihood
        weights = np.exp(logs - logs.max())
        return Dependence(
            self.correlation, self.error, self.per_item, self.n_items, weights / weights.sum()
        )


def worth(n: Floats, rho: float) -> Floats:
    """(I,) what an annotation counts on an item with n, if neighbours repeat rho of it."""
    return np.asarray(1 / (1 + rho * np.maximum(n - 1, 0) ** NEIGHBOURS))


NOT_MEASURED = Dependence(math.nan, math.nan, 1.0, 0, np.eye(1, len(RHO))[0])


def dependence(votes: Votes, q: Floats | None = None) -> Dependence:
    """Measure how much the coders of an item err together.

    The blend of two accounts estimates the truth for it, and a coder's errors on an item are judged
    by other items, so that independent coders show none. Given the truth of a model, errors may
    correlate more, since it misses how coders err: then it is judged by that. A model that is less
    sure than the blend is judged as if it were as sure: else what it leaves open, which all coders
    of an item share, would look like an error that they share.

    Parameters
    ----------
    votes : Votes
    q : ndarray, optional
        (I, K) beliefs of a model.

    Returns
    -------
    Dependence

    Notes
    -----
    With e = (answer is o) - P(coder answers o | truth k), the correlation is

        Σ_i Σ_k q_ik Σ_o Σ_{j≠j'} e_ij e_ij'  /  Σ_i Σ_k q_ik Σ_o Σ_{j≠j'} sd_j sd_j'

    over the pairs of annotations of each item, as the design effect of samples in clusters (Kish
    1965). Its logarithm in a dependent crowd is Normal(`SEEN_MEAN`, `SEEN_SD`), that of rho given
    it Normal(`RHO_MEAN` + `RHO_SLOPE` (log r - `SEEN_MEAN`), `RHO_SD`).

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> table = votes(read([["a", "b", "a", "b"], ["a", "b", "a", "b"], ["a", "b", "b", "a"]]))
    >>> found = dependence(table)
    >>> found.per_item, 0 < found.independent < 1
    (3.0, True)
    """
    n = votes.per_item
    per_item = float((n**2).sum() / n.sum())
    several = np.flatnonzero(np.diff(votes.item_start) > 1)
    if not len(several) or votes.n_categories < 2:
        return NOT_MEASURED
    items = _some(votes, several)
    some = votes if len(items) == len(several) else votes.on(items)
    blend = judged(some)
    correlation, error = _correlation(some, blend, items)
    if q is not None:
        own = judged_by(some, _as_sure(q, blend.beliefs, items))
        more, its_error = _correlation(some, own, items)
        correlation, error = max((correlation, error), (more, its_error))
    return Dependence(correlation, error, per_item, len(items), _weights(correlation, error))


def _as_sure(q: Floats, other: Floats, items: NDArray[np.intp]) -> Floats:
    """(I, K) beliefs raised to the power that makes them as sure of items as others (I, K) are."""
    target = float(other[items].max(1).mean())
    if float(q[items].max(1).mean()) >= target:
        return q
    low, high = 1.0, SHARPEST
    for _ in range(STEPS):
        power = (low + high) / 2
        raised = q**power
        raised /= raised.sum(1, keepdims=True)
        low, high = (power, high) if raised[items].max(1).mean() < target else (low, power)
    return np.asarray(raised)


def _some(votes: Votes, items: NDArray[np.intp]) -> NDArray[np.intp]:
    """The items, or of very many some that do not depend on the order of rows."""
    total = int(np.diff(votes.item_start)[items].sum())
    step = -(-total * votes.n_categories // CELLS)
    if step <= 1:
        return items
    return np.sort(items[np.argsort(votes.place[items])][::step])


def _correlation(votes: Votes, found: Judged, items: NDArray[np.intp]) -> tuple[float, float]:
    """How much errors correlate, and the standard error."""
    up, down = np.zeros(votes.n_items), np.zeros(votes.n_items)
    first = np.unique(found.pair, return_index=True)[1]
    place = votes.coder[first], votes.label[first]
    for k in range(votes.n_categories):
        chosen = items[found.beliefs[items, k] > UNLIKELY]
        if len(chosen):
            rows = np.tile(found.weight * found.pooled[k], (votes.n_coders, 1))
            rows[place] += found.counts[:, k]
            excess, most = _pairs(votes, found, rows, chosen, k)
            q = found.beliefs[chosen, k]
            up[chosen] += q * excess
            down[chosen] += q * most
    total = float(down.sum())
    if not total > 0:
        return 0.0, 1.0
    r = float(up.sum()) / total
    error = math.sqrt(float(((up - r * down) ** 2).sum())) / total
    return r, max(error, LEAST_ERROR)


def _pairs(
    votes: Votes, found: Judged, rows: Floats, items: NDArray[np.intp], k: int
) -> tuple[Floats, Floats]:
    """(n,) the products over pairs of annotations of each item where k is true, and their bound.

    Rows (C, O) are expected counts, drawn to those of all coders.
    """
    start = votes.item_start
    width = start[items + 1] - start[items]
    begin = np.cumsum(width) - width
    at = np.arange(int(width.sum())) - np.repeat(begin - start[items], width)
    here = np.arange(len(at))
    p = rows[votes.coder[at]]
    p[here, votes.label[at]] -= votes.times[at] * found.before[votes.item[at], k]
    np.maximum(p, 0, out=p)
    p /= p.sum(1, keepdims=True)
    e = -p
    e[here, votes.label[at]] += 1
    var = p * (1 - p)

    def total(x: Floats) -> Floats:
        return np.asarray(np.add.reduceat(x, begin, axis=0))

    excess = (total(e) ** 2 - total(e * e)).sum(1)
    most = (total(np.sqrt(var)) ** 2 - total(var)).sum(1)
    return excess, most


def _weights(found: float, error: float) -> Floats:
    """(R,) the posterior of `RHO`: independent coders, or a crowd like those with known labels."""
    x = np.log(CORRELATIONS)
    prior = np.exp(-0.5 * ((x - SEEN_MEAN) / SEEN_SD) ** 2)
    prior /= prior.sum()
    away = (np.r_[0.0, CORRELATIONS] - max(found, 0.0)) / error
    logs = -0.5 * away**2
    likelihood = np.exp(logs - logs.max())
    together = (1 - INDEPENDENT) * prior * likelihood[1:]
    alone = INDEPENDENT * likelihood[0]
    centre = RHO_MEAN + RHO_SLOPE * (x - SEEN_MEAN)
    given = np.exp(-0.5 * ((np.log(RHO[1:]) - centre[:, None]) / RHO_SD) ** 2)
    given /= given.sum(1, keepdims=True)
    return np.asarray(np.r_[alone, together @ given] / (alone + together.sum()))
