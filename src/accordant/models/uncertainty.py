"""How sure the figures of coders and categories are: one engine for every interval of a model.

What each coder answered to what is counted by probabilities. Such a count is less certain than one
of known labels: labels are uncertain themselves, annotations of coders who err together count less,
and accounts of how coders err differ in how good they hold a coder to be. All three are taken from
the posterior that averages over accounts, whatever model is asked; a model that holds something
else of a coder is one more account.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Floats
from ..inference.distributions import normal_quantile
from .emission import answers_by_truth, rows_of
from .estimate import Average, Interval
from .votes import Votes

LEVEL = 0.95
STRENGTH = 2.0  # annotations that each row of the matrix of all coders is worth to a coder
BEFOREHAND = 8.0  # annotations that a coder is worth beforehand, where a model judges coders
TOWARDS_ALL = 4.0  # of them, as right as all coders are: the middle of an interval is drawn there
JEFFREYS = 0.5  # of an annotation: an error that nobody made may still be made
MISJUDGED = 0.45
"""Log odds by which a category is misjudged by all coders of a dependent crowd: deviation."""
METHOD = "Beta, with uncertain labels and shared errors"
VOTES = "Jeffreys; vote labels treated as known"
EDGE = 1e-6  # of a share, so that its log odds are finite


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
    between : ndarray
        (C,) variance between accounts of the log odds of being right.
    method : str
    beforehand : float
        Annotations of known labels that a coder is worth beforehand, for the width of intervals.
    """

    counts: Floats
    known: Floats
    right: Floats
    size: Floats
    between: Floats
    method: str = METHOD
    beforehand: float = BEFOREHAND

    @cached_property
    def pooled(self) -> Floats:
        """(K, O) confusion matrix of all coders together."""
        return rows_of(self.counts.sum(0) + 1e-9)

    @cached_property
    def confusion(self) -> Floats:
        """(C, K, O) confusion matrices, each row drawn to that of all coders."""
        return rows_of(self.counts + STRENGTH * self.pooled)

    def right_interval(self, level: float = LEVEL) -> Interval:
        """(C,) of the share of right labels, which reaches to the coder's own share.

        Some of the annotations that a coder is worth beforehand are as those of all coders.
        """
        n = np.maximum(self.counts.sum((1, 2)), EDGE)
        usual = float(np.average(np.nan_to_num(self.right), weights=n))
        known = self.size + self.beforehand
        middle = self.right + TOWARDS_ALL / known * (usual - self.right)
        a, b = known * middle + JEFFREYS, known * (1 - middle) + JEFFREYS
        ends = beta_ends(a, b, level)
        deviation = np.sqrt(self.between)
        return Interval(*widened(self.right, ends, deviation, level), level, self.method)

    def confusion_interval(self, level: float = LEVEL) -> Interval:
        """(C, K, O) of each cell of `confusion`."""
        a = self.counts * self.known[:, :, None] + STRENGTH * self.pooled
        rest = a.sum(2, keepdims=True) - a
        ends = beta_ends(a + JEFFREYS, rest + JEFFREYS, level)
        deviation = np.sqrt(self.between)[:, None, None]
        return Interval(*widened(self.confusion, ends, deviation, level), level, self.method)


def widened(
    x: Floats, ends: tuple[Floats, Floats], deviation: float | Floats, level: float
) -> tuple[Floats, Floats]:
    """Both ends of intervals around x, which has a further error on the scale of log odds.

    Half-widths add in quadrature; an interval never ends short of x.

    Examples
    --------
    >>> x = np.array([0.5])
    >>> [v.round(2).tolist() for v in widened(x, (x - 0.1, x + 0.1), 0.4, 0.95)]
    [[0.29], [0.71]]
    """
    from scipy.special import expit, ndtri

    z = np.nan_to_num(deviation) * float(ndtri((1 + level) / 2))
    middle = _log_odds(x)
    low, high = (_log_odds(end) - middle for end in ends)
    found = [
        expit(middle + s * np.hypot(s * np.maximum(s * d, 0), z)) for s, d in ((-1, low), (1, high))
    ]
    return np.fmin(found[0], x), np.fmax(found[1], x)


