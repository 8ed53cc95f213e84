"""How often labels and coders are right where that is known, and whether probabilities hold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...arrays import Bools, Floats
from ...errors import RequestError
from ...inference.distributions import normal_quantile
from ...results import Result
from ...scheme import Value
from ..estimate import TIE
from ..fitted_model import FittedModel
from ..gold import ALL_MATCHED, Gold, Unmatched, believed_in, truth_of
from ..uncertainty import wilson
from ..votes import UNKNOWN

__all__ = [
    "EDGES",
    "TIES",
    "Calibration",
    "CoderScores",
    "Scores",
    "Ties",
    "best_share",
    "best_weights",
    "calibration_of",
    "coder_scores",
    "credit",
    "scores",
]


Ties: TypeAlias = Literal["share", "wrong", "left out"]
TIES: tuple[Ties, ...] = ("share", "wrong", "left out")


@dataclass(frozen=True, repr=False)
class Scores(Result):
    """How right the labels of a posterior are.

    Parameters
    ----------
    accuracy, low, high : float
        Share of right labels and its interval over items.
    level : float
    n_items : int
        Items that were scored.
    n_tied : int
        How many of them have no label, because two categories are equally probable.
    n_told : int
        Items that do not count because the model was told their labels.
    ties : {'share', 'wrong', 'left out'}
        What a tie was worth.
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
    ties: Ties
    categories: tuple[Value, ...]
    n_true: tuple[float, ...]
    precision: tuple[float, ...]
    recall: tuple[float, ...]
    f1: tuple[float, ...]
    unmatched: Unmatched = ALL_MATCHED
    told_as: ClassVar[str] = "scores"
    question: ClassVar[None] = None

    @property
    def macro_f1(self) -> float:
        """Mean F1 of the categories that occur in the truth."""
        found = [f for f, n in zip(self.f1, self.n_true, strict=True) if n]
        return sum(0.0 if math.isnan(f) else f for f in found) / len(found) if found else math.nan

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each category, with what holds for all."""
        lines = zip(self.categories, self.n_true, self.precision, self.recall, self.f1, strict=True)
        return [
            {
                "category": category,
                "n_true": n,
                "precision": p,
                "recall": r,
                "f1": f,
                "accuracy": self.accuracy,
                "low": self.low,
                "high": self.high,
                "n_items": self.n_items,
                "n_tied": self.n_tied,
                "ties": self.ties,
            }
            for category, n, p, r, f in lines
        ]


def credit(posterior: FittedModel, codes: NDArray[Any], ties: Ties) -> Floats:
    """(n,) what the labels of items are worth: 1 right, 0 wrong, a part for a tie.

    Parameters
    ----------
    posterior : FittedModel
    codes : ndarray of int
        (I,) the right category, -1 for items that do not count.
    ties : {'share', 'wrong', 'left out'}
        Of categories that are equally probable each gets its part; or a tie is wrong; or it does
        not count. A tie is never right by luck.

    Returns
    -------
    ndarray
        Of the n items that count.
    """
    if ties not in TIES:
        known = ", ".join(map(repr, TIES))
        raise RequestError(f"choose one of {known}, not {ties!r}", parameter="ties")
    counted = (codes >= 0) & ~(posterior.tied & (ties == "left out"))
    return best_share(posterior.standing[counted], codes[counted], ties)


def best_weights(p: Floats, ties: Ties = "share") -> Floats:
    """(n, K) credit that each category would get: 1 for the label, parts (or nothing) for ties."""
    best = (p >= p.max(1, keepdims=True) - TIE).astype(float)
    n = best.sum(1, keepdims=True)
    return np.asarray(np.where(n > 1, 0.0, best) if ties == "wrong" else best / n)


def best_share(p: Floats, codes: NDArray[Any], ties: Ties) -> Floats:
    """(n,) the part of the most probable categories that is right."""
    return believed_in(best_weights(p, ties), codes)


def scores(
    posterior: FittedModel,
    truth: Gold,
    *,
    ties: Ties = "share",
    level: float = 0.95,
    chosen: Bools | None = None,
) -> Scores:
    """Score the labels of a posterior, or of some items; see `Posterior.scores`."""
    known = truth_of(posterior.votes, posterior.data, truth)
    if chosen is not None:
        known = replace(known, codes=np.where(chosen, known.codes, UNKNOWN))
    right = credit(posterior, known.codes, ties)
    n = len(right)
    accuracy = float(right.mean()) if n else math.nan
    at = np.flatnonzero(known.scored & ~(posterior.tied & (ties == "left out")))
    k = len(posterior.categories)
    given = best_weights(posterior.standing[at], ties)
    z = known.codes[at]
    n_true = np.bincount(z, minlength=k + 1)[:k].astype(float)
    inside = z < k
    hits = np.bincount(z[inside], given[np.flatnonzero(inside), z[inside]], k)
    called = given.sum(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = hits / called, hits / n_true
        f1 = 2 * hits / (called + n_true)
    low, high = wilson(accuracy, n, level)
    n_tied = int((posterior.tied & known.scored).sum())
    of_true, of_precision, of_recall, of_f1 = (
        tuple(x.tolist()) for x in (n_true, precision, recall, f1)
    )
    return Scores(
        accuracy,
        low,
        high,
        level,
        n,
        n_tied,
        known.n_told,
        ties,
        posterior.categories,
        of_true,
        of_precision,
        of_recall,
        of_f1,
        known.unmatched,
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
    n, right = votes.right(codes)
    accuracy = np.asarray(right / np.where(n > 0, n, np.nan))
    ends = [wilson(a, int(k), level) for a, k in zip(accuracy.tolist(), n.tolist(), strict=True)]
    low, high = np.array(ends, float).reshape(-1, 2).T
    return CoderScores(
        posterior.question, votes.coders, n, accuracy, low, high, posterior.competence, level
    )


EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Bins of confidence: fine where models claim to be sure, for there they err most."""
LEAST = 1e-12  # a truth that was excluded costs 27.6 nats instead of infinitely many


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result):
    """How the probabilities of labels compare with how often they are right. B bins.

    Parameters
    ----------
    question : str or None
    low_edge, high_edge : tuple of float
        (B,) of the confidence of a label.
    n : tuple of int
        (B,) items.
    expected, observed, low, high : tuple of float
        (B,) mean confidence, share of right labels and its interval; NaN for an empty bin.
    n_items : int
    accuracy : float
    error : float
        Expected calibration error: mean distance of expected and observed, weighted by items.
    brier : float
        Mean of Σ_k (probability - truth)², 0 to 2.
    log_loss, log_loss_low, log_loss_high : float
        Mean of -log probability of the truth, in nats, and its interval over items.
    n_excluded : int
        Items whose truth had less than 1e-12, which counts as so much.
    n_told : int
        Control items, which do not count.
    level : float
    recalibration : str
        How the evidence was weighed; empty if it was not.
    beliefs : bool
        False for votes, whose shares are opinions: then this tells how far they may be read as
        probabilities of a truth.
    """

    question: str | None
    low_edge: tuple[float, ...]
    high_edge: tuple[float, ...]
    n: tuple[int, ...]
    expected: tuple[float, ...]
    observed: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    n_items: int
    accuracy: float
    error: float
    brier: float
    log_loss: float
    log_loss_low: float
    log_loss_high: float
    n_excluded: int
    n_told: int
    level: float
    recalibration: str
    beliefs: bool
    told_as: ClassVar[str] = "calibration"

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each bin, with what holds for all."""
        names = ("low_edge", "high_edge", "n", "expected", "observed", "low", "high")
        whole = {x: getattr(self, x) for x in ("error", "brier", "log_loss", "n_items", "accuracy")}
        return [
            {"question": self.question, **dict(zip(names, row, strict=True)), **whole}
            for row in zip(*(getattr(self, name) for name in names), strict=True)
        ]


def calibration_of(posterior: FittedModel, truth: Gold, *, level: float = 0.95) -> Calibration:
    """Compare beliefs with a truth; see `Posterior.calibration`."""
    if np.isnan(posterior.probabilities).any():
        raise RequestError(f"there are no probabilities to judge: {posterior.withheld}")
    known = truth_of(posterior.votes, posterior.data, truth)
    at = np.flatnonzero(known.scored)
    z, p = known.codes[at], posterior.probabilities[at]
    right, confidence = best_share(p, z, "share"), p.max(1)
    edges = np.array(EDGES)
    part = np.clip(np.searchsorted(edges, confidence, side="right") - 1, 0, len(edges) - 2)
    bins = [part == b for b in range(len(edges) - 1)]
    n = [int(b.sum()) for b in bins]
    expected = [float(confidence[b].mean()) if b.any() else math.nan for b in bins]
    observed = [float(right[b].mean()) if b.any() else math.nan for b in bins]
    limits = [wilson(o, k, level) for o, k in zip(observed, n, strict=True)]
    gap = [abs(e - o) * k for e, o, k in zip(expected, observed, n, strict=True) if k]
    true = believed_in(p, z)
    loss = -np.log(np.maximum(true, LEAST))
    half = _half_width(loss, level)
    brier = (p**2).sum(1) - 2 * true + 1
    mean = float(loss.mean())
    return Calibration(
        posterior.question,
        EDGES[:-1],
        EDGES[1:],
        tuple(n),
        tuple(expected),
        tuple(observed),
        tuple(x[0] for x in limits),
        tuple(x[1] for x in limits),
        len(at),
        float(right.mean()),
        sum(gap) / len(at),
        float(brier.mean()),
        mean,
        max(mean - half, 0.0),
        mean + half,
        int((true < LEAST).sum()),
        known.n_told,
        level,
        posterior.recalibration,
        posterior.model.probabilistic,
    )


def _half_width(x: Floats, level: float) -> float:
    """Half of the interval of a mean over items; NaN for a single one."""
    if len(x) < 2:
        return math.nan
    return float(normal_quantile((1 + level) / 2) * x.std(ddof=1) / math.sqrt(len(x)))
