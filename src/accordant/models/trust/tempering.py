"""Beliefs that claim no more than coders can know: posterior probabilities to a power below 1.

L = tau * (log prior + Σ log P(annotation | truth)). The parameters of the model stay as they are,
and so do the labels: prior and evidence were weighed against each other by the model, and only how
sure it is of the outcome is wrong. (Weighing the evidence alone turns labels towards frequent
categories: one-coin accuracy on ZenCrowd falls from .90 to .81.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError
from ...numbers import count_of, decimal
from ..emission import logs
from ..gold import Gold
from ..posterior import Posterior
from ..votes import UNKNOWN
from .design_effect import SPREAD, DesignEffect
from .states import categories_of, log_merged, prior_of, shares_of, softened
from .truth import believed_in, truth_of

__all__ = ["Evidence", "Weighed", "as_it_is", "control_evidence", "evidence_of", "weighed"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

FOLDS = 5  # of control items: each is judged by a fit that was not told it
LOW, HIGH = 0.02, 2.0  # between which tau is looked for
FLOOR = -1e6  # log joint: what is below is excluded, whatever it is weighed by
SAME = 0.01  # of a probability: by less, prior and likelihood account for a belief
SEEN = 1e-9  # an averaged belief below it tells no more than that it is small
LEAST = 1e-12  # probability of a truth that a belief excludes


@dataclass(frozen=True, eq=False)
class Weighed:
    """Beliefs, and what an annotation counts in them.

    Parameters
    ----------
    tau : float
        1 for the model itself.
    sentence : str
        How tau was found; empty for the model itself.
    probabilities : ndarray
        (I, K)
    """

    tau: float
    sentence: str
    probabilities: Floats


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a model knows of each item, so that it can be weighed.

    Parameters
    ----------
    log_joint : ndarray
        (I, K) log P(category k and the annotations of item i), known of control items or not.
    """

    log_joint: Floats

    def beliefs(self, tau: float, items: Any = slice(None)) -> Floats:
        """(n, K) beliefs where everything counts tau times."""
        return shares_of(tau * self.log_joint[items])


def evidence_of(posterior: Posterior) -> Evidence:
    """The evidence behind a posterior; zero probabilities are softened."""
    _no_vote(posterior)
    estimate, votes = posterior.estimate, posterior.votes
    log_likelihood = estimate.emission.log_likelihood(votes)
    prior = prior_of(estimate, votes, log_likelihood)
    emission = softened(estimate, votes)
    same = emission is estimate.emission
    if not same:
        log_likelihood = emission.log_likelihood(votes)
    joint = log_merged(
        logs(prior) + log_likelihood, categories_of(estimate), len(posterior.categories)
    )
    joint = np.maximum(joint, FLOOR)
    return Evidence(_as_believed(joint, posterior) if same else joint)


def _as_believed(joint: Floats, posterior: Posterior) -> Floats:
    """The logarithms of the beliefs, where these do not follow from the parameters alone.

    Beliefs that were averaged over many values of the parameters are such.
    """
    q = posterior.estimate.probabilities
    free = posterior.votes.known == UNKNOWN
    if np.abs(shares_of(joint) - q)[free].max(initial=0) < SAME:
        return joint
    normal = joint - joint.max(1, keepdims=True)
    kept = np.where(q > SEEN, np.log(np.maximum(q, SEEN)), np.minimum(normal, math.log(SEEN)))
    return np.where(free[:, None], kept, joint)


def weighed(posterior: Posterior, tau: float | None = None, gold: Gold | None = None) -> Weighed:
    """Weigh the evidence of a posterior; see `Posterior.tempered`."""
    _no_vote(posterior)
    if tau is not None:
        if gold is not None:
            raise RequestError("give τ or gold labels, not both: gold labels are there to find τ")
        if isinstance(tau, bool) or not isinstance(tau, int | float) or not 0 < tau < math.inf:
            raise RequestError(f"a number above 0, not {tau!r}", parameter="tau")
        if tau == 1:
            return as_it_is(posterior)
        return _with(posterior, float(tau), f"τ = {decimal(tau, 2)} was given.")
    design = posterior.design_effect
    codes = _gold_codes(posterior, gold)
    n = int((codes >= 0).sum())
    if not n:
        return _with(posterior, design.tau, _from_design(design))
    items = np.flatnonzero(codes >= 0)
    told = posterior.votes.known[items] != UNKNOWN
    joint = posterior.evidence.log_joint[items]
    if told.any():
        joint = np.where(told[:, None], posterior.control_evidence[items], joint)
    found = _by_log_loss(joint, codes[items], design.tau)
    kind = "control" if gold is None else "gold"
    untold = ", judged by fits that were not told them" if told.any() else ""
    return _with(
        posterior, found,
        f"τ = {decimal(found, 2)} by the log-loss of {count_of(n, f'{kind} item')}{untold}, drawn "
        f"towards {decimal(design.tau, 2)}, the value that the correlation of the coders suggests.",
    )  # fmt: skip


