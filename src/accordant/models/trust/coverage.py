"""Fewer labels, but better ones: what is kept above a confidence, and what that buys."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...arrays import Bools, Floats, Ints
from ...errors import RequestError
from ...numbers import count_of, decimal, percent
from ...results import Result
from ..fitted_model import FittedModel
from ..gold import Gold, truth_of
from ..uncertainty import wilson
from .accuracy import Scores, Ties, best_share, best_weights, scores

__all__ = ["OF_VOTES", "Coverage", "Kept", "coverage_of", "expected_coverage", "kept"]

STEPS = 100  # thresholds of a curve, at most
OF_VOTES = "Shares of votes are not probabilities: no accuracy can be expected from them."
EQUAL = 1e-12  # entropies that differ by less are one: the same sum in another order


@dataclass(frozen=True, eq=False, repr=False)
class Kept(Result):
    """The items whose labels are sure enough.

    Parameters
    ----------
    posterior : FittedModel
    chosen : ndarray of bool
        (I,) whether the item is kept.
    rule : str
        What was asked, in words.
    n_tied : int
        Items that would have been sure enough but have no label, because categories are tied.
    """

    posterior: FittedModel
    chosen: Bools
    rule: str
    n_tied: int
    told_as: ClassVar[str] = "kept"

    def __len__(self) -> int:
        return int(self.chosen.sum())

    @property
    def share(self) -> float:
        """Share of the items that are kept."""
        return float(self.chosen.mean())

    @property
    def items(self) -> list[Any]:
        """Names of the items that are kept."""
        names = list(self.posterior.labelled())
        return [names[k] for k in np.flatnonzero(self.chosen).tolist()]

    def scores(self, truth: Gold, *, ties: Ties = "share", level: float = 0.95) -> Scores:
        """How right the labels that are kept are; as `Posterior.scores`, of these items only."""
        return scores(self.posterior, truth, ties=ties, level=level, chosen=self.chosen)

    @property
    def labels(self) -> list[Any]:
        """Their labels."""
        codes = self.posterior.codes[self.chosen].tolist()
        return [self.posterior.categories[k] for k in codes]

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows of these items, as in the posterior."""
        rows = self.posterior.to_rows()
        return [row for row, keep in zip(rows, self.chosen, strict=True) if keep]


def kept(
    posterior: FittedModel,
    confidence: float | None = None,
    share: float | None = None,
    entropy: float | None = None,
) -> Kept:
    """Choose items; see `Posterior.keep`."""
    asked = {"confidence": confidence, "share": share, "entropy": entropy}
    given = [name for name, x in asked.items() if x is not None]
    if len(given) != 1:
        raise RequestError("give one of confidence, share and entropy")
    name, x = given[0], asked[given[0]]
    most = math.log2(max(len(posterior.categories), 2)) if name == "entropy" else 1
    if isinstance(x, bool) or not isinstance(x, int | float) or not 0 <= x <= most:
        raise RequestError(f"a number from 0 to {decimal(most, 0)}, not {x!r}", parameter=name)
    if np.isnan(posterior.confidence).any():
        raise RequestError(f"no label can be kept for being sure: {posterior.withheld}")
    if name == "confidence":
        chosen = posterior.confidence >= x - EQUAL
        rule = f"confidence of {decimal(x)} or more"
    elif name == "entropy":
        chosen = posterior.entropy <= x + EQUAL
        rule = f"entropy of {decimal(x)} bits or less"
    else:
        n = math.ceil(x * len(posterior.entropy) - 1e-9)
        limit = np.sort(posterior.entropy)[n - 1] if n else -math.inf
        chosen = posterior.entropy <= limit + EQUAL
        rule = f"the {percent(x)} with the least entropy"
        if n and (more := int(chosen.sum()) - n):
            rule += f", and {count_of(more, 'item')} with the same entropy as the last of them"
    tied = posterior.tied & chosen
    return Kept(posterior, chosen & ~tied, rule, int(tied.sum()))


