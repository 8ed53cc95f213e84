"""What a model found, before anybody has asked what to make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..actions import Action
from ..arrays import Floats, Ints
from ..errors import InputError
from ..messages import quoted
from .em import Climb
from .emission import IMPOSSIBLE, Confusions, Emission, OneCoin, answers_by_truth, logs
from .votes import UNKNOWN, Votes

TIE = 1e-9
"""No label is chosen by rounding."""
BLOCK = 8192  # items at a time: their probabilities stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Interval:
    """Both ends of the intervals of an array of parameters, and how they were made."""

    low: Floats
    high: Floats
    level: float
    method: str


@dataclass(frozen=True, eq=False)
class Estimate:
    """Labels, coders and items as a model sees them. I items, C coders, K categories.

    Parameters
    ----------
    probabilities : ndarray
        (I, K) belief that category k is true of item i; rows sum to 1.
    prevalence : ndarray
        (K,) how frequent each category is among the items.
    emission : Emission
        How coders label, given what is true.
    competence : ndarray
        (C,) probability that the coder is right about an item of these, Σ_k prevalence_k
        confusion_kk; what a model calls competence itself stands in ``coder_parameters``.
    confusion : ndarray or None
        (C, K, K) probability that the coder answers o where k is true, if the model has it.
    climb : Climb
        What the loop did.
    restarts : tuple of Climb
        What it did from other starts.
    coder_parameters, item_parameters : mapping of str to ndarray
        What the model says of coders (C, ...) and items (I, ...), by names.
    prior : ndarray or None
        (K,) under which the model came to its beliefs, where that is not the prevalence.
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
    prior: Floats | None = None
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
            f"the annotations of the control item {name} are impossible if "
            f"{votes.categories[known]!r} is true of it: look at its gold label, or use a "
            "prior",
            do=[Action("", {"prior": "pooled"})],
        )
    return InputError(
        f"the annotations of item {name} are impossible under the model: a coder gave a label "
        "that the coder never gives; a prior makes it possible",
        do=[Action("", {"prior": "pooled"})],
    )


NEVER = 1e-6  # a probability below it was never seen, rather than seen to be so small


def prior_of(estimate: Estimate) -> Floats:
    """(K,) the prior under which the model came to its beliefs."""
    return estimate.prevalence if estimate.prior is None else estimate.prior


def shares_of(log_weights: Floats) -> Floats:
    """Probabilities along the last axis from their unnormalised logarithms."""
    p = np.exp(log_weights - log_weights.max(-1, keepdims=True))
    return np.asarray(p / p.sum(-1, keepdims=True))


def log_marginal(estimate: Estimate, votes: Votes) -> float:
    """Σ_i log Σ_k prior_k P(annotations of item i | k); of a control item only its category."""
    return believed(votes, prior_of(estimate), estimate.emission.log_likelihood(votes))[1]


def softened(estimate: Estimate, votes: Votes) -> Emission:
    """The emission without zeros: that a coder never gave a label does not make it impossible.

    Where probabilities are 0, as by maximum likelihood, each coder is mixed with all coders as if
    the coder had given one more annotation (of each category). Other emissions stay as they are.
    """
    emission = estimate.emission
    if isinstance(emission, Confusions):
        return _softened_rows(emission, estimate, votes)
    if isinstance(emission, OneCoin):
        return _softened_coins(emission, votes)
    return emission


def _softened_rows(emission: Confusions, estimate: Estimate, votes: Votes) -> Emission:
    p = emission.probabilities
    if p.min(initial=1) >= NEVER:
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