def _log_odds(x: Floats) -> Floats:
    p = np.clip(x, EDGE, 1 - EDGE)
    return np.asarray(np.log(p / (1 - p)))


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


def counted(votes: Votes, q: Floats, shown: Floats, average: Average) -> Answers:
    """Count what coders answered, given probabilities, and what the counts are worth.

    Parameters
    ----------
    votes : Votes
    q : ndarray
        (I, K) probabilities if errors are independent: where they are shared, the rest is spread
        over all categories alike, so that rare ones would seem frequent.
    shown : ndarray
        (I, K) the probabilities of the model: by these, coders are right.
    average : Average
        By it, it is known how unsure labels and accounts are.

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
    unsure = answers_by_truth(votes, q * (1 - q)).sum(2)
    k, n = np.arange(votes.n_categories), counts.sum(2)
    share = rows_of(counts + 1e-12)[:, k, k]
    known = _known(share * (1 - share), unsure / np.where(n > 0, n, 1))
    right = _rightness(votes, shown)[0]
    mean, doubt = _rightness(votes, average.probabilities)
    spread = np.nan_to_num(mean * (1 - mean))
    missing = np.nan_to_num(doubt) / np.where(spread > 0, spread, 1)
    weight = votes.times * average.worth[votes.item]
    total = np.asarray(np.bincount(votes.coder, weight, votes.n_coders), np.float64)
    each = _log_odds(np.array([_rightness(votes, p)[0] for p in average.by_account]))
    between = _variance(average, each) + (_log_odds(right) - _log_odds(mean)) ** 2
    size = total * np.clip(1 - missing, 0, 1)
    return Answers(counts, known, right, size, np.nan_to_num(between))


def _rightness(votes: Votes, q: Floats) -> tuple[Floats, Floats]:
    """(C,) means of p and of p (1 - p), where p is how probably a label is right."""
    coder, times = votes.coder, votes.times
    right = q[votes.item, votes.label]
    total = np.asarray(np.bincount(coder, times, votes.n_coders), float)
    some = np.where(total > 0, total, np.nan)
    doubt = np.bincount(coder, times * right * (1 - right), votes.n_coders) / some
    return np.bincount(coder, times * right, votes.n_coders) / some, doubt


def _variance(average: Average, each: Floats) -> Floats:
    """The variance between accounts, which have these figures (A, ...)."""
    w = average.of_accounts.reshape(-1, *[1] * (each.ndim - 1))
    return np.asarray((w * (each - (w * each).sum(0)) ** 2).sum(0))


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
    nothing = np.zeros(len(size))
    return Answers(counts, np.ones(counts.shape[:2]), mean, size, nothing, VOTES, TOWARDS_ALL)


def prevalence_interval(prevalence: Floats, average: Average, level: float = LEVEL) -> Interval:
    """Of the share of each category (K,) among the items, as a model estimates it.

    The variance is that of drawing the items and that of not knowing their labels, divided by what
    an annotation counts, since labels of coders who err together are wrong together.
    """
    p = average.probabilities
    n = len(p)
    mean = (prevalence * n + JEFFREYS / len(prevalence)) / (n + JEFFREYS)
    room = mean * (1 - mean)
    doubt = np.minimum((p * (1 - p)).mean(0), room)
    variance = (room + doubt) / n / float(np.mean(average.worth))
    size = np.maximum(room / np.maximum(variance, 1e-300) - 1, EDGE)
    ends = beta_ends(size * mean, size * (1 - mean), level)
    between = _variance(average, _log_odds(average.by_account.mean(1)))
    between += (_log_odds(prevalence) - _log_odds(average.alone.mean(0))) ** 2
    deviation = np.sqrt(between + (1 - average.independent) * MISJUDGED**2)
    return Interval(*widened(prevalence, ends, deviation, level), level, METHOD)


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
