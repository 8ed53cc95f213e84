"""Constants of the models that were learned from public crowds, learned without the one judged.

The whole of what the benchmark knows about them: `lesson` is what one crowd with gold labels
teaches, `constants` what several lessons come to, and `using` puts constants in the place of those
that the package has. Whoever changes what is learned from crowds changes these three.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

import accordant as ac
from accordant.models.trust import design_effect

from .gold import Crowd
from .scores import Beliefs, certain_nothing, log_loss, right_labels

__all__ = ["Constants", "Lesson", "constants", "lesson", "using"]

Lesson = NDArray[np.float64]
Constants = float

TAUGHT_BY = ("dawid_skene", "pooled", "variational", "one_coin")
GRID = np.geomspace(0.5, 50, 41)  # values that the constant may have


def lesson(given: Crowd) -> Lesson:
    """(models, GRID) the log-loss on a crowd with each value of the constant."""
    out = []
    for key in TAUGHT_BY:
        found: Any = ac.fit(given.data, key, restarts=0)
        seen = found.design_effect.seen
        said = Beliefs(found.items, found.categories, found.probabilities)
        right = right_labels(given, said)
        at = {str(item): i for i, item in enumerate(said.items)}
        rows = np.array([at[str(item)] for item in given.gold])
        tau = 1 / (1 + GRID * np.sqrt(seen - 1))
        beliefs = [certain_nothing(found.evidence.beliefs(float(t), rows)) for t in tau]
        out.append([log_loss(p, right) for p in beliefs])
    return np.array(out)


def constants(lessons: Sequence[Lesson]) -> Constants:
    """The value that on average loses least beside the best one of each crowd and model."""
    loss = np.array(lessons)
    behind = np.log(loss / loss.min(axis=2, keepdims=True))
    return float(GRID[behind.mean(axis=(0, 1)).argmin()])


@contextmanager
def using(found: Constants | None) -> Iterator[None]:
    """Fit with these constants; None leaves those of the package."""
    before = design_effect.HIDDEN
    try:
        design_effect.HIDDEN = before if found is None else found
        yield
    finally:
        design_effect.HIDDEN = before
