"""Whether probabilities hold: of labels that are believed with .9, nine in ten should be right."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...arrays import Floats
from ...errors import RequestError
from ...inference.distributions import normal_quantile
from ...results import Result
from ..fitted_model import FittedModel
from ..gold import Gold
from .accuracy import best_share
from .truth import believed_in, truth_of, wilson

__all__ = ["EDGES", "Calibration", "calibration_of"]

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
        posterior.question, EDGES[:-1], EDGES[1:], tuple(n), tuple(expected), tuple(observed),
        tuple(x[0] for x in limits), tuple(x[1] for x in limits), len(at), float(right.mean()),
        sum(gap) / len(at), float(brier.mean()), mean, max(mean - half, 0.0), mean + half,
        int((true < LEAST).sum()), known.n_told, level, posterior.recalibration,
        posterior.model.probabilistic,
    )  # fmt: skip


def _half_width(x: Floats, level: float) -> float:
    """Half of the interval of a mean over items; NaN for a single one."""
    if len(x) < 2:
        return math.nan
    return float(normal_quantile((1 + level) / 2) * x.std(ddof=1) / math.sqrt(len(x)))
