"""Distributions over categories: entropy, smoothing of few votes, distance of two of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ...arrays import Floats, Ints
from ...errors import RequestError, unknown
from ...scheme import Label, Scheme, Value
from ..uncertainty import beta_ends
from ..votes import Votes

__all__ = ["DISTANCES", "ENTROPIES", "SMOOTHINGS", "Measure", "Smoothing", "counted", "smoothed"]

Terms: TypeAlias = Callable[[Floats, Floats], Floats]

ENTROPIES = ("plug-in", "miller-madow", "bayes")
"""How the entropy behind a few annotations is estimated."""
NUMERIC = ("interval", "ratio", "bipolar")
HALF = 1e-9  # a share this close to one half is one half


# ---------------------------------------------------------------------- entropy


def bits_of(p: Floats) -> Floats:
    """−p log₂ p of each probability; 0 of 0.

    Examples
    --------
    >>> bits_of(np.array([0.0, 0.25, 0.5])).tolist()
    [0.0, 0.5, 0.5]
    """
    return np.asarray(-p * np.log2(np.where(p > 0, p, 1))) + 0.0


def entropy(p: Floats) -> Floats:
    """Entropy of distributions (..., K), in bits: (...).

    Examples
    --------
    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(bits_of(p).sum(-1))


def miller_madow(counts: Floats) -> Floats:
    """Entropy of the population that counts (..., K) were drawn from, in bits.

    Shares of n annotations have too little entropy, by about (m − 1) / 2n nats, where m
    categories occur (Miller 1955). NaN where there is no annotation.

    Examples
    --------
    >>> miller_madow(np.array([2.0, 1.0])).round(3).item()  # .918 without the correction
    1.0
    >>> miller_madow(np.array([20.0, 10.0])).round(3).item()
    0.942
    """
    n = counts.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = counts / n[..., None]
        more = ((counts > 0).sum(-1) - 1) / (2 * n * math.log(2))
        return np.asarray(np.minimum(entropy(p) + more, math.log2(max(counts.shape[-1], 1))))


def expected_entropy(alpha: Floats) -> Floats:
    """Mean entropy, in bits, of distributions that follow a Dirichlet law (..., K).

    ψ(A + 1) − Σ_k α_k / A ψ(α_k + 1), with A = Σ_k α_k (Wolpert & Wolf 1995).

    Examples
    --------
    >>> expected_entropy(np.array([1.0, 1.0])).round(4).item()  # 1 / (2 ln 2)
    0.7213
    """
    from scipy.special import psi

    total: Any = alpha.sum(-1)
    share = alpha / total[..., None]
    return np.asarray((psi(total + 1) - (share * psi(alpha + 1)).sum(-1)) / math.log(2))


# ---------------------------------------------------------------------- spread


def disagreement(counts: Floats) -> Floats:
    """(...) share of the pairs of annotations (..., K) that differ; NaN for one annotation.

    Examples
    --------
    >>> disagreement(np.array([[3.0, 0.0], [2.0, 1.0], [1.0, 0.0]])).round(3).tolist()
    [0.0, 0.667, nan]
    """
    n = counts.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = 1 - (counts * (counts - 1)).sum(-1) / (n * (n - 1))
    return np.asarray(np.where(n > 1, np.maximum(found, 0), math.nan))


def places(scheme: Scheme) -> Floats | None:
    """(K,) where the categories lie: their numbers, their ranks, or None without an order."""
    if scheme.scale == "ordinal":
        return np.arange(len(scheme.categories), dtype=float)
    if scheme.scale in NUMERIC and scheme.numbers is not None:
        return np.array(scheme.numbers)
    return None


def medians(p: Floats) -> tuple[Ints, Ints]:
    """(I,) positions of the lower and of the upper median category of distributions (I, K).

    They differ where one half lies below and one half above.

    Examples
    --------
    >>> low, high = medians(np.array([[0.2, 0.5, 0.3], [0.5, 0.0, 0.5]]))
    >>> low.tolist(), high.tolist()
    ([1, 0], [1, 2])
    """
    below = p.cumsum(1)
    return (below >= 0.5 - HALF).argmax(1), (below > 0.5 + HALF).argmax(1)


