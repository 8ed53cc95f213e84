"""How sure the figures of coders and categories are: one engine for every interval of a model.

What each coder answered to what is counted by probabilities. Such a count is less certain than one
of known labels for two reasons, and each is priced in: the labels are uncertain themselves, by
probabilities that know how much coders err together (see `dependence`); and where coders do, all of
a crowd may be misjudged together, which no number of annotations mends. How uncertain labels are is
not asked of the model alone: whoever found a coder good because the labels follow that coder is
sure of both. It is asked of beliefs that judge each coder by other items (see `held_out`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Floats
from ..inference.distributions import normal_quantile
from .emission import Confusions, answers_by_truth, drawn_together, items_by_truth, rows_of
from .estimate import Interval, believed
from .votes import Votes

LEVEL = 0.95
STRENGTH = 2.0  # annotations that each row of the matrix of all coders is worth to a coder
TOWARDS_ALL = 4.0  # annotations by which the middle of an interval is drawn to that of all coders
BEFOREHAND = 8.0  # annotations that a coder is worth beforehand, where a model judges coders
JEFFREYS = 0.5  # of an annotation: an error that nobody made may still be made
METHOD = "Beta, with uncertain labels and shared errors"
VOTES = "Jeffreys; vote labels treated as known"
EDGE = 1e-6  # of a share, so that its log odds are finite
NUDGE = 1.1  # by which a share is multiplied, to see whether coders' errors follow
LEAST, STEPS = 3, 40  # of EM after that
AFFORDED = 4e7  # annotations x categories² that all steps may look at
SETTLED = 0.002  # of what a share was nudged by: no more is to come
SLOWEST = 0.95  # of what is left after a step


@dataclass(frozen=True, eq=False)
class Answers:
    """What each coder answered to what, as far as is known. C coders, K categories, O answers.

    Parameters
    ----------
    counts : ndarray
        (C, K, O) expected number of annotations where k is true and the coder answered o.
    known : ndarray
        (C, K) what one of them counts beside an annotation of a known label.
    right, size : ndarray
        (C,) expected share of right labels, and the annotations of known labels it is worth.
    misjudged : float
        Log odds by which all coders may be misjudged together: a standard deviation.
    method : str
    beforehand : float
        Annotations of known labels that a coder is worth beforehand, for the width of intervals.
    """

    counts: Floats
    known: Floats
    right: Floats
    size: Floats
    misjudged: float = 0.0
    method: str = METHOD
    beforehand: float = BEFOREHAND

    @cached_property
    def pooled(self) -> Floats:
        """(K, O) confusion matrix of all coders together."""
        return rows_of(self.counts.sum(0) + 1e-9)

    @cached_property
    def shape(self) -> Floats:
        """(C, K, O) of the Dirichlet distribution of each row."""
        return np.asarray(self.counts * self.known[:, :, None] + STRENGTH * self.pooled)

    @cached_property
    def confusion(self) -> Floats:
        """(C, K, O) confusion matrices, each row drawn to that of all coders."""
        return rows_of(self.counts + STRENGTH * self.pooled)

    @cached_property
    def met(self) -> Floats:
        """(C, K) share of each category among the items of a coder, as expected."""
        return rows_of(self.counts.sum(-1))

    def right_interval(self, level: float = LEVEL) -> Interval:
        """(C,) of the share of right labels.

        Coders are alike beforehand: the interval is that of a coder of whom `beforehand`
        annotations more are known, and reaches to the coder's own share. Its middle is drawn to all
        coders by fewer, since many models have drawn the share already.
        """
        n = np.maximum(self.counts.sum((1, 2)), EDGE)
        usual = float(np.average(np.nan_to_num(self.right), weights=n))
        middle = (self.size * self.right + TOWARDS_ALL * usual) / (self.size + TOWARDS_ALL)
        known = self.size + self.beforehand
        a, b = known * middle + JEFFREYS, known * (1 - middle) + JEFFREYS
        return Interval(*self._ends(self.right, a, b, level), level, self.method)

    def confusion_interval(self, level: float = LEVEL) -> Interval:
        """(C, K, O) of each cell of `confusion`."""
        a = self.shape
        rest = a.sum(2, keepdims=True) - a
        ends = self._ends(self.confusion, a + JEFFREYS, rest + JEFFREYS, level)
        return Interval(*ends, level, self.method)

    def _ends(self, x: Floats, a: Floats, b: Floats, level: float) -> tuple[Floats, Floats]:
        """Ends of Beta distributions around x, widened by what all may be misjudged together."""
        return widened(x, beta_ends(a, b, level), self.misjudged, level)


def widened(
    x: Floats, ends: tuple[Floats, Floats], deviation: float, level: float
) -> tuple[Floats, Floats]:
    """Ends as far from x as before, on the logit scale, and a deviation more in quadrature.

    Examples
    --------
    >>> x = np.array([0.5])
    >>> [v.round(2).tolist() for v in widened(x, (x - 0.1, x + 0.1), 0.4, 0.95)]
    [[0.29], [0.71]]
    """
    from scipy.special import expit, logit, ndtri

    z = deviation * float(ndtri((1 + level) / 2))
    middle = logit(np.clip(x, EDGE, 1 - EDGE))
    low, high = (logit(np.clip(end, EDGE, 1 - EDGE)) - middle for end in ends)
    found = [
        expit(middle + s * np.hypot(s * np.maximum(s * d, 0), z)) for s, d in ((-1, low), (1, high))
    ]
    return np.fmin(found[0], x), np.fmax(found[1], x)


def beta_ends(a: Floats, b: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Both ends of the equal-tailed intervals of Beta distributions.

    Where a or b is 0, nothing of the kind can be: the end is 0 or 1; NaN where both are.

    Examples
    --------
    >>> [x.round(3).tolist() for x in beta_ends(np.array([9.5, 0.0]), np.array([1.5, 0.0]))]
    [[0.619, nan], [0.989, nan]]
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    good = (a > 0) & (b > 0)
    safe_a, safe_b = np.where(good, a, 1), np.where(good, b, 1)
    exact = np.where(a > 0, 1.0, np.where(b > 0, 0.0, np.nan))
    low, high = (betaincinv(safe_a, safe_b, p) for p in (tail, 1 - tail))
    return np.where(good, low, exact), np.where(good, high, exact)


def counted(votes: Votes, q: Floats, shown: Floats, held_out: Floats, misjudged: float) -> Answers:
    """Count what coders answered, given probabilities, and what the counts are worth.

    Parameters
    ----------
    votes : Votes
    q : ndarray
        (I, K) probabilities of the model itself: recalibrated ones say how sure a label is, and
        spread the rest over all categories alike, so that rare ones would seem frequent.
    shown : ndarray
        (I, K) recalibrated probabilities: by these, coders are right.
    held_out : ndarray
        (I, K) recalibrated probabilities that judge each coder by other items: by these, it is
        known how unsure labels are.
    misjudged : float
        See `Answers`.

    Returns
    -------
    Answers

    Notes
    -----
    Of n annotations that are right with probabilities r, mean r̄, known labels would tell
    n / (r̄ (1 - r̄)) about the share that is right; what is missing is the variance of their score,
    Σ r (1 - r) / (r̄ (1 - r̄))² (Louis 1982). So they tell as much as n (1 - mean r (1 - r) /
    (r̄ (1 - r̄))) of known labels: where all are right with the same probability, nothing.
    """
    counts = answers_by_truth(votes, q)
    unsure = answers_by_truth(votes, q * (1 - q))
    k = np.arange(votes.n_categories)
    n = counts.sum(2)
    share = rows_of(counts + 1e-12)[:, k, k]
    known = _known(share * (1 - share), unsure.sum(2) / np.where(n > 0, n, 1))
    share, doubt, total = _rightness(votes, held_out)
    spread = np.nan_to_num(share * (1 - share))
    missing = np.nan_to_num(doubt) / np.where(spread > 0, spread, 1)
    right = _rightness(votes, shown)[0]
    return Answers(counts, known, right, total * np.clip(1 - missing, 0, 1), misjudged)


def _rightness(votes: Votes, q: Floats) -> tuple[Floats, Floats, Floats]:
    """(C,) means of p and of p (1 - p), where p is how probably a label is right; their number."""
    coder, times = votes.coder, votes.times
    right = q[votes.item, votes.label]
    total = np.asarray(np.bincount(coder, times, votes.n_coders), float)
    some = np.where(total > 0, total, np.nan)
    doubt = np.bincount(coder, times * right * (1 - right), votes.n_coders) / some
    return np.bincount(coder, times * right, votes.n_coders) / some, doubt, total


def _known(spread: Floats, doubt: Floats) -> Floats:
    """What part of the information of known labels uncertain ones have."""
    spread, doubt = np.nan_to_num(spread), np.nan_to_num(doubt)
    both = spread + doubt
    return np.where(both > 0, spread / np.where(both > 0, both, 1), 1.0)


def compared_with_others(votes: Votes) -> Answers:
    """The same, against the labels of the other coders: for votes, which are no probabilities.

    A coder's own label never counts as its own truth. Who agrees with nobody beyond chance has no
    skill, but since others err too, all skills are lower than against the truth.
    """
    group = votes.pair
    k = votes.n_categories
    own_total = np.bincount(group, votes.times)[group]
    others = votes.counts.sum(1)[votes.item] - own_total
    met = others > 0
    weight = np.where(met, votes.times / np.where(met, others, 1), 0)
    counts = np.empty((votes.n_coders, k, k))
    for true in range(k):  # a table of N x K would be the largest thing here
        own = np.bincount(group, votes.times * (votes.label == true))[group]
        share = weight * (votes.counts[votes.item, true] - own)
        counts[:, true] = votes.answers(share)
    same = votes.counts[votes.item, votes.label] - np.bincount(group, votes.times)[group]
    right = np.where(met, same / np.where(met, others, 1), 0)
    of = votes.times * met
    n = np.bincount(votes.coder, of, votes.n_coders)
    some = np.where(n > 0, n, np.nan)
    mean = np.bincount(votes.coder, of * right, votes.n_coders) / some
    doubt = np.bincount(votes.coder, of * right * (1 - right), votes.n_coders) / some
    size = n * _known(mean * (1 - mean), doubt)
    return Answers(counts, np.ones(counts.shape[:2]), mean, size, 0.0, VOTES, TOWARDS_ALL)


def prevalence_interval(
    prevalence: Floats,
    shown: Floats,
    worth: Floats,
    misjudged: float,
    level: float = LEVEL,
    more: Floats | None = None,
) -> Interval:
    """Of the share of each category (K,) among the items.

    Parameters
    ----------
    prevalence : ndarray
        (K,) as estimated.
    shown : ndarray
        (I, K) recalibrated probabilities.
    worth : ndarray
        (I,) what an annotation of the item counts.
    misjudged : float
        Log odds by which all categories may be misjudged: a standard deviation.
    level : float
    more : ndarray, optional
        (K,) `times_as_uncertain`; by default labels alone are taken as unknown, not how coders err.

    Notes
    -----
    The variance is that of drawing the items and that of not knowing their labels, divided by what
    an annotation counts, since labels of coders who err together are wrong together.
    """
    n = len(shown)
    mean = (prevalence * n + JEFFREYS / len(prevalence)) / (n + JEFFREYS)
    room = mean * (1 - mean)
    doubt = np.minimum((shown * (1 - shown)).mean(0), room)
    unknown = room + doubt if more is None else np.maximum(room * more, room + doubt)
    variance = unknown / n / float(np.mean(worth))
    size = np.maximum(room / np.maximum(variance, 1e-300) - 1, EDGE)
    ends = beta_ends(size * mean, size * (1 - mean), level)
    low, high = widened(prevalence, ends, misjudged, level)
    return Interval(low, high, level, METHOD)


def times_as_uncertain(votes: Votes, *beliefs: Floats) -> Floats | None:
    """(K,) the variance of the share of each category, over that if all labels were known.

    Where coders have few annotations, their errors follow the share that is assumed, and many
    shares fit. A share is nudged, and EM gone on with: the changes that are left after each step
    sum to the ratio (supplemented EM, Meng & Rubin 1991), with confusion matrices that are drawn
    to that of all coders. None where that would take long.

    Parameters
    ----------
    votes : Votes
    *beliefs : ndarray
        (I, K) probabilities to start from: of several, those count that leave a share more open. A
        model that is too sure of labels takes errors of coders as known that are not.
    """
    k = votes.n_categories
    afforded = int(AFFORDED / (len(votes.item) * k * (k + 1)))
    if afforded < LEAST or k < 2:
        return None
    steps = min(STEPS, max(LEAST, afforded // len(beliefs)))
    return np.asarray(np.max([_times(votes, q, steps) for q in beliefs], axis=0))


def _times(votes: Votes, q: Floats, steps: int) -> Floats:
    """(K,) the same from one start."""

    def step(share: Floats, table: Floats) -> tuple[Floats, Floats]:
        beliefs, _ = believed(votes, share, Confusions(table).log_likelihood(votes))
        return items_by_truth(beliefs) / len(q), drawn_together(answers_by_truth(votes, beliefs))

    share = np.maximum(items_by_truth(q) / len(q), EDGE)
    share /= share.sum()
    table, k = drawn_together(answers_by_truth(votes, q)), np.arange(q.shape[1])
    nudged = share * np.where(np.eye(len(k)), NUDGE, 1)
    at = [(x, table) for x in (share, *(nudged / nudged.sum(1, keepdims=True)))]
    left, far = [np.ones(len(k))], nudged[k, k] / nudged.sum(1) - share
    while len(left) <= steps and left[-1].max() > SETTLED:
        at = [step(*one) for one in at]
        now = np.array([at[1 + j][0][j] - at[0][0][j] for j in k]) / far
        left.append(np.clip(now, 0, left[-1]))
    rate = np.minimum(left[-1] / np.maximum(left[-2], EDGE), SLOWEST)
    return np.asarray(np.sum(left, axis=0) + left[-1] * rate / (1 - rate))


def wilson(share: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Interval of a proportion (Wilson 1927); NaN where n is 0.

    Parameters
    ----------
    share : float
        May come from shared credit, such as 7.5 of 10.
    n : int
    level : float

    Returns
    -------
    low, high : float

    Examples
    --------
    >>> [round(x, 3) for x in wilson(0.9, 100)]
    [0.826, 0.945]
    """
    if n == 0 or math.isnan(share):
        return math.nan, math.nan
    z = normal_quantile((1 + level) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))
