"""Constants of the models that were learned from public crowds, learned without the one judged.

The whole of what the benchmark knows about them: `lesson` is what one crowd with gold labels
teaches, `constants` what several lessons come to, and `using` puts constants in the place of those
that the package has. Whoever changes what is learned from crowds changes these three.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import accordant as ac
from accordant.models.em import How
from accordant.models.estimators import blend

from .gold import Crowd
from .scores import LEAST, Beliefs, right_labels

__all__ = ["Constants", "Lesson", "constants", "lesson", "using"]

Floats = NDArray[np.float64]

CENTRES = np.arange(-1.2, 0.85, 0.1)  # log rho of a crowd whose correlation has the logarithm -3.5
SLOPES = np.arange(0.2, 0.9, 0.1)


@dataclass(frozen=True, eq=False)
class Lesson:
    """How far the errors of a crowd are shared, and how probable its truth is for each rho.

    Parameters
    ----------
    seen : Dependence
    truth : ndarray
        (R, n) probability of the gold labels for each value of `blend.RHO`.
    """

    seen: Any
    truth: Floats

    def loss(self, found: Constants) -> float:
        """The log-loss of the crowd with these constants."""
        with using(found):
            weights = blend.rho_weights(self.seen)
        return float(-np.log(np.clip(weights @ self.truth, LEAST, 1)).mean())


class Constants(NamedTuple):
    """Log rho of a crowd: where the correlation has the logarithm -3.5, and its slope on that."""

    centre: float
    slope: float


def lesson(given: Crowd) -> Lesson:
    """What a crowd teaches."""
    votes: Any = ac.fit(given.data, "majority").votes
    sums, prior = blend.Sums(votes), [one.weight for one in blend.ACCOUNTS.values()]
    fits = [blend.judged(sums, one) for one in blend.ACCOUNTS.values()]
    said = Beliefs(votes.items, votes.categories, votes.shares)
    right = right_labels(given, said)
    at = {str(item): i for i, item in enumerate(said.items)}
    rows = np.array([at[str(item)] for item in given.gold])
    n = votes.per_item[rows]
    truth = [
        sum(
            w * (blend.shares_of(one.log_joint[rows] * blend.worth(n, rho)[:, None]) * right).sum(1)
            for w, one in zip(prior, fits, strict=True)
        )
        for rho in blend.RHO.tolist()
    ]
    return Lesson(blend.dependence(sums, fits[0], How().seed), np.array(truth))


def constants(lessons: Sequence[Lesson]) -> Constants:
    """Those with the least mean log-loss over these crowds."""
    tried = [Constants(float(c), float(s)) for c in CENTRES for s in SLOPES]
    return min(tried, key=lambda c: float(np.mean([one.loss(c) for one in lessons])))


@contextmanager
def using(found: Constants | None) -> Iterator[None]:
    """Fit with these constants; None leaves those of the package."""
    names = ("CENTRE", "SLOPE")
    before = [getattr(blend, name) for name in names]
    try:
        for name, value in zip(names, found or before, strict=True):
            setattr(blend, name, value)
        yield
    finally:
        for name, value in zip(names, before, strict=True):
            setattr(blend, name, value)
