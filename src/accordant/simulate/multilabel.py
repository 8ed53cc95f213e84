"""Annotations of label sets that are drawn at random, so that the truth about them is known.

The data of Marchal et al. (2022), section 5, and more: any distribution of labels, any number of
labels, several coders. Labels are drawn without replacement. That is a race: each label has a
time with an exponential distribution, the more likely label the shorter one, and the first to
arrive are drawn. So all annotations are drawn at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import Annotations, Reading
from ..errors import RequestError
from ..scheme import Scheme, Value
from ..validation import checked
from .design import Categories, Design, Further, Sizes, design_of, whole

__all__ = ["annotations_of", "drawn", "generator", "question_of", "seed_of", "simulate_multilabel"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

CELLS = 4_000_000  # times of labels that are drawn at once
NONE = -1  # of an item that no label is shared of


@checked
def simulate_multilabel(
    n_items: int = 100,
    *,
    agreement: float = 0.75,
    double: float | Sequence[float] | None = None,
    sizes: Sizes | Sequence[Sizes] | None = None,
    categories: Categories = None,
    distribution: Sequence[float] | None = None,
    entropy: float | None = None,
    further: Further = "uniform",
    n_coders: int = 2,
    rng: Any = None,
) -> Annotations:
    """Annotations of coders who may give several labels, and who share one as often as you say."""
    design = design_of(
        agreement, double=double, sizes=sizes, categories=categories,
        distribution=distribution, entropy=entropy, further=further, n_coders=n_coders,
    )  # fmt: skip
    members, truth = drawn(design, whole("items", n_items, 1), generator(rng))
    shared = tuple(None if k == NONE else design.categories[k] for k in truth.tolist())
    return annotations_of(design, members, {"truth": shared})


def annotations_of(
    design: Design, members: Bools, metadata: dict[str, Sequence[Any]] | None = None
) -> Annotations:
    """Sets as annotations.

    Parameters
    ----------
    design : Design
    members : ndarray of bool
        (I, C, K) which labels each coder gave each item.
    metadata : dict, optional
    """
    n_items, n_coders, _ = members.shape
    first, code = _numbered(members.reshape(n_items * n_coders, -1))
    values = tuple(tuple(compress(design.categories, row)) for row in first.tolist())
    most = max(len(law) for law in design.sizes)
    scheme = Scheme(design.categories, declared=True, max_labels=most)
    return question_of(scheme, code.reshape(n_items, n_coders), values, metadata=metadata or {})


def question_of(scheme: Scheme, grid: Ints, values: tuple[Value, ...], **known: Any) -> Annotations:
    """Annotations of every item by every coder: (I, C) codes into the values."""
    coders = tuple(f"coder {c + 1}" for c in range(grid.shape[1]))
    layout = grid.astype(np.min_scalar_type(-len(values) - 1))
    reading = Reading("a simulation", "array", generated_ids=True)
    items = np.arange(1, len(grid) + 1)
    return Annotations(items, coders, ("",), (scheme,), values, layout, reading=reading, **known)


def _numbered(sets: Bools) -> tuple[Bools, Ints]:
    """(V, K) the sets that occur, small ones first, and (N,) which of them each row is."""
    padded = np.zeros((len(sets), -(-sets.shape[1] // 64) * 64), bool)
    padded[:, : sets.shape[1]] = sets
    words = np.packbits(padded, axis=1).view(">u8").astype(np.uint64)
    axis = None if words.shape[1] == 1 else 0  # numbers are sorted in less time than rows
    _, first, code = np.unique(words, axis=axis, return_index=True, return_inverse=True)
    found = sets[first[::-1]]  # those that hold the first category come first
    order = np.argsort(found.sum(1), kind="stable")
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return found[order], place[len(order) - 1 - code.reshape(-1)]


# ------------------------------------------------------------------ drawing


def drawn(design: Design, n_items: int, rng: np.random.Generator) -> tuple[Bools, Ints]:
    """The labels of every coder.

    Returns
    -------
    members : ndarray of bool
        (I, C, K).
    truth : ndarray of int
        (I,) the label that all coders share by design, or -1.
    """
    parts = [_some(design, n, rng) for n in _pieces(n_items, design)]
    return tuple(np.concatenate(x) for x in zip(*parts, strict=True))  # type: ignore[return-value]


def _pieces(n_items: int, design: Design) -> Iterator[int]:
    step = max(1, CELLS // (len(design.sizes) * len(design.categories)))
    yield from (min(step, n_items - start) for start in range(0, n_items, step))


def _some(design: Design, n: int, rng: np.random.Generator) -> tuple[Bools, Ints]:
    sizes, p = np.asarray(design.sizes), np.asarray(design.distribution)
    shared = rng.random(n) < design.agreement
    truth = np.where(shared, _one_of(np.broadcast_to(p, (n, len(p))), rng), NONE)
    size = 1 + _one_of(np.broadcast_to(sizes, (n, *sizes.shape)), rng)
    with np.errstate(divide="ignore"):  # a label without a share never arrives
        lead = rng.standard_exponential((n, len(sizes), len(p))) / p
        rest = rng.standard_exponential(lead.shape)
        if design.further == "distribution":
            rest /= p
    together = np.flatnonzero(shared)
    lead[together, :, truth[together]] = 0
    first = _given(lead[:, :1], rest[:, :1], size[:, :1])
    taken = np.broadcast_to(first & ~shared[:, None, None], lead[:, 1:].shape)
    lead[:, 1:][taken] = rest[:, 1:][taken] = np.inf
    return np.concatenate([first, _given(lead[:, 1:], rest[:, 1:], size[:, 1:])], axis=1), truth


def _given(lead: Floats, rest: Floats, size: Ints) -> Bools:
    """The label that leads, and as many of the rest as there are to be, by time of arrival."""
    np.put_along_axis(rest, lead.argmin(-1)[..., None], 0, axis=-1)
    last = np.take_along_axis(np.sort(rest, axis=-1), size[..., None] - 1, axis=-1)
    return np.asarray(rest <= last)


def _one_of(p: Floats, rng: np.random.Generator) -> Ints:
    """A position along the last axis, drawn with the probabilities there."""
    total = np.cumsum(p, axis=-1)
    at = rng.random(p.shape[:-1]) * total[..., -1]
    found = (total <= at[..., None]).sum(-1)
    return np.asarray(np.minimum(found, p.shape[-1] - 1))  # rounding must not lead beyond the last


# ------------------------------------------------------------------ seeds


def generator(rng: Any) -> np.random.Generator:
    """A generator of random numbers, from a seed."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise RequestError(
            f"seed must be a whole number from 0 up or a numpy Generator, not {rng!r}"
        ) from None


def seed_of(rng: Any) -> int:
    """The seed that was given, or one that is drawn, so that everything can be repeated."""
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    return int(generator(rng).integers(2**32))
