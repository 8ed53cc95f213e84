"""Annotations that disagree for one known reason, so that one can see whether it is found.

Coders are right with the same probability and otherwise give any other category; on top of that
one thing is wrong:

- ``'confused_pair'``: where one of the first two categories is true, a coder chooses between the
  two at random.
- ``'biased_coder'``: the last coder gives the first category, whatever is true.
- ``'rare_category'``: the last category is true for 8 % of the items, and a coder who should give
  it gives any other one.
- ``'ambiguous_group'``: on the letters (``metadata["genre"]``) a coder gives any category.
- ``'drift'``: the last coder gives any category, more often from item to item.
"""

from __future__ import annotations

from itertools import count
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

import accordant as ac

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
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
    categories: int = 5,
    correct: float = 0.9,
    strength: float | None = None,
    seed: Any = None,
) -> Any:
    """Annotations that disagree for one known reason."""
    names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:categories]
    strength = STRENGTH[cause] if strength is None else strength
    shape, random = (n_items, n_coders), np.random.default_rng(seed)
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
    given = np.where(acts, instead, grid)
    rows = [
        {"item": i + 1, "coder": f"coder {c + 1}", "label": names[given[i, c]], "text": texts[i]}
        | {"genre": kinds[i]}
        for i, c in np.ndindex(shape)
    ]
    columns = {name: name for name in ("item", "coder", "label")}
    return ac.read(rows, layout="long", categories=list(names), **columns)


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