@dataclass(frozen=True, eq=False, repr=False)
class Coverage(Result):
    """What accuracy the labels have if only the surest are kept. T thresholds, surest first.

    Parameters
    ----------
    question : str or None
    threshold : ndarray
        (T,) least confidence of the items kept.
    n_kept : ndarray of int
        (T,) items that are as sure.
    n_items : int
        All items that could be kept: without control items, which the model was told.
    expected : ndarray
        (T,) accuracy that the beliefs promise; NaN for votes, whose shares promise nothing.
    accuracy, low, high : ndarray
        (T,) accuracy against a truth with its interval; NaN where nothing is known.
    n_scored : ndarray of int
        (T,) kept items with a known label.
    promise : str
        Whose beliefs ``expected`` comes from.
    """

    question: str | None
    threshold: Floats
    n_kept: Ints
    n_items: int
    expected: Floats
    accuracy: Floats
    low: Floats
    high: Floats
    n_scored: Ints
    promise: str
    told_as: ClassVar[str] = "coverage"

    @property
    def share(self) -> Floats:
        """(T,) of the items that are kept."""
        return self.n_kept / max(self.n_items, 1)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each threshold."""
        names = ("threshold", "n_kept", "share", "expected", "accuracy", "low", "high", "n_scored")
        columns = [getattr(self, name).tolist() for name in names]
        return [
            {"question": self.question, **dict(zip(names, row, strict=True))}
            for row in zip(*columns, strict=True)
        ]


def coverage_of(posterior: FittedModel, truth: Gold | None = None) -> Coverage:
    """The curve; see `Posterior.coverage`."""
    free = posterior.votes.known < 0
    expected, promise = _promised(posterior)
    codes = np.full(len(free), -1)
    if truth is not None:
        codes = truth_of(posterior.votes, posterior.data, truth).codes
    standing = posterior.standing  # by which items stand, sure or not
    scored = codes >= 0
    right = np.zeros(len(free))
    right[scored] = best_share(standing[scored], codes[scored], "share")
    return _curve(
        posterior.question,
        standing.max(1)[free],
        expected[free],
        promise,
        scored[free],
        right[free],
    )


def expected_coverage(
    question: str | None, confidence: Floats, expected: Floats, promise: str
) -> Coverage:
    """The curve without a truth, by the confidence (I,) and the expected credit (I,) of labels."""
    nothing = np.zeros(len(confidence))
    return _curve(question, confidence, expected, promise, nothing.astype(bool), nothing)


def _curve(
    question: str | None,
    confidence: Floats,
    expected: Floats,
    promise: str,
    scored: Bools,
    right: Floats,
) -> Coverage:
    """By the confidence of labels, their expected credit and that of those with a truth (I,)."""
    order = np.argsort(-confidence, kind="stable")
    ends = _ends(confidence[order])
    n, hits = scored[order].cumsum()[ends], right[order].cumsum()[ends]
    accuracy = hits / np.where(n > 0, n, np.nan)
    limits = [wilson(a, k) for a, k in zip(accuracy.tolist(), n.tolist(), strict=True)]
    low, high = np.array(limits, float).reshape(-1, 2).T
    promised = expected[order].cumsum()[ends] / (ends + 1)
    return Coverage(
        question,
        confidence[order][ends],
        ends + 1,
        len(order),
        promised,
        accuracy,
        low,
        high,
        n,
        promise,
    )


def _promised(posterior: FittedModel) -> tuple[Floats, str]:
    """(I,) expected credit of each label, and who promises it."""
    p = posterior.probabilities
    if not posterior.model.probabilistic:
        return np.full(len(p), np.nan), OF_VOTES
    if posterior.withheld:
        return np.full(len(p), np.nan), f"No accuracy can be expected: {posterior.withheld}."
    promise = (best_weights(p) * p).sum(1)
    if posterior.recalibration:
        return (
            promise,
            f"Expected accuracy: by recalibrated probabilities. {posterior.recalibration}",
        )
    return promise, "Expected accuracy: by the model, which takes coders as independent."


def _ends(confidence: Floats) -> NDArray[np.intp]:
    """Positions of the last item of each threshold: equal confidences stay together."""
    n = len(confidence)
    last = np.flatnonzero(np.append(np.diff(confidence) < -EQUAL, True)) if n else np.empty(0, int)
    wanted = np.ceil(np.arange(1, STEPS + 1) / STEPS * n).astype(int) - 1
    found = np.minimum(np.searchsorted(last, wanted), len(last) - 1) if n else last
    return np.asarray(last[np.unique(found)], np.intp)
