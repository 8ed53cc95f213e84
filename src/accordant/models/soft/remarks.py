"""What a reader of scores must know: what is missing, mixed, or decided by a floor."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...actions import Action
from ...diagnosis.finding import Finding
from ...numbers import count_of, decimal, percent
from .predictions import Predicted
from .soft_labels import KINDS, SoftLabels
from .soft_scores import SoftScores

__all__ = ["remarks"]

_MEANING: Mapping[str, str] = {str(kind): says for kind, says in KINDS.items()}
MUCH = 0.05  # share of the cross-entropy that is worth a word; our convention


def remarks(scores: SoftScores, soft: SoftLabels, given: Predicted, floor: float) -> SoftScores:
    """The same scores with their findings.

    Parameters
    ----------
    scores : SoftScores
    soft : SoftLabels
    given : Predicted
    floor : float

    Returns
    -------
    SoftScores
    """
    found = [
        _kinds(soft, given), _shrunk(soft), _missing(scores, soft),
        _floor(scores, soft, given, floor), _useless(scores), _sure(scores, given), _tied(scores),
    ]  # fmt: skip
    own = tuple(replace(f, question=soft.question) for f in found if f is not None)
    return replace(scores, findings=(*own, *soft.findings))


def _kinds(soft: SoftLabels, given: Predicted) -> Finding | None:
    if given.kind and given.kind != soft.kind:
        return Finding(
            "mixed_kinds", "warning",
            f"The predictions are {given.kind}s ({_MEANING[given.kind]}), the soft labels "
            f"{soft.kind}s ({KINDS[soft.kind]}): these differ even if both are right.",
            "Compare with soft labels of the same kind.",
            {"predictions": given.kind, "soft": soft.kind}, ("uma2021",),
            do=(Action("", {"of": given.kind}),),
        )  # fmt: skip
    if soft.kind == "belief" and not given.kind:
        return Finding(
            "scored_against_beliefs", "note",
            "The soft labels are probabilities of a true label, not the distribution of coders' "
            "labels: a model that predicts what coders say scores lower for it.",
            "To score how well a model predicts coders, use the distribution of their labels.",
            sources=("uma2021",), do=(Action("", {"of": "opinion"}),),
        )  # fmt: skip
    return None


def _shrunk(soft: SoftLabels) -> Finding | None:
    rule = soft.smoothing
    if rule is None or rule.name == "none" or soft.counts is None:
        return None
    return Finding(
        "smoothed_targets", "note",
        f"The soft labels are smoothed ({rule.name}), and scores are best for them, not for the "
        "distribution behind the votes.",
        "To find the model that predicts votes best, score against unsmoothed labels; smoothing "
        "is for training.",
        {"smoothing": rule.name}, do=(Action("", {"smoothing": "none"}),),
    )  # fmt: skip


def _missing(scores: SoftScores, soft: SoftLabels) -> Finding | None:
    if not scores.n_missing and not scores.n_extra:
        return None
    said = []
    if scores.n_missing:
        said.append(
            f"{count_of(scores.n_missing, 'item')} of {len(soft):,} have no prediction and are "
            "left out"
        )
    if scores.n_extra:
        said.append(
            f"{count_of(scores.n_extra, 'prediction')} are for other items and are not used"
        )
    return Finding(
        "items_without_prediction", "warning" if scores.n_missing else "note",
        f"{'; '.join(said)}.",
        "Predict all items before comparing with another model: what is left out is seldom easy.",
        {"n_missing": scores.n_missing, "n_extra": scores.n_extra},
    )  # fmt: skip


def _floor(scores: SoftScores, soft: SoftLabels, given: Predicted, floor: float) -> Finding | None:
    """How much of the cross-entropy comes from what was called impossible and happened."""
    target, p = soft.distributions[given.at], given.probabilities
    if soft.several:
        p = np.stack([p, 1 - p], -1)
    low = (p < max(floor, 1e-300)) & (target > 0)
    cost = scores["cross_entropy"].value * len(given.at)
    if not low.any() or math.isnan(cost):
        return None
    n = int(low.reshape(len(p), -1).any(1).sum())
    if floor == 0:
        return Finding(
            "impossible_labels", "problem",
            f"For {count_of(n, 'item')} a category that coders give has probability 0, so that "
            "cross-entropy is infinite.",
            "Set a floor, or compare by Jensen–Shannon divergence, total variation or Brier score.",
            {"n": n}, do=(Action("", {"floor": 1e-6}),),
        )  # fmt: skip
    bits = -math.log2(floor) * (math.log(2) if scores.unit == "nats" else 1)
    share = float(target[low].sum()) * bits / (cost * (p.shape[1] if soft.several else 1))
    if share < MUCH:
        return None
    why = "labels, not distributions" if given.hard else "certain where coders disagree"
    return Finding(
        "floor", "warning",
        f"The predictions are {why}: for {count_of(n, 'item')} they give probability 0 to a label "
        f"that coders gave, and {percent(min(share, 1))} of the cross-entropy comes from the floor "
        f"of {floor:g}.",
        "Read Jensen–Shannon divergence, total variation and Brier score, which need no floor.",
        {"n": n, "share": share},
    )  # fmt: skip


def _useless(scores: SoftScores) -> Finding | None:
    score = scores["brier"]
    other = score.references.get("frequencies", math.nan)
    if not score.value >= other or score.value == 0:
        return None
    return Finding(
        "no_better_than_frequencies", "warning",
        f"The Brier score is {decimal(score.value)}; predicting the category frequencies for every "
        f"item gives {decimal(other)}.",
        "Check whether items and categories are matched, then whether the probabilities are "
        "calibrated: a good ranking with bad probabilities shows in accuracy only.",
        {"value": score.value, "frequencies": other},
    )  # fmt: skip


def _sure(scores: SoftScores, given: Predicted) -> Finding | None:
    gap = scores["entropy_gap"]
    if given.hard or not (gap.high < 0 or gap.low > 0) or abs(gap.value) < 0.1:
        return None
    surer = gap.value < 0
    return Finding(
        "sureness", "note",
        f"The predictions have on average {decimal(abs(gap.value), 2)} {scores.unit} "
        f"{'less' if surer else 'more'} entropy than the soft labels: they are "
        f"{'overconfident' if surer else 'underconfident'}.",
        "Scale the temperature of the predictions on other items before using their entropy.",
        {"gap": gap.value},
    )  # fmt: skip


def _tied(scores: SoftScores) -> Finding | None:
    if not scores.n_tied:
        return None
    return Finding(
        "tied_items", "note",
        f"Coders are tied on {count_of(scores.n_tied, 'item')}, which accuracy and F1 leave out.",
        "Ties can be counted by giving each tied label its share.",
        {"n": scores.n_tied}, do=(Action("", {"ties": "shared"}),),
    )  # fmt: skip
