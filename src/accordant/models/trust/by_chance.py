"""How alike independent coders would look, and whether coders who err together would stand out.

The estimated truth goes where the coders go, so that the correlation beyond it is not 0 for
independent coders. What it is then is seen in annotations drawn from the fit, to which coders and
truth are estimated anew. The same with a dependence planted in them shows whether anything can be
seen at all: with three annotations per item, or a dozen per coder, mostly nothing can.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..em import How
from ..emission import Confusions, logs
from ..estimate import believed
from ..estimators.pooling import answers_by_truth
from ..votes import Votes
from .design_effect import CERTAIN, DesignEffect, design_effect, drawn_together
from .replicates import Replicator
from .states import categories_of, merged, prior_of, shares_of

if TYPE_CHECKING:
    from ..posterior import Posterior

__all__ = ["HALF", "SHARE", "compared"]

Floats = NDArray[np.float64]

SHARE, HALF = 0.2, 0.5  # a dependence is planted: so many items, on which so many coders are led
STEPS = 4  # of EM: what a fit adds to the correlation comes with the first ones
MOST, LEAST = 8, 1  # replicates of each kind
MORE = 3  # times as many again if the first ones leave it open whether coders are independent
WORK = 150_000  # annotations x answers that are drawn of each kind, about
TOO_MANY = 2_000_000  # with more, what a fit adds is small, and drawing takes seconds
SEED = 23


def compared(posterior: Posterior) -> DesignEffect:
    """The design effect of a fit, beside that of independent coders.

    Parameters
    ----------
    posterior : Posterior
        Not tempered.

    Returns
    -------
    DesignEffect

    Notes
    -----
    Replicates keep items, coders and who annotated what. Beliefs about them start from the
    parameters of the fit; then confusions and beliefs are found in turn, a few times.
    """
    votes = posterior.votes
    found = design_effect(votes, posterior.estimate.probabilities)
    work = len(votes.item) * votes.n_answers
    if math.isnan(found.correlation) or not posterior.model.probabilistic or work > TOO_MANY:
        return found
    n = min(max(WORK // work, LEAST), MOST)
    replicator = Replicator(posterior, np.arange(votes.n_items))
    start = _Start(posterior)
    rng = How(seed=SEED).generator(0)
    chance = [start.design(replicator.labels(rng)) for _ in range(n)]
    beside = _beside(found, chance)
    if work < WORK and abs(beside.beyond - CERTAIN * beside.error) < beside.error:
        chance += [start.design(replicator.labels(rng)) for _ in range(MORE * n)]
        beside = _beside(found, chance)
    if beside.excess or len(posterior.categories) < 2:
        return beside
    planted = [start.design(replicator.labels(rng, SHARE, HALF)) for _ in range(n)]
    return replace(beside, planted=float(np.mean([x.correlation for x in planted])))


def _beside(found: DesignEffect, chance: list[DesignEffect]) -> DesignEffect:
    """The data beside replicates of independent coders."""
    each = [x for x in chance if not math.isnan(x.correlation)]
    if not each:
        return replace(found, correlation=math.nan)
    own = math.sqrt(float(np.mean([x.error**2 for x in each])))
    return replace(
        found,
        by_chance=float(np.mean([x.correlation for x in each])),
        error=max(found.error, own) * math.sqrt(1 + 1 / len(each)),
    )


class _Start:
    """Beliefs about replicates, from the parameters of a fit on."""

    def __init__(self, posterior: Posterior) -> None:
        votes, estimate = posterior.votes, posterior.estimate
        self.votes, self.emission = votes, estimate.emission
        self.category, self.n_categories = categories_of(estimate), len(posterior.categories)
        likelihood = self.emission.log_likelihood(votes)
        self.log_prior = logs(prior_of(estimate, votes, likelihood))

    def design(self, label: NDArray[np.integer[Any]]) -> DesignEffect:
        """The design effect of other labels (N,)."""
        votes = replace(self.votes, label=label.astype(self.votes.label.dtype))
        joint = self.emission.log_likelihood(votes) + self.log_prior
        q = merged(shares_of(joint), self.category, self.n_categories)
        for _ in range(STEPS):
            q = _again(votes, q)
        return design_effect(votes, q)


def _again(votes: Votes, q: Floats) -> Floats:
    """(I, K) beliefs by the confusions that follow from beliefs."""
    confusions = Confusions(drawn_together(answers_by_truth(votes, q)))
    return believed(votes, q.mean(0), confusions.log_likelihood(votes))[0]
