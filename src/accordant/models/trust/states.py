"""What may be true of an item as a model has it: its states, their prior, and their beliefs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...arrays import Floats, Ints
from ..emission import Confusions, Emission, OneCoin, Uncertain, logs
from ..estimate import Estimate
from ..estimators.pooling import answers_by_truth
from ..votes import UNKNOWN, Votes

__all__ = [
    "categories_of", "log_marginal", "log_merged", "merged", "prior_of", "shares_of", "softened",
    "state_beliefs",
]  # fmt: skip


NEVER = 1e-6  # a probability below it was never seen, rather than seen to be so small


def categories_of(estimate: Estimate) -> Ints:
    """(S,) the category that each state of an item belongs to."""
    if len(estimate.state_category):
        return estimate.state_category
    return np.arange(estimate.probabilities.shape[1])


def prior_of(estimate: Estimate, votes: Votes, log_likelihood: Floats) -> Floats:
    """(S,) the prior of states under which the model came to its beliefs.

    That is the prior of states or the prevalence, except for models that take all categories as
    equally frequent: which of the two it was is seen from the beliefs.
    """
    if len(estimate.state_prior):
        return estimate.state_prior
    k = estimate.probabilities.shape[1]
    candidates = (estimate.prevalence, np.full(k, 1 / k))
    free = votes.known == UNKNOWN
    far = [
        np.abs(shares_of(log_likelihood + logs(p))[free] - estimate.probabilities[free]).sum()
        for p in candidates
    ]
    return candidates[int(far[1] < 0.5 * far[0])]


def shares_of(log_weights: Floats) -> Floats:
    """Probabilities along the last axis from their unnormalised logarithms."""
    p = np.exp(log_weights - log_weights.max(-1, keepdims=True))
    return np.asarray(p / p.sum(-1, keepdims=True))


def merged(states: Floats, category: Ints, n_categories: int) -> Floats:
    """(..., K) sums of the probabilities (..., S) of the states of each category."""
    if len(category) == n_categories:
        return states
    return states @ np.eye(n_categories)[category]


def state_beliefs(estimate: Estimate, votes: Votes) -> Floats:
    """(I, S) belief in each state; without more states than categories, the probabilities."""
    if not len(estimate.state_prior):
        return estimate.probabilities
    log_likelihood = estimate.emission.log_likelihood(votes)
    joint = log_likelihood + logs(estimate.state_prior)
    control = np.flatnonzero(votes.known != UNKNOWN)
    other = categories_of(estimate)[None, :] != votes.known[control, None]
    joint[control] = np.where(other, -np.inf, joint[control])
    return shares_of(joint)


def log_marginal(estimate: Estimate, votes: Votes) -> float:
    """Σ_i log Σ_s prior_s P(annotations of item i | s); of a control item only its category."""
    log_likelihood = estimate.emission.log_likelihood(votes)
    joint = log_likelihood + logs(prior_of(estimate, votes, log_likelihood))
    control = np.flatnonzero(votes.known != UNKNOWN)
    other = categories_of(estimate)[None, :] != votes.known[control, None]
    joint[control] = np.where(other, -np.inf, joint[control])
    top = joint.max(1)
    return float((top + np.log(np.exp(joint - top[:, None]).sum(1))).sum())


def softened(estimate: Estimate, votes: Votes) -> Emission:
    """The emission without zeros: that a coder never gave a label does not make it impossible.

    Where probabilities are 0, as by maximum likelihood, each coder is mixed with all coders as if
    the coder had given one more annotation (of each category). Other emissions stay as they are.
    """
    emission = estimate.emission
    if isinstance(emission, Confusions) and not isinstance(emission, Uncertain):
        return _softened_rows(emission, estimate, votes)
    if isinstance(emission, OneCoin):
        return _softened_coins(emission, votes)
    return emission


def _softened_rows(emission: Confusions, estimate: Estimate, votes: Votes) -> Emission:
    p = emission.probabilities
    if p.shape[1] != estimate.probabilities.shape[1] or p.min(initial=1) >= NEVER:
        return emission
    found = answers_by_truth(votes, estimate.probabilities)
    pooled = found.sum(0) + 1 / found.shape[-1]
    pooled /= pooled.sum(-1, keepdims=True)
    n = found.sum(-1, keepdims=True)
    return replace(emission, probabilities=(n * p + pooled) / (n + 1))


def _softened_coins(emission: OneCoin, votes: Votes) -> Emission:
    right = emission.accuracy(votes.item, votes.coder)
    if right.min(initial=1) >= NEVER and right.max(initial=0) <= 1 - NEVER:
        return emission
    all_ = float(np.average(right, weights=votes.times))
    pooled = min(max(all_, NEVER), 1 - NEVER)
    n = votes.per_coder

    def accuracy(item: Ints, coder: Ints) -> Floats:
        own = n[coder]
        return np.asarray((own * emission.accuracy(item, coder) + pooled) / (own + 1))

    return replace(emission, accuracy=accuracy)


def log_merged(log_weights: Floats, category: Ints, n_categories: int) -> Floats:
    """(I, K) logarithms of the summed weights of the states (I, S) of each category."""
    if len(category) == n_categories:
        return log_weights
    top = log_weights.max(1, keepdims=True)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(merged(np.exp(log_weights - top), category, n_categories)) + top)
