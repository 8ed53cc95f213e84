"""How often labels and coders are right where that is known, and whether probabilities hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...arrays import Bools, Floats, Ints
from ...results import Result
from ...scheme import Value
from ..estimate import TIE
from ..gold import Truth, Unmatched, believed_in
from ..uncertainty import wilson
from ..votes import Votes

EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Fine where models claim to be sure: there they err most."""
LEAST = 1e-12  # a truth that was excluded costs 27.6 nats instead of infinitely many
STEPS = 100  # thresholds of a curve, at most
EQUAL = 1e-12  # confidences that differ by less are one: the same sum in another order


@dataclass(frozen=True, repr=False)
class LabelScores(Result):
    """How right the labels of a posterior are.

    Parameters
    ----------
    accuracy, low, high : float
        Share of right labels and its interval over items (Wilson 1927). Of a tie of k categories
        the right one counts 1/k: a tie is never right by luck.
    level : float
    n_items : int
        Items that were scored.
    n_tied : int
        How many of them have no label, because two categories are equally probable.
    n_told : int
        Items that do not count because the model was told their labels.
    categories : tuple
        (K,)
    n_true, precision, recall, f1 : tuple of float
        (K,) of each category; NaN where nothing is or was called that.
    unmatched : Unmatched
        Items with a known label that are no items of the data.
    """

    accuracy: float
    low: float
    high: float
    level: float
    n_items: int
    n_tied: int
    n_told: int
    categories: tuple[Value, ...]
    n_true: tuple[float, ...]
    precision: tuple[float, ...]
    recall: tuple[float, ...]
    f1: tuple[float, ...]
    unmatched: Unmatched
    told_as: ClassVar[str] = "scores"
    question: ClassVar[None] = None

    @property
    def macro_f1(self) -> float:
        """Mean F1 of the categories that occur in the truth."""
        found = [f for f, n in zip(self.f1, self.n_true, strict=True) if n]
        return sum(0.0 if math.isnan(f) else f for f in found) / len(found) if found else math.nan

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each category, with what holds for all."""
        names = ("category", "n_true", "precision", "recall", "f1")
        whole = {x: getattr(self, x) for x in ("accuracy", "low", "high", "n_items", "n_tied")}
        lines = zip(self.categories, self.n_true, self.precision, self.recall, self.f1, strict=True)
        return [dict(zip(names, line, strict=True)) | whole for line in lines]


def best_weights(p: Floats) -> Floats:
    """(n, K) credit that each category would get: 1 for the label, parts for ties."""
    best = (p >= p.max(1, keepdims=True) - TIE).astype(float)
    return np.asarray(best / best.sum(1, keepdims=True))


def best_share(p: Floats, codes: Ints) -> Floats:
    """(n,) the part of the most probable categories that is right."""
    return believed_in(best_weights(p), codes)


def scores(
    categories: tuple[Value, ...], standing: Floats, truth: Truth, level: float, chosen: Bools
) -> LabelScores:
    """Score the labels of some items (I,), which are chosen by ``standing`` (I, K)."""
    at = np.flatnonzero((truth.codes >= 0) & chosen)
    given, z, k = best_weights(standing[at]), truth.codes[at], len(categories)
    accuracy = float(believed_in(given, z).mean()) if len(at) else math.nan
    n_true = np.bincount(z, minlength=k + 1)[:k].astype(float)
    inside = np.flatnonzero(z < k)
    hits = np.bincount(z[inside], given[inside, z[inside]], k)
    called = given.sum(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        figures = n_true, hits / called, hits / n_true, 2 * hits / (called + n_true)
    of_true, precision, recall, f1 = (tuple(x.tolist()) for x in figures)
    low, high = wilson(accuracy, len(at), level)
    return LabelScores(
        accuracy,
        low,
        high,
        level,
        len(at),
        int(np.count_nonzero(given.max(1, initial=0) < 1)),
        truth.n_told,
        categories,
        of_true,
        precision,
        recall,
        f1,
        truth.unmatched,
    )


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
        names = ("n_known", "accuracy", "low", "high", "competence")
        columns = [self.n.astype(int), self.accuracy, self.low, self.high, self.competence]
        rows = zip(self.coders, *(x.tolist() for x in columns), strict=True)
        return [
            {"question": self.question, "coder": coder, **dict(zip(names, row, strict=True))}
            for coder, *row in rows
        ]


def coder_scores(
    question: str | None, votes: Votes, codes: Ints, competence: Floats, level: float
) -> CoderScores:
    """Score coders by known labels (I,)."""
    n, right = votes.right(codes)
    accuracy = np.asarray(right / np.where(n > 0, n, np.nan))
    ends = _limits(accuracy, n, level)
    return CoderScores(question, votes.coders, n, accuracy, *ends, competence, level)


def _limits(share: Floats, n: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Both ends of the intervals of shares."""
    ends = [wilson(a, int(k), level) for a, k in zip(share.tolist(), n.tolist(), strict=True)]
    low, high = np.array(ends, float).reshape(-1, 2).T
    return low, high


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result):
    """How the probabilities of labels compare with how often they are right. B bins.

    Parameters
    ----------
    question : str or None
    low_edge, high_edge : ndarray
        (B,) of the confidence of a label.
    n : ndarray
        (B,) items.
    expected, observed, low, high : ndarray
        (B,) mean confidence, share of right labels and its interval; NaN for an empty bin.
    n_items : int
    accuracy : float
    error : float
        Expected calibration error: mean distance of expected and observed, weighted by items.
    brier : float
        Mean of Σ_k (probability - truth)², 0 to 2.
    log_loss : float
        Mean of -log probability of the truth, in nats; less than 1e-12 counts as so much.
    n_told : int
        Control items, which do not count.
    level : float
    beliefs : bool
        False for votes, whose shares are opinions: then this tells how far they may be read as
        probabilities of a truth.
    """

    question: str | None
    low_edge: Floats
    high_edge: Floats
    n: Floats
    expected: Floats
    observed: Floats
    low: Floats
    high: Floats
    n_items: int
    accuracy: float
    error: float
    brier: float
    log_loss: float
    n_told: int
    level: float
    beliefs: bool
    told_as: ClassVar[str] = "calibration"

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each bin, with what holds for all."""
        names = ("low_edge", "high_edge", "n", "expected", "observed", "low", "high")
        whole = {x: getattr(self, x) for x in ("error", "brier", "log_loss", "n_items", "accuracy")}
        columns = (getattr(self, name).tolist() for name in names)
        return [
            {"question": self.question, **dict(zip(names, row, strict=True)), **whole}
            for row in zip(*columns, strict=True)
        ]


def calibration_of(
    question: str | None,
    probabilities: Floats,
    truth: Truth,
    level: float,
    *,
    beliefs: bool,
) -> Calibration:
    """Compare probabilities (I, K) with a truth."""
    at = np.flatnonzero(truth.codes >= 0)
    z, p = truth.codes[at], probabilities[at]
    right, confidence, edges = best_share(p, z), p.max(1), np.array(EDGES)
    b = len(edges) - 1
    part = np.clip(np.searchsorted(edges, confidence, side="right") - 1, 0, b - 1)
    n = np.bincount(part, minlength=b).astype(float)
    some = np.where(n > 0, n, np.nan)
    expected, observed = (np.bincount(part, x, b) / some for x in (confidence, right))
    true = believed_in(p, z)
    return Calibration(
        question,
        edges[:-1],
        edges[1:],
        n,
        expected,
        observed,
        *_limits(observed, n, level),
        len(at),
        float(right.mean()),
        float(np.nansum(np.abs(expected - observed) * n) / len(at)),
        float(((p**2).sum(1) - 2 * true + 1).mean()),
        float(-np.log(np.maximum(true, LEAST)).mean()),
        truth.n_told,
        level,
        beliefs,
    )


@dataclass(frozen=True, eq=False, repr=False)
class CoverageCurve(Result):
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


def coverage_of(
    question: str | None, confidence: Floats, expected: Floats, right: Floats, promise: str
) -> CoverageCurve:
    """By the confidence of labels (I,), their expected and their known credit, NaN for unknown."""
    order = np.argsort(-confidence, kind="stable")
    ends = _ends(confidence[order])
    known = ~np.isnan(right[order])
    n = known.cumsum()[ends]
    accuracy = np.nan_to_num(right[order]).cumsum()[ends] / np.where(n > 0, n, np.nan)
    return CoverageCurve(
        question,
        confidence[order][ends],
        ends + 1,
        len(order),
        expected[order].cumsum()[ends] / (ends + 1),
        accuracy,
        *_limits(accuracy, n),
        n,
        promise,
    )


def _ends(confidence: Floats) -> Ints:
    """Positions of the last item of each threshold: equal confidences stay together."""
    n = len(confidence)
    if not n:
        return np.empty(0, np.intp)
    last = np.flatnonzero(np.append(np.diff(confidence) < -EQUAL, True))
    wanted = np.ceil(np.arange(1, STEPS + 1) / STEPS * n).astype(int) - 1
    found = np.minimum(np.searchsorted(last, wanted), len(last) - 1)
    return np.asarray(last[np.unique(found)], np.intp)