def dispersion(p: Floats) -> Floats:
    """How far distributions (I, K) over an order spread: 0 in one category, 1 half at each end.

    2 Σ_k min(F_k, 1 − F_k) / (K − 1), F being the cumulative shares (Leik 1966).

    Examples
    --------
    >>> dispersion(np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]])).tolist()
    [0.0, 1.0, 0.5]
    """
    if p.shape[1] < 2:
        return np.full(len(p), math.nan)
    f = p.cumsum(1)[:, :-1]
    return np.asarray(2 * np.minimum(f, 1 - f).sum(1).clip(0) / (p.shape[1] - 1))


def on_scale(p: Floats, scheme: Scheme) -> dict[str, list[Any]]:
    """Where distributions (I, K) lie on the scale of their categories, as columns; none without.

    Of an order the two median categories, mostly the same one, and Leik's dispersion; of numbers
    mean, median and standard deviation.
    """
    at = places(scheme)
    if at is None:
        return {}
    order = np.argsort(at, kind="stable")
    low, high = (order[k] for k in medians(p[:, order]))
    if scheme.scale == "ordinal":
        names = scheme.categories
        return {
            "median_low": [names[k] for k in low.tolist()],
            "median_high": [names[k] for k in high.tolist()],
            "dispersion": dispersion(p).tolist(),
        }
    mean = p @ at
    sd = np.sqrt(np.maximum(p @ at**2 - mean**2, 0))
    return {"mean": mean.tolist(), "median": ((at[low] + at[high]) / 2).tolist(), "sd": sd.tolist()}


# ---------------------------------------------------------------------- votes


def counted(votes: Votes, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """(I, K) labels of each item, or (I, L) of each label of sets, and (I,) annotations.

    An abstention is no label. With weights (C,) both are those of as many equal annotations:
    Kish's effective number, (Σw)² / Σw², says how many tell as much.
    """
    counts = votes.counts
    n = counts.sum(1)
    if weights is not None:
        answers = np.eye(votes.n_categories)
        given, squared = (
            votes.by_item @ np.kron(w[:, None], answers) for w in (weights, weights**2)
        )
        total = given.sum(1)
        if not total.all():
            name = votes.names[int(np.argmin(total))]
            raise RequestError(f"item {name!r} has annotations of coders of weight 0 only")
        n = total**2 / squared.sum(1)
        counts = given * (n / total)[:, None]
    if votes.scheme.max_labels != 1:
        counts = counts @ membership(votes.categories, votes.scheme.categories)
    return counts, n


def membership(values: Sequence[Value], labels: Sequence[Label]) -> Floats:
    """(K, L) whether each value, a label or a set of labels, holds each label."""
    sets = [x if isinstance(x, tuple) else (x,) for x in values]
    return np.array([[label in x for label in labels] for x in sets], float)


def share_interval(x: Floats, n: Floats, prior: Floats, level: float) -> tuple[Floats, Floats]:
    """(I,) and (I,): between what values a share may lie that was seen x of n times.

    The share follows a beta law; without pseudo-counts (I, 2) for and against it the prior is
    Jeffreys', and the interval reaches 0 and 1 where all do (Brown, Cai & DasGupta 2001).
    """
    if prior.sum() > 0:
        return beta_ends(x + prior[:, 0], n - x + prior[:, 1], level)
    low, high = beta_ends(x + 0.5, n - x + 0.5, level)
    return np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)


# ---------------------------------------------------------------------- smoothing

SMOOTHINGS: dict[str, str] = {
    "none": "shares of the votes as they are",
    "cells": "one annotation added, spread evenly over the categories",
    "jeffreys": "half an annotation added to each category",
    "hierarchical": "shares shrunk towards their mean over all items",
}
"""Every smoothing and what it does."""

LARGEST = 1e6  # concentration; items that are all alike have no largest
SMALLEST = 1e-6


@dataclass(frozen=True, eq=False)
class Smoothing:
    """A Dirichlet prior for the distribution of labels of an item.

    Parameters
    ----------
    name : {'none', 'cells', 'jeffreys', 'hierarchical'}
    pseudo : ndarray
        (K,) annotations that are added to each category; (L, 2) for labels of sets, yes and no.
    """

    name: str
    pseudo: Floats

    @property
    def concentration(self) -> float:
        """How many annotations are added to an item (to a label of sets: on average)."""
        return float(self.pseudo.sum(-1).mean())

    def shares(self, counts: Floats) -> Floats:
        """(..., K) shares of counts (..., K); NaN where there is nothing at all."""
        alpha = counts + self.pseudo
        with np.errstate(invalid="ignore"):
            return np.asarray(alpha / alpha.sum(-1, keepdims=True))


