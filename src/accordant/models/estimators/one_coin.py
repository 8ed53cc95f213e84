"""The one-coin model: one probability of being right for each coder."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays import Floats
from ...errors import RequestError
from ..em import How, Step, climb
from ..emission import Confusions, OneCoin, logs
from ..estimate import Estimate, believed
from ..model import model
from ..starts import best_of
from ..votes import Votes
from .pooling import answers_by_truth, items_by_truth, rows_of

__all__ = ["one_coin"]


MATRICES = 30  # categories; up to here products with whole matrices are the fastest


@model("One coin", "dawid1979", "demartini2012")
def one_coin(votes: Votes, how: How, *, prior: str | float = "none") -> Estimate:
    """Each coder is right with one probability, whatever is true; errors fall on any category.

    Parameters
    ----------
    votes : Votes
    how : How
    prior : 'none' or float
        'none' is maximum likelihood; a number is added to the right and to the wrong
        annotations of each coder, and to the items of each category.

    Returns
    -------
    Estimate
        Its confusion matrices have equal diagonals, and equal cells beside them.

    Notes
    -----
    Dawid & Skene's model with K (K − 1) parameters of a coder made 1. It fits where coders give
    few annotations, or where no category is easier to miss than another; ZenCrowd (Demartini et
    al. 2012) is its relative. EM; the M step is a count of expected right annotations.
    """
    votes.refuse_abstentions("the one-coin model")
    extra = _extra(prior)
    k = votes.n_categories
    n = votes.per_coder

    def maximised(q: Floats) -> tuple[Floats, Floats]:
        right = _right(votes, q)
        accuracy = rows_of(np.stack([right + extra, n - right + extra], -1))[:, 0]
        prevalence = items_by_truth(q) + extra
        return accuracy, prevalence / prevalence.sum()

    def step(q: Floats) -> Step:
        accuracy, prevalence = maximised(q)
        one = _matrices(accuracy, k) if k <= MATRICES else _emission(accuracy, k)
        new, value = believed(votes, prevalence, one.log_likelihood(votes), overwrite=True)
        if extra:
            value += extra * float(
                logs(accuracy).sum() + logs(1 - accuracy).sum() + logs(prevalence).sum()
            )
        return Step(new, value)

    kind: Any = "log posterior" if extra else "log-likelihood"

    def run(start: Floats, how: How) -> Estimate:
        q, found = climb(step, start, how, kind, strides=True)
        accuracy, prevalence = maximised(q)
        one = _emission(accuracy, k)
        table = _matrices(accuracy, k).probabilities
        return Estimate(q, prevalence, one, accuracy, found, table)

    return best_of(votes, how, run)


def _extra(prior: str | float) -> float:
    if prior == "none":
        return 0.0
    if isinstance(prior, bool) or not isinstance(prior, int | float) or not 0 <= prior < np.inf:
        raise RequestError(
            f"'none' or a number of annotations from 0 up, not {prior!r}", parameter="prior"
        )
    return float(prior)


def _emission(accuracy: Floats, n_categories: int) -> OneCoin:
    return OneCoin(lambda item, coder: accuracy[coder], n_categories)


def _matrices(accuracy: Floats, n_categories: int) -> Confusions:
    """The same as confusion matrices."""
    coders = np.arange(len(accuracy))
    return Confusions(_emission(accuracy, n_categories).table(coders, coders))


def _right(votes: Votes, q: Floats) -> Floats:
    """(C,) expected number of right annotations."""
    if votes.n_categories > MATRICES:
        right = votes.times * q[votes.item, votes.label]
        return np.asarray(np.bincount(votes.coder, right, votes.n_coders))
    return np.asarray(np.einsum("ckk->c", answers_by_truth(votes, q)))
