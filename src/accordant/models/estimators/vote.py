"""Votes: all coders count the same, or those more who agree with others; a tie is a tie."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...arrays import Bools, Floats
from ..em import Climb, How
from ..emission import Confusions, answers_by_truth, rows_of, with_known
from ..estimate import Estimate
from ..model import model
from ..votes import Votes

EQUAL = 1e-9  # relative: sums of weights that differ by less are equal


@model("Majority vote", "snow2008", aliases=("mv", "vote", "majority_vote"), probabilistic=False)
def majority(votes: Votes, how: How, *, one_vote_per_coder: bool = False) -> Estimate:
    """Every annotation counts the same; the probabilities are shares of votes.

    Two categories with as many votes are a tie, and a tie is no label; the finding ``ties`` counts
    them.

    Parameters
    ----------
    votes : Votes
        Control items (``known``) keep their category.
    how : How
        Nothing is drawn, and nothing repeated.
    one_vote_per_coder : bool
        Whether a coder who annotated an item several times has one vote, divided among the labels
        given, and not as many as annotations.

    Returns
    -------
    Estimate
        With the shares as probabilities. ``competence`` is the share of a coder's annotations that
        are as the majority's, a tie of two counting one half; the coder's own votes are part of
        the majority, so it is somewhat high. Prevalence and the one confusion matrix of all
        coders take the majority as true.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.fit([["a", "b", "a"], ["a", "b", "b"]], "majority")
    >>> found.labels
    ['a', 'b', None]
    >>> found.probabilities.tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    """
    each = _each(votes, one_vote_per_coder)
    return _estimate(votes, _voted(votes, each, votes.shares), each, {})


@model("Weighted vote", "ustalov2024", aliases=("wawa",), probabilistic=False)
def weighted(votes: Votes, how: How, *, one_vote_per_coder: bool = False) -> Estimate:
    """Coders count by how often they are right; the probabilities are shares of weighted votes.

    Parameters
    ----------
    votes : Votes
        Control items (``known``) keep their category.
    how : How
        Nothing is drawn.
    one_vote_per_coder : bool
        Whether a coder who annotated an item several times has one vote.

    Returns
    -------
    Estimate
        ``coder_parameters['weight']`` (C,) is the share of a coder's annotations that are as the
        majority's, a tie of two counting one half (worker agreement with the aggregate, Wawa).
        ``competence`` is the share of annotations that are as the labels found. The finding
        ``ties`` counts items without a label.

    Examples
    --------
    >>> import accordant as ac
    >>> rows = [["a", "b", "a", "b"], ["a", "b", "a", "a"], ["b", "b", "b", "b"]]
    >>> found = ac.fit(rows, "weighted")
    >>> found.estimate.coder_parameters["weight"].round(2).tolist()
    [1.0, 0.75, 0.5]
    """
    each = _each(votes, one_vote_per_coder)
    plain = _voted(votes, each, votes.shares)
    right, n = _agreement(votes, _winners(plain), each)
    weight = right / np.where(n > 0, n, 1)
    shares = _voted(votes, each * weight[votes.coder], plain)
    return _estimate(votes, shares, each, {"weight": weight})


def tied(shares: Floats) -> Bools:
    """(I, K) whether a category has as many votes as any other: several do in a tie."""
    return np.asarray(shares >= shares.max(1, keepdims=True) * (1 - EQUAL))


def _each(votes: Votes, once: bool) -> Floats:
    """(N,) how much each annotation counts; a vote divided among the labels of a coder."""
    return votes.times / np.bincount(votes.pair, votes.times)[votes.pair] if once else votes.times


def _voted(votes: Votes, weight: Floats, otherwise: Floats) -> Floats:
    """(I, K) shares of the vote with weights (N,); ``otherwise`` where nothing counts."""
    counts = votes.tally(weight)
    total = counts.sum(1, keepdims=True)
    shares = np.where(total > 0, counts / np.where(total > 0, total, 1), otherwise)
    return with_known(votes, shares)


def _winners(shares: Floats) -> Floats:
    """(I, K) 1 for the category with most votes; a tie is divided."""
    won = tied(shares)
    return np.asarray(won / won.sum(1, keepdims=True))


def _agreement(votes: Votes, truth: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """(C,) weight of each coder's annotations that are as in ``truth`` (I, K), and of all."""
    right = np.bincount(votes.coder, weight * truth[votes.item, votes.label], votes.n_coders)
    n = np.bincount(votes.coder, weight, votes.n_coders)
    return np.asarray(right, float), np.asarray(n, float)


def _estimate(votes: Votes, shares: Floats, each: Floats, coders: Mapping[str, Floats]) -> Estimate:
    """What the shares (I, K) of a vote say of items and coders."""
    won = _winners(shares)
    right, n = _agreement(votes, won, each)
    # one confusion matrix for all; an annotation more in each row, which falls as all do
    counts = answers_by_truth(votes, won).sum(0)
    said = counts.sum(0) + 1 / counts.shape[1]
    pooled = rows_of(counts + said / said.sum())
    return Estimate(
        shares,
        won.mean(0),
        Confusions(np.broadcast_to(pooled, (votes.n_coders, *pooled.shape))),
        right / np.where(n > 0, n, np.nan),
        Climb("none", (), True),
        coder_parameters=coders,
    )
