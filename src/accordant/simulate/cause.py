"""Annotations that disagree for one known reason, so that one can see whether it is found.

Coders are right with the same probability and otherwise give any other category; on top of that
one thing is wrong. What exactly is said by `simulate_cause`.
"""

from __future__ import annotations

from itertools import count
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..data.annotations import Annotations
from ..scheme import Scheme
from .design import Categories, Floats, Ints, design_of, generator, one_of, question_of

__all__ = ["CAUSES", "GENRES", "STRENGTH", "Cause", "simulate_cause"]

Cause: TypeAlias = Literal[
    "none", "confused_pair", "biased_coder", "rare_category", "ambiguous_group", "drift"
]
CAUSES: tuple[Cause, ...] = get_args(Cause)

STRENGTH: dict[Cause, float] = {
    "none": 0.0,
    "confused_pair": 0.5,
    "biased_coder": 0.35,
    "rare_category": 0.7,
    "ambiguous_group": 0.5,
    "drift": 0.7,
}
"""How strong a cause is unless something else is asked for."""

RARE = 0.08  # share of the items of the rare category
GENRES = ("letters", "news", "minutes", "recipes")
TOPICS = ("the garden", "a journey", "the weather", "a meeting", "the harvest", "an old house")


def simulate_cause(
    cause: Cause,
    n_items: int = 300,
    *,
    n_coders: int = 4,
    categories: Categories = 5,
    correct: float = 0.9,
    strength: float | None = None,
    rng: Any = None,
) -> Annotations:
    """Annotations that disagree for one known reason."""
    one_of("cause", cause, CAUSES)
    names = design_of(1.0, categories=categories).categories
    strength = STRENGTH[cause] if strength is None else strength
    shape, random = (n_items, n_coders), generator(rng)
    truth = _truth(cause, shape[0], len(names), random)
    genre = random.integers(len(GENRES), size=shape[0])
    slip = 1 + random.integers(len(names) - 1, size=shape)  # so many categories further
    right = random.random(shape) < correct
    grid = np.where(right, truth[:, None], (truth[:, None] + slip) % len(names))
    acts = random.random(shape) < strength * _reach(cause, truth, genre, len(names), shape)
    instead = _instead(cause, len(names), shape, random)
    topic = random.integers(len(TOPICS), size=shape[0])
    kinds = tuple(GENRES[g] for g in genre.tolist())
    texts = tuple(
        f"{kind.capitalize()}, no. {i}: about {TOPICS[t]}."
        for i, kind, t in zip(count(1), kinds, topic.tolist(), strict=False)
    )
    scheme, given = Scheme(names, declared=True), np.where(acts, instead, grid)
    return question_of(scheme, given, names, texts=texts, metadata={"genre": kinds})


def _truth(cause: Cause, n_items: int, k: int, random: np.random.Generator) -> Ints:
    """(I,) the category that is right."""
    if cause != "rare_category":
        return random.integers(k, size=n_items)
    rare = random.random(n_items) < RARE
    return np.where(rare, k - 1, random.integers(k - 1, size=n_items))


def _reach(cause: Cause, truth: Ints, genre: Ints, k: int, shape: tuple[int, int]) -> Floats:
    """(I, C) how far the cause reaches each annotation, 0 to 1."""
    last = np.arange(shape[1]) == shape[1] - 1
    items: dict[Cause, Any] = {
        "none": np.zeros(shape[0]),
        "confused_pair": truth < 2,
        "biased_coder": np.ones(shape[0]),
        "rare_category": truth == k - 1,
        "ambiguous_group": genre == 0,
        "drift": np.arange(shape[0]) / max(1, shape[0] - 1),
    }
    coders = last if cause in ("biased_coder", "drift") else np.ones(shape[1])
    return np.outer(items[cause], coders).astype(float)


def _instead(cause: Cause, k: int, shape: tuple[int, int], random: np.random.Generator) -> Ints:
    """(I, C) what is given where the cause acts: any of so many categories."""
    some = {"confused_pair": 2, "biased_coder": 1, "rare_category": max(1, k - 1)}
    return random.integers(some.get(cause, k), size=shape)