def as_it_is(posterior: Posterior) -> Weighed:
    """The model's own probabilities, not weighed; those of votes are shares."""
    return Weighed(1.0, "", posterior.estimate.probabilities)


def control_evidence(posterior: Posterior) -> Floats:
    """(I, K) evidence of control items from fits that were not told their labels.

    The model was fitted to these labels, so its own evidence of these items promises too much. They
    are left out in parts, in the order of their names; other items have NaN.

    Parameters
    ----------
    posterior : Posterior
    """
    votes = posterior.votes
    out = np.full((votes.n_items, len(posterior.categories)), np.nan)
    control = votes.order[votes.known[votes.order] != UNKNOWN]
    how = replace(posterior.how, restarts=0, progress=None)
    for k in range(min(FOLDS, len(control))):
        left_out = control[k::FOLDS]
        known = votes.known.copy()
        known[left_out] = UNKNOWN
        table = votes.with_known(known)
        estimate = posterior.model.fit(table, how, **posterior.options)
        own = replace(posterior, votes=table, estimate=estimate)
        out[left_out] = evidence_of(own).log_joint[left_out]
    return out


def _gold_codes(posterior: Posterior, gold: Gold | None) -> Ints:
    """(I,) the labels to find tau by: those given, or those of the control items."""
    if gold is None:
        return np.asarray(posterior.votes.known, np.intp)
    return truth_of(posterior, gold, told=True).codes


def _by_log_loss(joint: Floats, codes: Ints, expected: float) -> float:
    """The tau with the least log-loss, with a log-normal prior around what is expected.

    One number is estimated, so the prior is all that few gold items need against overfitting.
    """
    evidence = Evidence(joint)

    def loss(log_tau: float) -> float:
        p = believed_in(evidence.beliefs(math.exp(log_tau)), codes)
        away = (log_tau - math.log(expected)) / SPREAD
        return float(-np.log(np.maximum(p, LEAST)).sum() + away * away / 2)

    grid = np.linspace(math.log(LOW), math.log(HIGH), 47)
    near = int(np.argmin([loss(x) for x in grid.tolist()]))
    step = grid[1] - grid[0]
    fine = np.linspace(grid[near] - step, grid[near] + step, 21)
    best = fine[int(np.argmin([loss(x) for x in fine.tolist()]))]
    return float(math.exp(best))


def _from_design(design: DesignEffect) -> str:
    if math.isnan(design.correlation):
        return "τ = 1: no item has annotations of two coders, so nothing shows how alike they are."
    beyond, error = design.beyond, design.error
    if design.blind:
        return (
            "τ = 1, since nothing can be seen: with so few annotations, coders who err together "
            "would look as independent as these. Known labels of about 50 items would tell."
        )
    if not design.excess:
        return (
            "τ = 1: given the estimated truth, the coders of an item are no more alike than "
            f"independent ones (correlation beyond chance {decimal(beyond)} ± {decimal(error)})."
        )
    return (
        f"τ = {decimal(design.tau, 2)}: given the estimated truth, the answers to an item still "
        f"correlate by {decimal(beyond)} ± {decimal(error)} beyond chance, with "
        f"{decimal(design.per_item, 1)} annotations per item; on public data with known labels "
        "such evidence was worth that much."
    )


def _with(posterior: Posterior, tau: float, sentence: str) -> Weighed:
    q = posterior.evidence.beliefs(tau)
    known = posterior.votes.known
    control = known != UNKNOWN
    q[control] = 0
    q[control, known[control]] = 1
    return Weighed(tau, sentence, q)


def _no_vote(posterior: Posterior) -> None:
    if not posterior.model.probabilistic:
        raise RequestError(
            f"{posterior.model.name} has shares of votes, not probabilities: there is "
            "nothing to recalibrate. Fit a probabilistic model, such as 'pooled'"
        )