def smoothed(name: str, counts: Floats) -> Smoothing:
    """What is added to the counts of an item before they become shares.

    Parameters
    ----------
    name : {'none', 'cells', 'jeffreys', 'hierarchical'}
        ``'cells'`` adds one annotation, 1 / K to each category (Perks 1947); ``'jeffreys'`` ½ to
        each; ``'hierarchical'`` what the items have in common (see `concentrated`), which is
        nothing that can be estimated where no item has two annotations.
    counts : ndarray
        (I, K) annotations of each item, or (I, L, 2) of each label.

    Raises
    ------
    RequestError
        If there is no such smoothing.
    """
    shape = counts.shape[1:]
    if name == "hierarchical" and counts.sum(-1).max(initial=0) >= 2:
        each = counts.reshape(len(counts), -1, shape[-1]).swapaxes(0, 1)
        found = np.array([concentrated(x) for x in each]).reshape(shape)
        return Smoothing("hierarchical", found)
    fixed = {"none": 0.0, "hierarchical": 0.0, "cells": 1 / shape[-1], "jeffreys": 0.5}
    if name not in fixed:
        raise unknown("smoothing", name, SMOOTHINGS, "choose from")
    return Smoothing("none" if fixed[name] == 0 else name, np.full(shape, fixed[name]))


