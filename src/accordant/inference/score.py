"""Score intervals: which values of a coefficient the items are compatible with.

A coefficient is 1 - D_o / D_e, observed over expected disagreement, both means over items. A
value is tested with the variance that the items would have *if it were the true one*, as the
interval of Wilson (1927) does for a share: items with disagreement count for more or for less,
so that the coefficient has the tested value and expected disagreement stays as it is. On a scale
of many values coders can also be further apart on each item, and where many items disagree a
larger disagreement is tested in the way that leaves less variance. What the tests do not reject
at a level is the interval. It is wide on the side where few items could tell, as intervals of
value ± t standard errors are not, and the same as these where many items tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Bools, Floats
from ..counts.counts import Counts
from ..measure.registry import Coefficient, chance_corrected, item_agreement
from ..measure.weights import Identity, Linear, Squared, Weights
from .distributions import t_quantile
from .influence import linearise

AGREED = 1.0
"""Items added to the variance on which all agree, of a category twice as rare as the disputed
ones. Without them, data in which nobody agrees on a rare category would exclude that anybody
ever will. Chosen by simulation (benchmarks/coverage), as is `DISPUTED`."""
DISPUTED = 0.05
"""Items added to the variance on which coders disagree as far as the weights go: the worst
disagreement is rare, and few items do not show it."""
DISPUTES = 10
"""Items that disagree (as many of equal weight, Kish 1965), from which on each may disagree more in
proportion. Of fewer it is not known how far coders are apart: where nearly all items agree fully,
75 of 100 intervals of 20 items would hold the true value, not 94."""
ROUNDING = 1e-12
FEW = 50  # annotations of a coder
CELLS = 20_000_000  # sums that leaving out each item may take
CELLS_OF_GRID, ROUNDS = 24, 7  # of the search for an end: to 1e-7 of the way and closer


@dataclass(frozen=True, eq=False)
class MeanRatio:
    """A ratio of two means over items: observed over expected disagreement.

    Parameters
    ----------
    times : ndarray of float
        (G,) how many items are of each kind.
    x, y : ndarray of float
        (G,) what an item of each kind adds to observed and to expected disagreement.
    worst : float
        The most that an item can add to observed disagreement.
    room : float
        1 less the share of all items that the sample is: the finite-population correction.
    """

    times: Floats
    x: Floats
    y: Floats
    worst: float = 1.0
    room: float = 1.0

    @cached_property
    def n(self) -> float:
        """Number of items."""
        return float(self.times.sum())

    @cached_property
    def observed(self) -> float:
        """Mean of ``x``."""
        return float(self.times @ self.x) / self.n

    @cached_property
    def expected(self) -> float:
        """Mean of ``y``."""
        return float(self.times @ self.y) / self.n

    @property
    def value(self) -> float:
        """Observed over expected disagreement."""
        return self.observed / self.expected

    @property
    def error(self) -> float:
        """Standard error of the value, by linearisation."""
        squares = float(self.times @ (self.x - self.value * self.y) ** 2)
        return float(np.sqrt(self.room * squares / (self.n * (self.n - 1))) / self.expected)

    @cached_property
    def effective(self) -> float:
        """How many items decide: so many of equal weight would make as sure (Kish 1965)."""
        weight = np.maximum(self.x, 0), self.y
        return min(_equal(self.times, each) for each in weight)

    @cached_property
    def _disputed(self) -> tuple[Floats, Floats, Floats]:
        """Times, x and y of the items with disagreement, and of the one that is added."""
        some = self.x > ROUNDING
        t, x, y = self.times[some], self.x[some], self.y[some]
        return np.append(t, DISPUTED), np.append(x, self.worst), np.append(y, self._own)

    @cached_property
    def _own(self) -> float:
        """Mean of ``y`` over disagreements."""
        x = np.maximum(self.x, 0) * self.times
        return max(float(x @ self.y / x.sum()), 0.0)

    @cached_property
    def _agreed(self) -> Floats:
        """Sums over the other items, and the one that is added: 1, x, y, x², xy, y²."""
        none = self.x <= ROUNDING
        t, x, y = self.times[none], self.x[none], self.y[none]
        sums = np.array([t.sum(), t @ x, t @ y, t @ x**2, t @ (x * y), t @ y**2])
        far = 2 * self._own
        return sums + AGREED * np.array([1, 0, far, 0, 0, far**2])

    def variance(self, value: Floats) -> Floats:
        """Variance of D_o - value D_e if each ``value`` (R,) were the ratio: (R,).

        An item counts a + b x times, but never less than not at all, with a and b such that the
        ratio has the value and the mean of ``y`` stays. A larger ratio is also reached where each
        item disagrees more in proportion, if the weights let it: the worst disagreement of a long
        scale, that no item shows, decides nothing where many items show how far coders are apart.
        """
        t, x, y = self._disputed
        _, ax, ay, axx, axy, ayy = self._agreed
        all_x, all_y, tilted_x, tilted_y = ax + t @ x, ay + t @ y, t @ x**2, t @ (x * y)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = self.n * self.expected / (all_x * tilted_y - tilted_x * all_y)
            a = share * (value * tilted_y - tilted_x)
            b = share * (all_x - value * all_y)
            some = t * np.maximum(a[:, None] + b[:, None] * x, 0) * (x - value[:, None] * y) ** 2
            rest = np.maximum(a, 0) * (axx - 2 * value * axy + value**2 * ayy)
            found = self.room * (some.sum(1) + rest) / (self.n * (self.n - 1))
        if _equal(self.times, np.maximum(self.x, 0)) < DISPUTES:
            return np.asarray(found)
        larger = (value / self.value * self.error * self.expected) ** 2
        possible = (value > self.value) & (value * self.x.max() <= self.worst * self.value)
        return np.asarray(np.where(possible, np.fmin(found, larger), found))

    def score(self, value: Floats) -> Floats:
        """How many standard errors D_o lies above value D_e, if each ``value`` were the ratio."""
        away, square = self.observed - value * self.expected, self.variance(value)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = away / np.sqrt(np.maximum(square, 0))
        return np.asarray(np.where(np.abs(away) < ROUNDING, 0.0, found))

    def interval(self, level: float, most: float) -> tuple[float, float]:
        """All ratios from 0 to ``most`` that a two-sided test does not reject."""
        reach = t_quantile((1 + level) / 2, self.n - 1)
        middle = min(self.value, most)
        low = _edge(lambda r: self.score(r) > reach, middle, 0.0)
        return low, _edge(lambda r: self.score(r) < -reach, middle, most)


def ratio_of(
    coefficient: Coefficient, counts: Counts, w: Weights, value: float, *, population: float
) -> MeanRatio:
    """Observed and expected disagreement of each item, from how far it pulls the coefficient.

    With the pull u of an item on 1 - D_o / D_e, D_e u = (D_o / D_e) y - x.
    """
    found = linearise(coefficient, counts, w, ratio=True, leave_out=_few_each(coefficient, counts))
    sample, w = found.counts, coefficient.view(counts, w)[1]
    weight = (sample.size >= 2) * (sample.size if coefficient.per_value else 1.0)
    weight = weight * float(sample.n_items) / float(sample.times @ weight)
    own = 1 - item_agreement(sample, w)
    observed = float(sample.times @ (weight * own)) / float(sample.n_items)
    kinds = sample.kinds
    x = kinds.total(weight * (own - observed)) * (kinds.n / float(sample.n_items)) + observed
    y = (x + observed / (1 - value) * found.pull) / (1 - value)
    room = 1 - kinds.n / population
    return MeanRatio(np.asarray(kinds.times, float), x, y, max(1 - least_weight(w), observed), room)


def _few_each(coefficient: Coefficient, counts: Counts) -> bool:
    """Whether a coder gave so few labels that one of them moves the coder's shares far.

    Derivatives do not see that; leaving out each item does.
    """
    one = coefficient.needs_coders and not (coefficient.is_mean or coefficient.only_sets)
    cells = counts.n_patterns * counts.n_coders * counts.n_values
    if not one or counts.coder is None or cells > CELLS:
        return False
    given = np.bincount(counts.coder, counts.times[counts.row])
    return bool(given[given > 0].min(initial=FEW) < FEW)


def _equal(times: Floats, weight: Floats) -> float:
    square = float(times @ weight**2)
    return float(times @ weight) ** 2 / square if square > 0 else 0.0


def _edge(beyond: Callable[[Floats], Bools], inside: float, outside: float) -> float:
    """The first value that is not beyond but all but is, on the way to ``outside``.

    Looked for on a grid that is finer near ``inside``, and then within the cell that holds it.
    """
    steps = np.linspace(0, 1, CELLS_OF_GRID + 1) ** 2
    for _ in range(ROUNDS):
        grid = inside + (outside - inside) * steps
        found = np.flatnonzero(beyond(grid[1:]))
        if not len(found):
            return outside
        inside, outside = float(grid[found[0]]), float(grid[found[0] + 1])
    return inside


# ------------------------------------------------------------------ the smallest possible value
#
# Coders who never agree reach -A_e / (1 - A_e). Where chance rests on the labels of the same items
# (π, κ and α of a complete table), two coders who never agree cannot expect to agree on more than
# half of them, so that no value lies below -1, or below -1 / (m - 1) with m annotations of an item.

MOST_VALUES = 500  # of more the worst two are taken not to agree at all
MOST_POINTS = 100  # of more it takes too long to tell
NO_POINTS = 1e-9  # what rounding makes of an eigenvalue of 0
OF_LABELS = ("alpha", "pi", "kappa")  # their chance rests on the labels of the same items


def least_possible(coefficient: Coefficient, counts: Counts, w: Weights) -> float:
    """The smallest value that the coefficient can have of such data.

    In general nothing but the expected agreement that was found limits it. If chance rests on the
    labels of the same items and distances are squared distances of points, as those of all named
    scales are, two labels of all differ at least (m - 1) / m times as much as two of m labels of
    an item, D_e >= (m - 1) / m D_o. So it is where every annotation that counts has another beside
    it: always of alpha, of pi without single annotations, of kappa if all coders annotate every
    item. Elsewhere, and for means over pairs of coders or labels, it is so with m = 2 if who
    annotates an item does not depend on its labels.
    """
    counts, w = coefficient.view(coefficient.sample(counts), w)
    if not coefficient.corrected:
        return least_weight(w)
    found = coefficient.parts(counts, w)
    if coefficient.key in OF_LABELS or coefficient.is_mean:
        sizes = counts.size[counts.times > 0]
        fewest = float(sizes.min(initial=counts.n_coders))
        complete = {"alpha": True, "pi": fewest >= 2, "kappa": fewest == counts.n_coders}
        if _of_points(w):
            least = -1 / (fewest - 1) if complete.get(coefficient.key) else -1.0
            return min(least, float(found.value))
    least = float(chance_corrected(np.asarray(least_weight(w)), found.expected))
    return min(least, float(found.value))  # nan if undefined


def _of_points(w: Weights) -> bool:
    """Whether distances are squared distances of points (Schoenberg 1938)."""
    if isinstance(w, Identity | Squared | Linear):
        return True
    if not 0 < w.n_values <= MOST_POINTS:
        return False
    centred = w.matrix - w.matrix.mean(0)
    centred = centred - centred.mean(1, keepdims=True)
    return bool(w.symmetric and np.linalg.eigvalsh(centred).min() > -NO_POINTS)


def least_weight(w: Weights) -> float:
    """How much the two values agree that agree least; one value tells nothing of others."""
    return float(w.matrix.min()) if 1 < w.n_values <= MOST_VALUES else 0.0
