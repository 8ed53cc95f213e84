"""How far each item pulls a coefficient: by derivatives, and by leaving it out.

Gwet (2008; 2014, ch. 5-6) writes a coefficient as the mean of one number per item; the spread
of these numbers gives the standard error. Answers to several questions about one item make one
number together: they are not independent (Cochran 1977, ch. 9, cluster sampling). Krippendorff's
alpha follows the same idea on its pairable items (Gwet 2014, sec. 6.3.3).

Items that show the same pattern give the same answer, so one is left out of each pattern (with
several questions, of each kind of item, with all answers about it). The sums over the remaining
items are the sums over all less one item's share; nothing is counted again.

Coders are a sample too, and each can be left out: the second source of variance (Gwet 2014,
ch. 5-6).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts, Kinds
from ..errors import RequestError
from ..measure.distances import weights_for
from ..measure.registry import Coefficient, Weighed, item_agreement, observed_agreement
from ..measure.weights import Weights


@dataclass(frozen=True, eq=False)
class Linearised:
    """How far the items of each pattern pull a coefficient away from its value.

    Parameters
    ----------
    counts : Counts
        The view of the counts that the coefficient takes, and only the items it rests on.
    deviation : ndarray
        (P,) mean 0 over the items; over the answers to all questions if there are several.
    """

    counts: Counts
    deviation: Floats

    @property
    def n(self) -> float:
        """Number of items."""
        return self.counts.kinds.n

    @cached_property
    def pull(self) -> Floats:
        """(G,) the deviation of an item of each kind, with all answers about it; mean 0."""
        kinds = self.counts.kinds
        answers = float(self.counts.n_items)
        if answers == kinds.n:
            return kinds.total(self.deviation)
        return kinds.total(self.deviation) * (kinds.n / answers)

    def variance(self, *, population: float = np.inf) -> float:
        """Variance of the coefficient over samples of items.

        ``population`` is the number of items to sample from: the finite-population correction
        1 - n / N.
        """
        n = self.n
        if n < 2:
            return float("nan")
        squares = float(self.counts.kinds.times @ self.pull**2)
        return (1 - n / population) * squares / (n * (n - 1))

    def of_items(self) -> Floats:
        """(I,) the pull of each item, 0 for an item that the coefficient does not rest on."""
        return np.asarray(np.append(self.pull, 0)[self.counts.kinds.of])


def linearise(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    *,
    ratio: bool = False,
    leave_out: bool = False,
) -> Linearised:
    """How far each item pulls the coefficient.

    Parameters
    ----------
    coefficient : Coefficient
    counts : Counts
    w : Weights
    ratio : bool
        Observed agreement is a mean over the items with two or more annotations, and their
        number varies over samples too. Gwet (2014, ch. 5-6) takes it as fixed but lets the
        other items pull by their missing agreement, which makes standard errors too large
        where many items have one annotation. With ``ratio=True`` such items pull through
        chance agreement only. Nothing changes where every item has two annotations, or for
        alpha, which knows no others. Measures of label sets, for which nobody has published
        other formulas, always take the number as it varies.
    leave_out : bool
        Leave out each item instead of taking derivatives, where it leaves a value.
    """
    counts, w = coefficient.view(coefficient.sample(counts), w)
    ratio = ratio or counts.of_sets or coefficient.only_sets
    if coefficient.each_of is not None:
        return Linearised(counts, _of_mean(coefficient.each_of(counts), counts))
    if coefficient.slope_of is None or leave_out:
        without = left_out(coefficient, replace(counts, n_questions=1), w)
        if coefficient.slope_of is None or not np.isnan(without).any():
            return Linearised(counts, _pseudo_deviations(without, counts))
    slope = coefficient.slope_of(counts, w)
    if coefficient.per_value:
        return Linearised(counts, _of_values(counts, w, slope))
    return Linearised(counts, _of_means(coefficient, counts, w, slope, ratio))


def _of_means(
    coefficient: Coefficient, counts: Counts, w: Weights, slope: Floats, ratio: bool
) -> Floats:
    """(P,) where every item counts once."""
    agreed, found = item_agreement(counts, w), coefficient.parts(counts, w)
    observed, chance, value = found.observed, found.expected, found.value
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = (counts.size >= 2) * counts.n_items / counts.n_pairable
        own = (weight * (agreed - observed) - (1 - value) * slope) / (1 - chance)
    return np.asarray(own if ratio else own + value * (weight - 1))


def _of_values(counts: Counts, w: Weights, slope: Floats) -> Floats:
    """(P,) where every annotation counts once, all of them of items with two or more.

    Without the small-sample term and with replacement, as Gwet linearises alpha.
    """
    agreed = item_agreement(counts, w)
    observed = observed_agreement(counts, w, per_value=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = counts.pool / counts.pool.sum()
        chance = w.expected(p, p)
        value = (observed - chance) / (1 - chance)
        mean_size = counts.pool.sum() / counts.n_pairable
        own = counts.size * (agreed - observed) / mean_size
        return np.asarray((own - (1 - value) * slope) / (1 - chance))


def _of_mean(each: Iterable[Weighed], counts: Counts) -> Floats:
    """(P,) for a mean of coefficients, some of which rest on a handful of annotations.

    Leaving out an item shows how much one annotation of a rare label moves the mean, which
    derivatives do not.
    """
    total, known = np.zeros(counts.n_patterns), np.zeros(counts.n_patterns)
    for base, part, w in each:
        without = left_out(base, replace(part, n_questions=1), w)
        known += ~np.isnan(without)
        total += np.nan_to_num(without)
    with np.errstate(invalid="ignore", divide="ignore"):
        return _pseudo_deviations(total / known, counts)


def _pseudo_deviations(without: Floats, counts: Counts) -> Floats:
    """(P,) jackknife pseudo-values less their mean, from the values without an item of each."""
    mean = counts.times @ without / counts.n_items
    return np.asarray((counts.n_items - 1) * (mean - without))


# ------------------------------------------------------------------ without one item

BATCH_CELLS = 4_000_000  # this many sums are held at a time


@dataclass(frozen=True, eq=False)
class WithoutOne:
    """``times`` of S samples, each of which lacks one item: what (S, P) counts would do.

    Parameters
    ----------
    times : ndarray of float
        (P,) how many items show each pattern.
    kinds : Kinds
    chosen : ndarray of int
        (S,) the kind of the item that each sample lacks.
    """

    times: NDArray[np.floating[Any]]
    kinds: Kinds
    chosen: Ints
    ndim = 2

    @property
    def shape(self) -> tuple[int, int]:
        """(S, P)."""
        return len(self.chosen), len(self.times)

    def sum(self, axis: int = -1) -> Floats:
        """(S,) number of items of each sample."""
        return self @ np.ones(len(self.times))

    def __matmul__(self, x: Any) -> Floats:
        """Sums over items of a dense or sparse (P,) or (P, W)."""
        own = self.kinds.totals_of(self.chosen, x)
        return np.asarray(self.times @ x - (own if isinstance(own, np.ndarray) else own.toarray()))


def left_out(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
) -> Floats:
    """The coefficient without one item of each kind: (G,), kinds (patterns) of its own view."""
    counts, w = coefficient.view(counts, w)
    n, _ = len(counts.kinds.times), counts.anonymous_of  # known once, for all samples
    width = counts.n_values * (counts.n_coders if coefficient.needs_coders else 1)
    step = max(1, BATCH_CELLS // width)
    without = np.full(n, np.nan)
    for start in range(0, n, step):
        chosen = np.arange(start, min(start + step, n))
        samples: Any = WithoutOne(counts.times, counts.kinds, chosen)
        without[chosen] = coefficient.parts(counts.drawn(samples), w).value
    return without


# ------------------------------------------------------------------ without one coder


def without_each_coder(coefficient: Coefficient, counts: Counts, w: Weights) -> Floats:
    """(C,) the coefficient if one coder is left out, NaN where it is undefined then."""
    every = np.arange(counts.n_coders)
    rest = (counts.of_coders(np.delete(every, c)) for c in every)
    return np.array([float(coefficient.parts(part, _fitted(w, part)).value) for part in rest])


def _fitted(w: Weights, counts: Counts) -> Weights:
    """The weights as those of these counts: Krippendorff's ordinal metric depends on the pool."""
    return weights_for(w.name, counts) if w.name == "ordinal-metric" else w


def coder_variance(coefficient: Coefficient, counts: Counts, w: Weights) -> float:
    """Variance of the coefficient over samples of coders, by leaving out each coder once.

    NaN if the coefficient is undefined without some coder.

    Raises
    ------
    RequestError
        With fewer than three coders (without one of two nothing is left), or if the coders are
        not known.
    """
    n = counts.n_coders
    if counts.coder is None:
        raise RequestError(
            "the variance between coders needs to know which coder gave which label, "
            "and the data give only counts"
        )
    if n < 3:
        raise RequestError(
            f"the variance between coders needs at least 3 coders; the data have {n}"
        )
    values = without_each_coder(coefficient, counts, w)
    return float((n - 1) / n * ((values - values.mean()) ** 2).sum())
