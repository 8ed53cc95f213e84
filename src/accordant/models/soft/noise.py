"""How coders err on items with one reading, and how many items have more than one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..emission import Emission
from ..estimate import Estimate
from ..posterior import Posterior
from ..trust.states import categories_of, shares_of, softened
from ..votes import Votes
from .ease import EASES, Hardness, hardness, one_reading
from .readings import ambiguous_share, likelihoods, same_size, two_readings

__all__ = ["Noise", "given_labels", "noise", "profile"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

ROUNDS = 4  # of fitting without what is probably ambiguous
CELLS = 4_000_000  # numbers that are held at a time
PROFILE = 3.841458820694124  # 95 % point of chi-squared with one degree of freedom


@dataclass(frozen=True, eq=False)
class Noise:
    """How coders err where they all read the same, and how many items are read in several ways.

    Parameters
    ----------
    emission : Emission
    prior : ndarray
        (S,)
    estimate : Estimate
    category : ndarray
        (S,) the category of each state.
    beliefs : ndarray
        (I, S) in each state if an item has one reading, of whatever ease.
    factors, ones : ndarray
        (J, D) of the J items with two annotations or more, for each spread of ease: log Bayes
        factor of two readings against one, and log likelihood of one.
    probability : ndarray
        (I,) that an item has several readings.
    spread : float
        Of the logarithm of the ease of items: the most likely one.
    share, ratio : float
        Share of items with several readings, and its likelihood ratio.
    """

    emission: Emission
    prior: Floats
    estimate: Estimate
    category: Ints
    beliefs: Floats
    factors: Floats
    ones: Floats
    probability: Floats
    spread: float
    share: float
    ratio: float


def noise(posterior: Posterior, votes: Votes) -> Noise:
    """Fit, see what probably has several readings, and fit again without it."""
    how = replace(posterior.how, restarts=0, progress=None)
    options = {k: v for k, v in posterior.options.items() if k in posterior.model.takes}
    left_out = np.zeros(votes.n_items, bool)
    for _ in range(ROUNDS):
        thinned = votes.without(left_out[votes.item]) if left_out.any() else votes
        estimate = posterior.model.fit(thinned, how, **options)
        found = _seen(votes, estimate, softened(estimate, thinned))
        again = left_out
        left_out = found.probability > 0.5
        if (left_out == again).all():
            break
    return found


def _seen(votes: Votes, estimate: Estimate, emission: Emission) -> Noise:
    prior = estimate.state_prior if len(estimate.state_prior) else estimate.prevalence
    category = categories_of(estimate)
    n_categories = votes.n_categories
    hard = hardness(_usually_right(votes, emission, estimate), n_categories)
    n_spreads = len(hard.spreads)
    log_prior = np.log(np.maximum(prior, 1e-300))
    several = np.full(votes.n_items, math.nan)
    ones = np.full((votes.n_items, n_spreads), math.nan)
    states = np.broadcast_to(log_prior[:, None], (votes.n_items, len(prior), n_spreads)).copy()
    for items, given_at in same_size(votes, 1):
        n = given_at.shape[1]
        size = max(1, CELLS // (n * len(prior) * (len(EASES) if n_spreads > 1 else 1)))
        for start in range(0, len(items), size):
            at, annotations = items[start : start + size], given_at[start : start + size]
            table = likelihoods(emission, votes, annotations)
            given = given_labels(table, votes.label[annotations])
            states[at] += _one(given, table, votes.label[annotations], category, hard, n_categories)
            if n > 1:
                several[at] = two_readings(given, prior)
                top = states[at].max(1)
                ones[at] = top + np.log(np.exp(states[at] - top[:, None]).sum(1))
    known = ~np.isnan(several)
    factors = several[known, None] - ones[known]
    best, share, ratio = _most_likely(factors, ones[known])
    probability = np.zeros(votes.n_items)
    if share > 0:
        odds = share * np.exp(np.minimum(factors[:, best], 500))
        probability[known] = odds / (1 - share + odds)
    return Noise(emission, prior, estimate, category, shares_of(states[..., best]), factors,
                 ones[known], probability, hard.spreads[best], share, ratio)  # fmt: skip


def _one(given: Floats, table: Floats, label: Ints, category: Ints, hard: Hardness,
         n_categories: int) -> Floats:  # fmt: skip
    """(B, S, D) log likelihood of one reading."""
    right = table[:, :, np.arange(len(category)), category]
    return one_reading(given, right, label[:, :, None] == category, hard, n_categories)


def _usually_right(votes: Votes, emission: Emission, estimate: Estimate) -> float:
    """How often an annotation is right, on average."""
    belief = shares_of(estimate.emission.log_likelihood(votes) + np.log(
        np.maximum(estimate.state_prior if len(estimate.state_prior) else estimate.prevalence,
                   1e-300)))  # fmt: skip
    category, total = categories_of(estimate), 0.0
    for start in range(0, len(votes.item), 1 << 18):
        part = slice(start, start + (1 << 18))
        table = emission.table(votes.item[part], votes.coder[part])
        right = table[:, np.arange(len(category)), category]
        total += float((votes.times[part, None] * right * belief[votes.item[part]]).sum())
    return total / float(votes.times.sum())


def _most_likely(factors: Floats, ones: Floats) -> tuple[int, float, float]:
    """The spread of ease, and the share of items with several readings, that fit best.

    The likelihood ratio is to the best spread without any such item.
    """
    if not len(factors):
        return 0, math.nan, math.nan
    without = ones.sum(0)
    each = [ambiguous_share(factor) for factor in factors.T]
    value = without + np.array([ratio for _, ratio in each]) / 2
    best = int(value.argmax())
    return best, each[best][0], float(2 * max(value[best] - without.max(), 0.0))


def profile(found: Noise) -> tuple[float, float]:
    """The shares that are as good as the best within sampling error, whatever the spread is."""
    if not len(found.factors):
        return math.nan, math.nan
    odds = np.exp(np.minimum(found.factors, 500)) - 1
    grid = np.linspace(0, 1, 1001)[:-1]
    without = found.ones.sum(0)
    near = [d for d in range(odds.shape[1]) if odds.shape[1]]
    value = np.array([max(without[d] + np.log1p(x * odds[:, d]).sum() for d in near) for x in grid])
    fits = grid[2 * (value.max() - value) <= PROFILE]
    return float(fits[0]), float(fits[-1])


def given_labels(table: Floats, label: Ints) -> Floats:
    """(B, n, S) probability of the labels (B, n) that were given, from (B, n, S, O)."""
    at = label.astype(np.intp)[:, :, None, None]
    return np.take_along_axis(table, at, 3)[..., 0]