def concentrated(counts: Floats) -> Floats:
    """The Dirichlet law that the distributions of the items come from: (K,) its parameters.

    The counts of an item follow a Dirichlet–multinomial law. Its parameters are the mode of the
    likelihood times a flat prior for the correlation of two annotations of an item,
    1 / (1 + Σ_k α_k), on a logarithmic scale. The prior weighs about as much as one item, and
    keeps the mode from 0 and from infinity. The likelihood needs how many items have at least j
    annotations of each category, and nothing else.

    Parameters
    ----------
    counts : ndarray
        (I, K) whole numbers.

    Returns
    -------
    ndarray
        (K,) 0 for a category that nobody gave.

    Notes
    -----
    Minka (2000), *Estimating a Dirichlet distribution*, section 3.

    Examples
    --------
    >>> apart = concentrated(np.array([[5.0, 0.0], [0.0, 5.0]] * 20))
    >>> alike = concentrated(np.array([[3.0, 2.0], [2.0, 3.0]] * 20))
    >>> bool(apart.sum() < 0.1), bool(alike.sum() > 10)
    (True, True)
    """
    from scipy.optimize import minimize

    used = np.flatnonzero(counts.sum(0) > 0)
    at_least = _at_least(counts[:, used])  # (J, k)
    of_all = _at_least(counts.sum(1, keepdims=True))[:, 0]  # (M,)
    j, m = np.arange(len(at_least))[:, None], np.arange(len(of_all))

    def fall(x: Floats) -> tuple[float, Floats]:
        alpha = np.exp(x)
        total = float(alpha.sum())
        value = float((at_least * np.log(alpha + j)).sum() - (of_all * np.log(total + m)).sum())
        value += math.log(total) - 2 * math.log1p(total)
        slope = (at_least / (alpha + j)).sum(0) - (of_all / (total + m)).sum()
        slope += 1 / total - 2 / (1 + total)
        return -value, -slope * alpha

    mean = counts[:, used].sum(0) / counts.sum()
    bounds = [(math.log(SMALLEST), math.log(LARGEST))] * len(used)
    options: Any = {"maxiter": 500, "ftol": 1e-14, "gtol": 1e-8}
    found = minimize(
        fall, np.log(mean), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    out = np.zeros(counts.shape[1])
    out[used] = np.exp(found.x)
    return out


def _at_least(counts: Floats) -> Floats:
    """(J, K) how many items have more than j annotations of each category."""
    whole = counts.astype(np.int64)
    most, k = int(whole.max(initial=0)), whole.shape[1]
    cell = whole + (most + 1) * np.arange(k)
    each = np.bincount(cell.ravel(), minlength=(most + 1) * k).reshape(k, -1).T
    return np.asarray(each[::-1].cumsum(0)[::-1][1:])


# ---------------------------------------------------------------------- distance


@dataclass(frozen=True)
class Measure:
    """How well predicted distributions fit those of coders, in one number.

    Parameters
    ----------
    name : str
        For people.
    better : {'lower', 'higher', 'zero'}
    least, most : float
        Between what values it lies, in bits.
    bits : float
        Power of a bit that it is measured in: 1 of an entropy, ½ of its root, 0 of a share. Of
        what is measured in bits predictions are raised to the floor.
    terms : callable, optional
        ``(target, prediction) -> terms`` of the same shape (..., K), whose sum over the categories
        is the measure.
    whole : callable, optional
        ``(target, prediction) -> (...)`` of a measure of two distributions that is no such sum.
    """

    name: str
    better: str = "higher"
    least: float = 0.0
    most: float = 1.0
    bits: float = 0.0
    terms: Terms | None = None
    whole: Terms | None = None

    def of(self, target: Floats, prediction: Floats) -> Floats:
        """(...) from distributions (..., K); rounding leaves no −1e-17."""
        if self.whole is not None:
            return self.whole(target, prediction)
        terms = self.terms(target, prediction) if self.terms else np.empty(0)
        return np.asarray(terms.sum(-1).clip(self.least, self.most))


def _cross_terms(t: Floats, p: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(t > 0, -t * np.log2(p), 0.0)


def _kl_terms(t: Floats, p: Floats) -> Floats:
    return _cross_terms(t, p) - bits_of(t)


def _js_terms(t: Floats, p: Floats) -> Floats:
    return bits_of((t + p) / 2) - (bits_of(t) + bits_of(p)) / 2


def js(t: Floats, p: Floats) -> Floats:
    """Jensen–Shannon divergence of distributions (..., K), in bits, from 0 to 1.

    Examples
    --------
    >>> js(np.array([1.0, 0.0]), np.array([0.0, 1.0])).item()
    1.0
    """
    return DISTANCES["js"].of(t, p)


def _cosine(t: Floats, p: Floats) -> Floats:
    return np.asarray((t * p).sum(-1) / np.sqrt((t**2).sum(-1) * (p**2).sum(-1)))


DISTANCES: Mapping[str, Measure] = {
    "cross_entropy": Measure("cross-entropy", "lower", most=math.inf, bits=1, terms=_cross_terms),
    "kl": Measure("Kullback–Leibler divergence", "lower", most=math.inf, bits=1, terms=_kl_terms),
    "js": Measure("Jensen–Shannon divergence", "lower", bits=1, terms=_js_terms),
    "js_distance": Measure(
        "Jensen–Shannon distance", "lower", bits=0.5, whole=lambda t, p: np.sqrt(js(t, p))
    ),
    "brier": Measure("Brier score", "lower", most=2, terms=lambda t, p: (t - p) ** 2),
    "total_variation": Measure("total variation", "lower", terms=lambda t, p: np.abs(t - p) / 2),
    "cosine": Measure("cosine similarity", whole=_cosine),
}
"""Every measure of two distributions by its name, in the order of tables."""


def wasserstein(t: Floats, p: Floats, at: Floats) -> Floats:
    """How far the labels would have to move along the scale: (...) from arrays (..., K).

    Parameters
    ----------
    t, p : ndarray
        (..., K) distributions.
    at : ndarray
        (K,) where the categories lie.

    Examples
    --------
    >>> one, other = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    >>> wasserstein(one, other, np.array([0.0, 1.0, 2.0])).item()
    2.0
    """
    order = np.argsort(at, kind="stable")
    ahead = np.abs((t - p)[..., order].cumsum(-1))[..., :-1]
    return np.asarray((ahead * np.diff(at[order])).sum(-1))


def floored(p: Floats, floor: float) -> Floats:
    """Distributions (..., K) with nothing below the floor, summing to 1 again.

    Examples
    --------
    >>> floored(np.array([1.0, 0.0]), 0.1).round(3).tolist()
    [0.909, 0.091]
    """
    raised = np.maximum(p, floor)
    return np.asarray(raised / raised.sum(-1, keepdims=True))
