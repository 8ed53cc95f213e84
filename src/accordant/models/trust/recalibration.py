"""Probabilities that claim no more than coders can know: recalibrated by how they err together.

An item of n annotations has the log joint of its model, log prior + Σ log P(annotation | truth),
times what an annotation is worth, 1 / (1 + rho (n - 1)^NEIGHBOURS); the probabilities that follow
are averaged over rho (see `dependence`). Parameters stay as they are, and so do labels: prior and
evidence were weighed against each other by the model, and only how sure it is of the outcome is
wrong. (Weighing the evidence alone turns labels towards frequent categories: one-coin accuracy on
ZenCrowd falls from .90 to .81.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...arrays import Floats, Ints
from ...errors import RequestError
from ...numbers import count_of, decimal
from ..dependence import RHO, Dependence, worth
from ..em import How
from ..emission import logs, with_known
from ..estimate import Estimate, prior_of, shares_of, softened
from ..gold import believed_in
from ..model import Model
from ..votes import UNKNOWN, Votes

FOLDS = 5  # of control items: each is judged by a fit that was not told it
FLOOR = -1e6  # log joint: what is below is excluded, whatever it is weighed by
LEAST = 1e-12  # probability of a truth that a belief excludes


@dataclass(frozen=True, eq=False)
class Weighed:
    """Probabilities, and what an annotation counts in them.

    Parameters
    ----------
    worth : ndarray
        (I,) what an annotation of the item counts; 1 for the model itself.
    sentence : str
        How that was found; empty for the model itself.
    probabilities : ndarray
        (I, K)
    dependence : Dependence or None
        What was averaged over; None for the model itself.
    """

    worth: Floats
    sentence: str
    probabilities: Floats
    dependence: Dependence | None = None


@dataclass(frozen=True, eq=False)
class ItemEvidence:
    """What a model knows of each item, so that it can be weighed.

    Parameters
    ----------
    log_joint : ndarray
        (I, K) log P(category k and the annotations of item i), known of control items or not.
    """

    log_joint: Floats

    def beliefs(self, worth: float | Floats, items: Any = slice(None)) -> Floats:
        """(n, K) beliefs where everything counts so much: (I,) or the same for all."""
        return shares_of(
            np.broadcast_to(worth, len(self.log_joint))[items, None] * self.log_joint[items]
        )

    def averaged(self, found: Dependence, n: Floats) -> Floats:
        """(I, K) beliefs averaged over how much coders err together; n (I,) annotations."""
        total = np.sum([w * self.beliefs(worth(n, rho)) for rho, w in found.kept], axis=0)
        return np.asarray(total / total.sum(1, keepdims=True))


def evidence_of(model: Model, votes: Votes, estimate: Estimate) -> ItemEvidence:
    """The evidence behind an estimate; zero probabilities are softened.

    Raises
    ------
    RequestError
        For votes, whose shares are opinions.
    """
    if not model.probabilistic:
        raise RequestError(
            f"{model.name} has shares of votes: fit a probabilistic model, such as 'pooled'"
        )
    if estimate.log_joint is not None:
        return ItemEvidence(estimate.log_joint)
    emission = softened(estimate, votes)
    joint = logs(prior_of(estimate)) + emission.log_likelihood(votes)
    return ItemEvidence(np.maximum(joint, FLOOR))


def control_evidence(model: Model, votes: Votes, how: How, options: Mapping[str, Any]) -> Floats:
    """(I, K) evidence of control items from fits that were not told their labels.

    The model was fitted to these labels, so its own evidence of these items promises too much. They
    are left out in parts, in the order of their names; other items have NaN.
    """
    out = np.full((votes.n_items, votes.n_categories), np.nan)
    control = votes.order[votes.known[votes.order] != UNKNOWN]
    how = replace(how, restarts=0, progress=None)
    for k in range(min(FOLDS, len(control))):
        left_out = control[k::FOLDS]
        known = votes.known.copy()
        known[left_out] = UNKNOWN
        table = votes.with_known(known)
        estimate = model.fit(table, how, **options)
        out[left_out] = evidence_of(model, table, estimate).log_joint[left_out]
    return out


def as_it_is(votes: Votes, estimate: Estimate) -> Weighed:
    """The model's own probabilities, not weighed; those of votes are shares."""
    return Weighed(np.ones(votes.n_items), "", estimate.probabilities)


def recalibrated(
    votes: Votes,
    evidence: ItemEvidence,
    found: Dependence,
    codes: Ints,
    kind: str,
    of_controls: Floats | None = None,
) -> Weighed:
    """Averaged over how much coders may err together, as the crowd and known labels show it.

    Parameters
    ----------
    votes : Votes
    evidence : ItemEvidence
    found : Dependence
        As the annotations show it.
    codes : ndarray of int
        (I,) the known category of items, -1 where none is known; K for one that nobody gave.
    kind : {'control', 'gold'}
        What items with a known label are called.
    of_controls : ndarray, optional
        (I, K) `control_evidence`, where control items are among them.

    Returns
    -------
    Weighed
    """
    n, items = votes.per_item, np.flatnonzero(codes >= 0)
    if len(items):
        joint = evidence.log_joint[items]
        if of_controls is not None:
            told = votes.known[items] != UNKNOWN
            joint = np.where(told[:, None], of_controls[items], joint)
        found = found.reweighted(_log_scores(joint, codes[items], n[items]))
        untold = "" if of_controls is None else ", judged by fits that were not told them"
        sentence = (
            f"By {count_of(len(items), f'{kind} item')}{untold}, and by how errors of coders "
            f"correlate, an annotation counts {_mean_worth(found, n)} of an independent one."
        )
    else:
        sentence = _from_crowds(found, n)
    return Weighed(found.worth(n), sentence, with_known(votes, evidence.averaged(found, n)), found)


def _log_scores(joint: Floats, codes: Ints, n: Floats) -> Floats:
    """(R,) log probability of known labels for each `RHO`, where items count as (n,) has them."""
    evidence = ItemEvidence(joint)
    return np.array(
        [
            np.log(np.maximum(believed_in(evidence.beliefs(worth(n, rho)), codes), LEAST)).sum()
            for rho in RHO.tolist()
        ]
    )


def _from_crowds(found: Dependence, n: Floats) -> str:
    if math.isnan(found.correlation):
        return "Not recalibrated: no item has annotations of two coders to compare."
    size = f"{decimal(found.correlation)} ± {decimal(found.error)}"
    if not found.seen:
        return (
            f"The errors of coders of the same item do not correlate visibly ({size}), which is "
            "no evidence that coders are independent: labels of about 50 items, made with "
            "care, would show how right these are."
        )
    return (
        f"The errors of coders of the same item correlate by {size}, so an annotation counts "
        f"{_mean_worth(found, n)} of an independent one, as learned from public crowds with "
        "known labels."
    )


def _mean_worth(found: Dependence, n: Floats) -> str:
    return decimal(float(np.average(found.worth(n), weights=n)), 2)
