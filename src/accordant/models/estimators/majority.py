"""Majority vote: every coder counts the same, and a tie is a tie."""

from __future__ import annotations

import numpy as np

from ...diagnosis.finding import found_by
from ..em import Climb, How
from ..emission import Confusions
from ..estimate import Estimate
from ..model import model
from ..votes import Votes
from .tally import (
    agreement,
    one_vote_each,
    pooled_with_margin,
    shares_of,
    tally,
    ties,
    winners,
    with_known,
)

__all__ = ["majority"]


@model("Majority vote", "snow2008", probabilistic=False)
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
    weight = one_vote_each(votes) if one_vote_per_coder else votes.times
    shares = with_known(votes, shares_of(tally(votes, weight), votes.shares))
    won = winners(shares)
    right, n = agreement(votes, won, weight).T
    return Estimate(
        shares,
        won.mean(0),
        Confusions(pooled_with_margin(votes, won)),
        right / np.where(n > 0, n, np.nan),
        Climb("none", (), True),
        findings=found_by(ties(votes, shares)),
    )
