"""Annotations whose truth is known, for those who plan or try an analysis."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

import numpy as np

from ..arrays import Ints
from ..data.annotations import NO_VALUE, Annotations, Reading
from ..errors import RequestError
from ..scheme import Label, Scheme, Value

NEAR = 1e-6  # shares that sum to 1 but for how they were typed


def named(categories: int | Sequence[Label]) -> tuple[Label, ...]:
    """(K,) the categories: letters, or L01, L02, … if there are more."""
    if not isinstance(categories, int):
        names = tuple(categories)
    elif categories <= len(ascii_uppercase):
        names = tuple(ascii_uppercase[: max(categories, 0)])
    else:
        names = tuple(f"L{k:0{len(str(categories))}}" for k in range(1, categories + 1))
    if len(names) < 2:
        raise RequestError("at least 2 categories are needed", parameter="categories")
    return names


def shares_of(given: Sequence[float] | None, n: int) -> tuple[float, ...]:
    """(K,) how likely each category is; all alike by default."""
    if given is None:
        return (1 / n,) * n
    p = np.asarray(given, float)
    if len(p) != n or (p < 0).any() or abs(p.sum() - 1) > NEAR:
        raise RequestError(f"{n} shares that sum to 1, not {given!r}", parameter="shares")
    return tuple((p / p.sum()).tolist())


def sets_of(
    names: tuple[Label, ...], first: Ints, second: Ints, most: int, more: dict[str, Sequence[Any]]
) -> Annotations:
    """Annotations of one or two labels.

    Parameters
    ----------
    names : tuple
        (K,) the categories.
    first, second : ndarray of int
        (I, C) positions; where there is no first one nothing was given, and where the second is the
        first there is only one.
    most : int
        Labels that an annotation may have: 1 or 2.
    more : dict
        What is known of the items.
    """
    n_items, n_coders = first.shape
    low, high = np.minimum(first, second), np.maximum(first, second)
    key = np.where(low < 0, -1, low * len(names) + high)
    found, code = np.unique(key[key >= 0], return_inverse=True)
    grid = np.full(key.shape, NO_VALUE, np.int32)
    grid[key >= 0] = code.reshape(-1)
    pairs = ((names[k // len(names)], names[k % len(names)]) for k in found.tolist())
    values: tuple[Value, ...] = tuple(
        tuple(dict.fromkeys(pair)) if most > 1 else pair[0] for pair in pairs
    )
    return Annotations(
        np.arange(1, n_items + 1),
        tuple(f"coder {c + 1:0{len(str(n_coders))}}" for c in range(n_coders)),
        ("",),
        (Scheme(names, declared=True, max_labels=most),),
        values,
        grid,
        reading=Reading("a simulation", "array", generated_ids=True),
        metadata=more,
    )


def simulated(
    n_items: int,
    n_coders: int,
    categories: int | Sequence[Label],
    per_item: int | None,
    accuracy: float | Sequence[float],
    shares: Sequence[float] | None,
    double: float,
    seed: Any,
) -> Annotations:
    """Annotations by coders of known accuracy; see `accordant.simulate`."""
    names, rng = named(categories), np.random.default_rng(seed)
    k, shape = len(names), (n_items, n_coders)
    right = np.asarray(accuracy, float)
    if right.shape not in ((), (n_coders,)) or not ((right >= 0) & (right <= 1)).all():
        says = f"a share, or one for each of {n_coders} coders, not {accuracy!r}"
        raise RequestError(says, parameter="accuracy")
    if per_item is not None and per_item > n_coders:
        raise RequestError(f"at most {n_coders}, as many as there are coders", parameter="per_item")
    truth = rng.choice(k, n_items, p=shares_of(shares, k))
    wrong = (truth[:, None] + 1 + rng.integers(k - 1, size=shape)) % k
    first = np.where(rng.random(shape) < right, truth[:, None], wrong)
    other = (first + 1 + rng.integers(k - 1, size=shape)) % k
    second = np.where(rng.random(shape) < double, other, first)
    if per_item is not None:
        late = rng.random(shape).argsort(1).argsort(1) >= per_item
        first[late] = second[late] = -1
    known: dict[str, Sequence[Any]] = {"truth": tuple(names[t] for t in truth.tolist())}
    return sets_of(names, first, second, 2 if double else 1, known)
