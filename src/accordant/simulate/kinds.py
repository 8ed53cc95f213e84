"""Kinds of simulated coders: the confusion matrices of good, sloppy and useless ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import count
from statistics import NormalDist
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from .design import share_of, whole

__all__ = ["KINDS", "Errors", "Kind", "confusions", "kinds_of", "names_of"]

Floats = NDArray[np.float64]

Kind: TypeAlias = Literal["adversary", "biased", "constant", "good", "school", "sloppy", "spammer"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Errors: TypeAlias = Literal["own", "equal"]

CONCENTRATION = 20.0  # annotations that a row of a coder is worth: how alike coders of a kind are
LEANING = 0.5  # how often a biased coder gives the favourite category without looking
SHIFT = 1.0  # categories by which a biased coder is too high or too low on an ordered scale
SHIFTED = 0.15  # standard deviation of the shift of other coders
NOISIER = 0.2  # standard deviation of the log of their noise
MOST = 5_000_000  # coders


def kinds_of(coders: Any) -> tuple[str, ...]:
    """(C,) the kind of each coder, in the order of their names.

    Raises
    ------
    RequestError
        If there is no such kind, or no coder.
    """
    if not isinstance(coders, Mapping):
        return ("good",) * whole("coders", coders, 1, MOST)
    if wrong := [k for k in coders if k not in KINDS]:
        raise RequestError(f"there is no coder {wrong[0]!r}: kinds are {', '.join(KINDS)}")
    n = [whole(f"coders of the kind {kind!r}", coders.get(kind, 0), 0, MOST) for kind in KINDS]
    if not sum(n):
        raise RequestError("at least one coder is needed")
    return tuple(np.repeat(KINDS, n).tolist())


def names_of(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """(C,) names that tell the kind, in the order that sorting gives."""
    n = Counter(kinds)
    number = {kind: count(1) for kind in n}
    return tuple(f"{kind} {next(number[kind]):0{len(str(n[kind]))}}" for kind in kinds)


def confusions(
    kinds: tuple[str, ...], k: int, accuracy: Mapping[str, float], errors: Errors, ordered: bool,
    rng: np.random.Generator,
) -> Floats:  # fmt: skip
    """(C, K, K) probability that each coder gives a category where another is right.

    Parameters
    ----------
    kinds : tuple of str
        (C,)
    k : int
        K.
    accuracy : mapping
        How often a kind of coders is right; a good one otherwise.
    errors : {'own', 'equal'}
        Whether each coder has errors of one's own, or all fall equally on all categories.
    ordered : bool
        Whether errors fall on categories near by.
    rng : Generator
    """
    if errors not in get_args(Errors):
        raise RequestError(f"choose 'own' or 'equal', not {errors!r}", parameter="errors")
    right = np.array([share_of("accuracy", accuracy.get(x, accuracy["good"])) for x in kinds])
    made = _ordered(kinds, k, right, rng) if ordered else _looking(right, k, errors, rng)
    return _of_kind(made, np.array(kinds), ordered, rng)


def _looking(right: Floats, k: int, errors: Errors, rng: np.random.Generator) -> Floats:
    """(C, K, K) of coders who look: right as often as said, in the mean."""
    one, wrong = np.eye(k, dtype=bool), (1 - right) / max(k - 1, 1)
    mean = np.where(one, right[:, None, None], wrong[:, None, None])
    if errors == "equal":
        return mean
    drawn = rng.standard_gamma(np.maximum(CONCENTRATION * mean, 1e-3)) + 1e-12
    return np.asarray(drawn / drawn.sum(-1, keepdims=True))


def _ordered(kinds: tuple[str, ...], k: int, right: Floats, rng: np.random.Generator) -> Floats:
    """(C, K, K) of coders who see where an item stands, with a shift and with noise."""
    from scipy.special import ndtr  # 0.1 s that nobody else needs

    normal = NormalDist()
    half = np.array([normal.inv_cdf((1 + min(max(a, 0.01), 0.9999)) / 2) for a in right])
    noise = 0.5 / half * np.exp(NOISIER * rng.standard_normal(len(right)))
    biased = np.array(kinds) == "biased"
    shift = SHIFTED * rng.standard_normal(len(right))
    shift += np.where(biased, SHIFT * rng.choice([-1.0, 1.0], len(right)), 0)
    cuts = np.concatenate([[-np.inf], np.arange(k - 1) + 0.5, [np.inf]])
    centre = np.arange(k) + shift[:, None]
    below = ndtr((cuts - centre[:, :, None]) / noise[:, None, None])
    return np.asarray(np.diff(below, axis=-1))


def _of_kind(looking: Floats, kinds: Any, ordered: bool, rng: np.random.Generator) -> Floats:
    """What becomes of coders who look if they are of a kind that does not, or turns it round."""
    n, k, _ = looking.shape
    one = np.eye(k)[rng.integers(k, size=n)][:, None, :]
    habit = rng.dirichlet(np.ones(k), n)[:, None, :]
    turned = looking[:, :, ::-1] if ordered else np.roll(looking, 1, axis=-1)
    biased = looking if ordered else LEANING * one + (1 - LEANING) * looking
    instead = {"constant": one, "spammer": habit, "adversary": turned, "biased": biased}
    of = [(kinds == kind)[:, None, None] for kind in instead]
    return np.select(of, [*instead.values()], looking)
