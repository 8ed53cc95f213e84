"""How often each coder gave the label that is known to be right, beside what the model believes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...results import Result
from ..fitted_model import FittedModel
from ..gold import Gold
from .truth import truth_of, wilson

__all__ = ["CoderScores", "coder_scores"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class CoderScores(Result):
    """The coders of a posterior on items whose label is known. C coders.

    Parameters
    ----------
    question : str or None
    coders : tuple of str
        (C,)
    n : ndarray
        (C,) annotations of such items; repeated ones count each time.
    accuracy, low, high : ndarray
        (C,) share that is right and its interval (Wilson 1927); NaN without an annotation.
    competence : ndarray
        (C,) what the model believes.
    level : float
        Of the intervals.
    """

    question: str | None
    coders: tuple[str, ...]
    n: Floats
    accuracy: Floats
    low: Floats
    high: Floats
    competence: Floats
    level: float

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        names = ("accuracy", "low", "high", "competence")
        columns = [getattr(self, name).tolist() for name in names]
        return [
            {
                "question": self.question,
                "coder": coder,
                "n_known": int(n),
                **dict(zip(names, row, strict=True)),
            }
            for coder, n, *row in zip(self.coders, self.n.tolist(), *columns, strict=True)
        ]


def coder_scores(posterior: FittedModel, truth: Gold, *, level: float = 0.95) -> CoderScores:
    """Score coders by known labels; see `Posterior.coder_scores`.

    Parameters
    ----------
    posterior : FittedModel
    truth : str, path, mapping or frame
        Known labels.
    level : float

    Returns
    -------
    CoderScores

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.fit([["a", "b", "a"], ["a", "b", "b"], ["b", "b", "a"]], "majority")
    >>> [row["n_known"] for row in coder_scores(found, {1: "a", 2: "b"}).to_rows()]
    [2, 2, 2]
    >>> coder_scores(found, {1: "a", 2: "b"}).accuracy.tolist()
    [1.0, 1.0, 0.5]
    """
    votes = posterior.votes
    codes = truth_of(posterior.votes, posterior.data, truth, told=True).codes
    on = (codes[votes.item] >= 0) & (votes.label < votes.n_categories)
    coder, times = votes.coder[on], votes.times[on]
    n = np.asarray(np.bincount(coder, times, votes.n_coders), np.float64)
    hit = votes.label[on] == codes[votes.item[on]]
    right = np.bincount(coder, times * hit, votes.n_coders)
    accuracy = np.asarray(right / np.where(n > 0, n, np.nan))
    ends = [wilson(a, int(k), level) for a, k in zip(accuracy.tolist(), n.tolist(), strict=True)]
    low, high = np.array(ends, float).reshape(-1, 2).T
    return CoderScores(
        posterior.question, votes.coders, n, accuracy, low, high, posterior.competence, level
    )
