"""Crowds with known truth, small enough for tests: each has one thing that a model must find.

Everything is made once. `position` maps the coders of a crowd to those of a fitted model.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accordant.data.annotations import Annotations, Columns
from accordant.models.em import How
from accordant.models.model_list import MODELS
from accordant.models.votes import Votes, votes
from accordant.scheme import Scheme
from claims.simulated_crowd import SimulatedCrowd, simulate_crowd

__all__ = [
    "binary",
    "camps",
    "certain",
    "difficult",
    "estimate",
    "mixed",
    "ordered",
    "permuted_coders",
    "relabelled",
    "reversed_categories",
    "shuffled",
    "sparse",
    "table",
    "unbalanced",
]


@cache
def mixed() -> SimulatedCrowd:
    """Three categories, good and sloppy coders, a spammer, an adversary: what DS is made for."""
    kinds = {"good": 6, "sloppy": 3, "spammer": 2, "adversary": 1}
    return simulate_crowd(400, kinds, 3, per_item=6, prevalence=[0.5, 0.3, 0.2], seed=1)


@cache
def binary() -> SimulatedCrowd:
    """Two categories, ten coders with errors of their own, five for each item."""
    return simulate_crowd(300, {"good": 7, "sloppy": 3}, 2, per_item=5, seed=2)


@cache
def sparse() -> SimulatedCrowd:
    """Many coders with a few annotations each: priors matter."""
    return simulate_crowd(300, {"good": 120, "sloppy": 40}, 4, per_item=4, seed=3)


@cache
def difficult() -> SimulatedCrowd:
    """Items of different difficulty, coders with one probability of being right (GLAD)."""
    kinds = {"good": 20, "sloppy": 10}
    return simulate_crowd(400, kinds, 2, per_item=12, errors="equal", difficulty=0.8, seed=4)


@cache
def ordered() -> SimulatedCrowd:
    """Five ordered categories, shifted and noisy coders, few annotations each."""
    kinds = {"good": 50, "sloppy": 20, "biased": 20}
    return simulate_crowd(400, kinds, 5, per_item=4, scale="ordinal", seed=5)


@cache
def camps() -> SimulatedCrowd:
    """A minority school of four among ten coders: sees 40 % of the items differently."""
    return simulate_crowd(
        300, {"good": 6, "school": 4}, 2, per_item=10, accuracy=0.9, disputed=0.4, seed=6
    )


@cache
def unbalanced() -> SimulatedCrowd:
    """One category in ten items, control items, skipped annotations."""
    return simulate_crowd(
        500,
        {"good": 8, "biased": 2},
        ["no", "yes"],
        per_item=5,
        prevalence=[0.9, 0.1],
        gold=0.1,
        abstentions=0.05,
        seed=7,
    )


@cache
def certain() -> SimulatedCrowd:
    """Coders who are nearly always right: every model must find every label."""
    return simulate_crowd(120, 6, 3, per_item=4, accuracy=0.97, seed=8)


# ------------------------------------------------------------------ fitting, and the same data again


def table(data: Annotations) -> Votes:
    """The votes of the only question."""
    return votes(data)


def estimate(data: Annotations, model: str, how: How | None = None, **options: Any) -> Any:
    """What a model finds, without the public call around it."""
    return MODELS[model].fit(table(data), how or How(), **options)


def _with(data: Annotations, **changed: Any) -> Annotations:
    return replace(data, **changed)


def _columns(data: Annotations, order: NDArray[Any]) -> Columns:
    return data.columns.where(order)


def shuffled(data: Annotations, seed: int = 0) -> Annotations:
    """The same annotations in another order of rows; items by another number, same names."""
    rng = np.random.default_rng(seed)
    rows = _columns(data, rng.permutation(len(data.columns)))
    new = rng.permutation(len(data.items))
    items = np.empty(len(new), object)
    items[new] = np.asarray(data.items)
    moved = Columns(new[rows.item], rows.question, rows.coder, rows.value, rows.status)
    return _with(data, layout=moved, items=items.tolist())


def relabelled(data: Annotations, suffix: str = " (new)") -> Annotations:
    """The same annotations with other names of the categories, in the same order."""
    old = data.schemes[0]
    names = tuple(f"{c}{suffix}" for c in old.categories)
    new = dict(zip(old.categories, names, strict=True))
    scheme = Scheme(names, old.scale, declared=True)
    return _with(data, schemes=(scheme,), values=tuple(new[v] for v in data.values))


def reversed_categories(data: Annotations) -> Annotations:
    """The same annotations with the categories listed the other way round."""
    old = data.schemes[0]
    return _with(data, schemes=(Scheme(old.categories[::-1], old.scale, declared=True),))


def permuted_items(data: Annotations, seed: int = 0) -> tuple[Annotations, list[int]]:
    """The same annotations of items of other names, and where each item stands by these."""
    place = np.random.default_rng(seed).permutation(len(data.items))
    width = len(str(len(place)))
    return _with(data, items=[f"i{p:0{width}}" for p in place.tolist()]), place.tolist()


def permuted_coders(data: Annotations, seed: int = 0) -> tuple[Annotations, list[int]]:
    """The same annotations by coders of other names, and where each coder is found now."""
    place = np.random.default_rng(seed).permutation(len(data.coders))
    width = len(str(len(place)))
    names = tuple(f"c{p:0{width}}" for p in place.tolist())
    return _with(data, coders=names), place.tolist()
