"""What a model found, before anybody has asked what to make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..actions import Action
from ..arrays import Floats, Ints
from ..diagnosis.finding import Finding
from ..diagnosis.words import quoted
from ..errors import InputError
from .em import Climb
from .emission import IMPOSSIBLE, Confusions, Emission, OneCoin, Uncertain, answers_by_truth, logs
from .votes import UNKNOWN, Votes

__all__ = [
    "AS_KNOWN",
    "BLOCK",
    "TIE",
    "Estimate",
    "Interval",
    "believed",
    "categories_of",
    "label_codes",
    "log_marginal",
    "log_merged",
    "merged",
    "prior_of",
    "shares_of",
    "softened",
    "state_beliefs",
]


TIE = 1e-9
"""Probabilities that differ by less are equal: no label is chosen by rounding."""
BLOCK = 8192  # items at a time: their probabilities stay in the processor's cache
AS_KNOWN = "treated as known"  # what methods say of labels that they take for certain


@dataclass(frozen=True, eq=False)
class Interval:
    """Both ends of the intervals of an array of parameters, and how they were made."""

    low: Floats
    high: Floats
    level: float
    method: str


@dataclass(frozen=True, eq=False)
class Estimate:
    """Labels, coders and items as a model sees them. I items, C coders, K categories, O answers.

    Parameters
    ----------
    probabilities : ndarray
        (I, K) belief that category k is true of item i; rows sum to 1.
    prevalence : ndarray
        (K,) how frequent each category is among the items.
    emission : Emission
        How coders answer, given what is true.
    competence : ndarray
        (C,) probability that the coder is right about an item of these, Σ_k prevalence_k
        confusion_kk; what a model calls competence itself stands in ``coder_parameters``.
    confusion : ndarray or None
        (C, K, O) probability that the coder answers o where k is true, if the model has it.
    climb : Climb
        What the loop did.
    restarts : tuple of Climb
        What it did from other starts.
    coder_parameters, item_parameters : mapping of str to ndarray
        What the model says of coders (C, ...) and items (I, ...), by names.
    intervals : mapping of str to Interval
        Of ``'competence'``, ``'confusion'``, ``'prevalence'`` or a parameter, where known.
    findings : tuple of Finding
        What the model itself has to say.
    state_prior, state_category : ndarray
        (S,) probability of each state of an item, and the category it belongs to, for models
        with more states than categories; empty otherwise.
    log_joint : ndarray or None
        (I, K) log P(category k and the annotations of item i) as the model came to its beliefs,
        where this does not follow from the parameters.
    """

    probabilities: Floats
    prevalence: Floats
    emission: Emission
    competence: Floats
    climb: Climb
    confusion: Floats | None = None
    restarts: tuple[Climb, ...] = ()
    coder_parameters: Mapping[str, Floats] = field(default_factory=dict)
    item_parameters: Mapping[str, Floats] = field(default_factory=dict)
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    state_prior: Floats = field(default_factory=lambda: np.empty(0))
    state_category: Ints = field(default_factory=lambda: np.empty(0, int))
    log_joint: Floats | None = None


def label_codes(p: Floats) -> Ints:
    """(I,) position of the most probable category (I, K); -1 for a tie.

    Examples
    --------
    >>> label_codes(np.array([[0.2, 0.8], [0.5, 0.5]])).tolist()
    [1, -1]
    """
    best = np.count_nonzero(p >= p.max(1, keepdims=True) - TIE, axis=1)
    return np.where(best > 1, -1, p.argmax(1))


def believed(
    votes: Votes, prior: Floats, log_likelihood: Floats, *, overwrite: bool = False
) -> tuple[Floats, float]:
    """What is probably true of each item, and the log-likelihood of all annotations.

    Parameters
    ----------
    votes : Votes
        Control items (``known``) keep their category.
    prior : ndarray
        (K,) or (I, K) probabilities.
    log_likelihood : ndarray
        (I, K) of the annotations of each item, given each category.
    overwrite : bool
        Whether the probabilities may take the place of ``log_likelihood``, which saves memory.

    Returns
    -------
    probabilities : ndarray
        (I, K)
    log_likelihood : float
        Σ_i log Σ_k prior_k P(annotations of i | k); of a control item only its category counts.

    Raises
    ------
    InputError
        If the annotations of an item are impossible whatever is true of it.
    """
    out = log_likelihood if overwrite else np.empty_like(log_likelihood, dtype=np.float64)
    log_prior = np.atleast_2d(logs(prior)).T  # (K, 1) or (K, I)
    control = np.flatnonzero(votes.known != UNKNOWN)
    value = 0.0
    for start in range(0, len(out), BLOCK):
        part = slice(start, start + BLOCK)
        mine = log_prior if log_prior.shape[1] == 1 else log_prior[:, part]
        # a row for each category: sums run along the items, ten times as fast as across them
        joint = np.add(log_likelihood[part].T, mine, order="C")
        if len(control):
            _keep_known(joint, votes.known[part])
        top = joint.max(0)
        if top.min() <= IMPOSSIBLE:
            raise _impossible(votes, start + int(np.argmax(top <= IMPOSSIBLE)))
        joint -= top
        np.exp(joint, out=joint)
        total = joint.sum(0)
        joint /= total
        out[part] = joint.T
        value += float(top.sum() + np.log(total).sum())
    return out, value


def _keep_known(joint: Floats, known: Ints) -> None:
    """Leave control items no other category than theirs; (K, n) of a block."""
    control = np.flatnonzero(known != UNKNOWN)
    if len(control):
        kept = joint[known[control], control]
        joint[:, control] = IMPOSSIBLE
        joint[known[control], control] = kept


def _impossible(votes: Votes, item: int) -> InputError:
    """The error for an item that no category explains."""
    name = quoted(votes.items[item])
    known = int(votes.known[item])
    if known != UNKNOWN:
        return InputError(
            f"the annotations of the control item {name} are impossible under the model if "
            f"{votes.categories[known]!r} is true of it: look at its gold label, or use a prior",
            do=[Action("", {"prior": "pooled"})],
        )
    return InputError(
        f"the annotations of item {name} are impossible under the model: a coder gave a label "
        "that the coder never gives, whatever is true; a prior makes it possible",
        do=[Action("", {"prior": "pooled"})],
    )


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


def _log_joint(estimate: Estimate, votes: Votes, log_likelihood: Floats, prior: Floats) -> Floats:
    """(I, S) log P(state and annotations); of a control item only the states of its category."""
    joint = log_likelihood + logs(prior)
    control = np.flatnonzero(votes.known != UNKNOWN)
    other = categories_of(estimate)[None, :] != votes.known[control, None]
    joint[control] = np.where(other, -np.inf, joint[control])
    return joint


def state_beliefs(estimate: Estimate, votes: Votes) -> Floats:
    """(I, S) belief in each state; without more states than categories, the probabilities."""
    if not len(estimate.state_prior):
        return estimate.probabilities
    evidence = estimate.emission.log_likelihood(votes)
    return shares_of(_log_joint(estimate, votes, evidence, estimate.state_prior))


def log_marginal(estimate: Estimate, votes: Votes) -> float:
    """Σ_i log Σ_s prior_s P(annotations of item i | s); of a control item only its category."""
    evidence = estimate.emission.log_likelihood(votes)
    joint = _log_joint(estimate, votes, evidence, prior_of(estimate, votes, evidence))
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
