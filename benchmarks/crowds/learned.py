"""Constants of the models that were learned from public crowds, learned without the one judged.

The whole of what the benchmark knows about them: `lesson` is what one crowd with gold labels
teaches, `constants` what several lessons come to, and `using` puts constants in the place of those
that the package has. Whoever changes what is learned from crowds changes these three.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import accordant as ac
from accordant.models import dependence

from .gold import Crowd
from .scores import LEAST, Beliefs, right_labels

__all__ = ["Constants", "Lesson", "constants", "lesson", "using"]

Floats = NDArray[np.float64]

MODEL = "blend"
GRID = np.arange(-1.6, 0.65, 0.1)  # log rho of a crowd with the mean correlation
SMALLEST = 0.002  # correlation; of what is smaller the logarithm says nothing


@dataclass(frozen=True, eq=False)
class Lesson:
    """How much the errors of a crowd correlate, and how probable its truth is for each rho.

    Parameters
    ----------
    correlation, error : float
    truth : ndarray
        (R, n) probability of the gold labels for each value of `dependence.RHO`.
    """

    correlation: float
    error: float
    truth: Floats

    def loss(self, found: Constants) -> float:
        """The log-loss of the crowd with these constants."""
        with using(found):
            weights = dependence._weights(self.correlation, self.error)
        return float(-np.log(np.clip(weights @ self.truth, LEAST, 1)).mean())


class Constants(NamedTuple):
    """Mean and deviation of the log correlation of crowds, and their mean log rho."""

    seen_mean: float
    seen_sd: float
    rho_mean: float


def lesson(given: Crowd) -> Lesson:
    """What a crowd teaches."""
    found: Any = ac.fit(given.data, MODEL)
    said = Beliefs(found.items, found.categories, found.probabilities)
    right = right_labels(given, said)
    at = {str(item): i for i, item in enumerate(said.items)}
    rows = np.array([at[str(item)] for item in given.gold])
    n = found.votes.per_item
    truth = [
        (found.evidence.beliefs(dependence.worth(n, rho), rows) * right).sum(1)
        for rho in dependence.RHO.tolist()
    ]
    seen = found.dependence
    return Lesson(seen.correlation, seen.error, np.array(truth))


def constants(lessons: Sequence[Lesson]) -> Constants:
    """The correlations of these crowds, and the rho with the least mean log-loss over them."""
    logs = [math.log(max(one.correlation, SMALLEST)) for one in lessons]
    mean, sd = float(np.mean(logs)), float(np.std(logs))
    tried = [Constants(mean, sd, float(rho)) for rho in GRID]
    return min(tried, key=lambda c: float(np.mean([one.loss(c) for one in lessons])))


@contextmanager
def using(found: Constants | None) -> Iterator[None]:
    """Fit with these constants; None leaves those of the package."""
    names = ("SEEN_MEAN", "SEEN_SD", "RHO_MEAN")
    before = [getattr(dependence, name) for name in names]
    try:
        for name, value in zip(names, found or before, strict=True):
            setattr(dependence, name, value)
        yield
    finally:
        for name, value in zip(names, before, strict=True):
            setattr(dependence, name, value)
