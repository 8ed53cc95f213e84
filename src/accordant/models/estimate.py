"""What a model found, before anybody has asked what to make of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..actions import Action
from ..arrays import Bools, Floats, Ints
from ..errors import InputError
from ..messages import quoted
from .em import Climb
from .emission import IMPOSSIBLE, Emission, logs
from .votes import UNKNOWN, Votes

TIE = 1e-9
"""No label is chosen by rounding."""
UNTOLD = 3.0
"""Times as probable either way: then the answer is the prior."""
BLOCK = 8192  # items at a time: their probabilities stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Interval:
    """Both ends of the intervals of an array of parameters, and how they were made."""

    low: Floats
    high: Floats
    level: float
    method: str


class Dependence(NamedTuple):
    """How far coders of an item err together.

    ``correlation`` of the errors of two coders of an item beyond the estimated truth (NaN where no
    item has two), its standard error, what was ``expected`` where errors are independent, and how
    many times as probable what is seen is then as where they are not (``factor``).
    """

    correlation: float
    error: float
    expected: float
    factor: float


@dataclass(frozen=True, eq=False)
class Average:
    """What was averaged. A accounts, R values of ρ, I items, K categories.

    Parameters
    ----------
    names : tuple of str
        (A,) accounts.
    weights : ndarray
        (A, R) posterior of accounts and of ρ, which is 0 at first.
    by_account : ndarray
        (A, I, K) beliefs of each account, averaged over ρ.
    alone : ndarray
        (I, K) beliefs if errors were independent.
    dependence : Dependence
        What these annotations show of shared errors.
    worth : ndarray
        (I,) what an annotation of an item counts, on average.
    n_known : int
        Items whose known labels weighed accounts and ρ.
    """

    names: tuple[str, ...]
    weights: Floats
    by_account: Floats
    alone: Floats
    dependence: Dependence
    worth: Floats
    n_known: int

    @property
    def of_accounts(self) -> Floats:
        """(A,) posterior of accounts."""
        return np.asarray(self.weights.sum(1))

    @property
    def independent(self) -> float:
        """Probability that coders err independently."""
        return float(self.weights[:, 0].sum())

    @property
    def untold(self) -> bool:
        """Whether nothing tells how far coders err alike, so that the answer is the prior."""
        told = 1 / UNTOLD < self.dependence.factor < UNTOLD
        return told and not self.n_known and not math.isnan(self.dependence.correlation)

    @cached_property
    def probabilities(self) -> Floats:
        """(I, K) the posterior of labels."""
        p = np.einsum("a,aik->ik", self.of_accounts, self.by_account)
        return np.asarray(p / p.sum(1, keepdims=True))

    @cached_property
    def labels(self) -> Ints:
        """(A, I) the most probable category of each account."""
        return np.asarray(self.by_account.argmax(2))

    @property
    def differ(self) -> Bools:
        """(I,) whether accounts give different labels."""
        return np.asarray((self.labels != self.labels[0]).any(0))

    @cached_property
    def disagreement(self) -> Floats:
        """(I,) how probably two accounts, drawn by their weights, give different labels."""
        k = self.by_account.shape[2]
        held = np.einsum("a,aik->ik", self.of_accounts, np.eye(k)[self.labels])
        return np.asarray(np.maximum(1 - (held**2).sum(1), 0))


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
    average : Average or None
        Of the default: its accounts, their weights and labels, and how far errors are shared.
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
    average: Average | None = None


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
