"""A crowd of coders with known truth: what models of coders and items are tested with.

An item has a category that is true of it. Each coder sees that category, or on ambiguous,
misleading and disputed items maybe another one, and gives a label by a confusion matrix of one's
own. Everything that a model has to find is in the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import NO_VALUE, Annotations, Columns, Reading, Status
from ..errors import RequestError
from ..results import Result
from ..scheme import Label, Scheme
from ..validation import checked
from .assignment import assigned
from .design import Categories, design_of, share_of, whole
from .kinds import Errors, Kind, confusions, kinds_of, names_of
from .multilabel import generator

__all__ = ["SimulatedCrowd", "simulate_crowd"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

ACCURACY = {"good": 0.85, "sloppy": 0.6}
UNMOVED = ("constant", "spammer")  # they do not look, so items are all the same to them
AMBIGUOUS = (0.5, 0.8)  # how many see the true category of an ambiguous item
MISLED = 0.35  # how many see that of a misleading one


@dataclass(frozen=True, eq=False)
class SimulatedCrowd(Result):
    """Annotations and the truth about them. I items, C coders, K categories.

    Parameters
    ----------
    data : Annotations
        One question. Coders stand in the order of their names, which tell their kinds.
    truth : ndarray of int
        (I,) position of the category that is true of each item.
    prevalence : ndarray
        (K,) what the truth was drawn from.
    confusion : ndarray
        (C, K, K) that a coder gives a category, given what the coder sees of an ordinary item.
    kinds : tuple of str
        (C,)
    ease : ndarray
        (I,) what the log odds of being right are multiplied by: 1 for an ordinary item.
    other : ndarray of int
        (I,) what else can be seen of an item.
    clear : ndarray
        (I,) probability that a coder sees what is true, and not the other.
    disputed : ndarray of bool
        (I,) whether the minority school always sees the other.
    gold : mapping
        Item to label, of the control items.
    """

    data: Annotations
    truth: Ints
    prevalence: Floats
    confusion: Floats
    kinds: tuple[str, ...]
    ease: Floats
    other: Ints
    clear: Floats
    disputed: Bools
    gold: Mapping[int, Label]

    @property
    def categories(self) -> tuple[Label, ...]:
        """(K,) what may be true."""
        return self.data.schemes[0].categories

    @property
    def labels(self) -> list[Label]:
        """(I,) the category that is true of each item."""
        return [self.categories[k] for k in self.truth.tolist()]

    @cached_property
    def opinion(self) -> Floats:
        """(I, K) what coders see in an item: the distribution that soft labels should find."""
        i = np.arange(len(self.truth))
        shares = np.zeros((len(self.truth), len(self.prevalence)))
        shares[i, self.other] = 1 - self.clear
        shares[i, self.truth] += self.clear
        return shares

    @cached_property
    def accuracy(self) -> Floats:
        """(C,) probability of being right about an ordinary item, Σ_k prevalence_k confusion_kk."""
        return np.asarray(np.einsum("k,ckk->c", self.prevalence, self.confusion))

    @cached_property
    def counted(self) -> Floats:
        """(C, K, K) how often each coder gave which category where which was true."""
        k, rows = len(self.prevalence), self.data.answered
        cell = (rows.coder.astype(np.int64) * k + self.truth[rows.item]) * k + rows.value
        n = np.bincount(cell, minlength=self.confusion.size)
        return n.reshape(self.confusion.shape).astype(float)

    def share_right(self, labels: Sequence[Any]) -> float:
        """Share of the items (I,) whose label is the true one; no label is not right."""
        right = [a == b for a, b in zip(self.labels, labels, strict=True)]
        return float(np.mean(right))

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        n = np.bincount(self.data.answered.coder, minlength=len(self.kinds))
        columns = zip(self.data.coders, self.kinds, self.accuracy.tolist(), n.tolist(), strict=True)
        return [
            {"coder": name, "kind": kind, "accuracy": accuracy, "n_annotations": n}
            for name, kind, accuracy, n in columns
        ]

    def __str__(self) -> str:
        return (
            f"{len(self.truth):,} items with known truth, {len(self.kinds):,} coders, "
            f"{len(self.data):,} annotations, {len(self.prevalence)} categories"
        )

    __repr__ = __str__


@checked
def simulate_crowd(
    n_items: int = 500,
    coders: int | Mapping[Kind, int] | Any = 20,
    categories: Categories = 3,
    *,
    per_item: int | tuple[int, int] = 5,
    prevalence: Sequence[float] | None = None,
    accuracy: float | Mapping[str, float] = ACCURACY["good"],
    errors: Errors = "own",
    difficulty: float = 0.0,
    ambiguous: float = 0.0,
    misleading: float = 0.0,
    disputed: float = 0.3,
    uneven: float = 0.0,
    gold: float = 0.0,
    abstentions: float | Sequence[float] = 0.0,
    scale: Literal["nominal", "ordinal"] = "nominal",
    rng: Any = None,
) -> SimulatedCrowd:
    """Annotations by coders of several kinds, of items whose truth is known."""
    if scale not in ("nominal", "ordinal"):
        raise RequestError(f"choose 'nominal' or 'ordinal', not {scale!r}", parameter="scale")
    n_items, random = whole("items", n_items, 1), generator(rng)
    given = None if isinstance(coders, int | Mapping) else _given(coders)
    if given is not None and isinstance(categories, int):
        categories = given.shape[1]
    design = design_of(1.0, categories=categories, distribution=prevalence)
    k = len(design.categories)
    p = np.asarray(design.distribution)
    if given is None:
        kinds: tuple[str, ...] = kinds_of(coders)
        told = {**ACCURACY, **(accuracy if isinstance(accuracy, Mapping) else {"good": accuracy})}
        ordered = scale == "ordinal"
        made = confusions(kinds_of(coders), k, told, errors, ordered, random)
    else:
        kinds, made = ("coder",) * len(given), given
        if given.shape[1] != k:
            raise RequestError(f"the confusion matrices have {given.shape[1]} rows, not {k}")
    truth = _drawn(np.cumsum(p)[None], np.zeros(n_items, np.int8), random)
    seen = _seen(truth, k, ambiguous, misleading, "school" in kinds and disputed, scale, random)
    ease = np.exp(_positive("difficulty", difficulty) * random.standard_normal(n_items))
    item, coder = assigned(n_items, len(kinds), per_item, _positive("uneven", uneven), random)
    label = _labels(item, coder, truth, seen, np.array(kinds), made, ease, random)
    skipped = _skipped(abstentions, k, truth[item], random)
    controls = np.flatnonzero(random.random(n_items) < share_of("gold", gold)).tolist()
    label[skipped] = NO_VALUE
    status = np.where(skipped, Status.SKIPPED, Status.ANSWERED).astype(np.uint8)
    data = Annotations(
        items=np.arange(1, n_items + 1),
        coders=names_of(kinds),
        questions=("",),
        schemes=(Scheme(design.categories, scale, declared=True),),
        values=design.categories,
        layout=Columns(item, np.zeros(len(item), np.uint8), coder, label, status),
        reading=Reading("a simulation", "long", generated_ids=True),
    )
    known = {i + 1: design.categories[truth[i]] for i in controls}
    return SimulatedCrowd(data, truth, p, made, kinds, ease, *seen, known)


def _given(matrices: Any) -> Floats:
    """(C, K, K) confusion matrices, checked."""
    try:
        made = np.asarray(matrices, float)
    except (TypeError, ValueError):
        made = np.empty(0)
    if made.ndim != 3 or made.shape[1] != made.shape[2] or made.size == 0:
        raise RequestError(
            "a number, numbers of kinds such as {'good': 8, 'spammer': 2}, or confusion "
            f"matrices of the shape (coders, K, K), not {matrices!r:.80}",
            parameter="coders",
        )
    if not ((made >= 0).all() and np.allclose(made.sum(-1), 1, atol=1e-6)):
        raise RequestError("the rows of the confusion matrices must be shares that sum to 1")
    return made


def _positive(what: str, x: Any) -> float:
    if not isinstance(x, int | float) or not 0 <= x < np.inf:
        raise RequestError(f"{what} must be a number from 0 up, not {x!r}")
    return float(x)


def _seen(
    truth: Ints, k: int, ambiguous: float, misleading: float, disputed: float, scale: str,
    rng: np.random.Generator,
) -> tuple[Ints, Floats, Bools]:  # fmt: skip
    """(I,) what else can be seen, (I,) how many see the truth, (I,) whether schools differ."""
    n = len(truth)
    shares = share_of("ambiguous", ambiguous), share_of("misleading", misleading)
    if sum(shares) > 1:
        raise RequestError("ambiguous and misleading items together are more than all items")
    if scale == "ordinal":  # the next category, and at either end the only one that is next
        step = rng.choice(np.array([-1, 1]), n)
        other = np.where((truth + step < 0) | (truth + step >= k), truth - step, truth + step)
    else:
        other = (truth + 1 + rng.integers(k - 1, size=n)) % k
    clear, kind = np.ones(n), rng.random(n)
    unclear, misled = kind < shares[0], (kind >= shares[0]) & (kind < sum(shares))
    clear[unclear] = rng.uniform(*AMBIGUOUS, n)[unclear]
    clear[misled] = MISLED
    return other, clear, rng.random(n) < share_of("disputed", float(disputed))


def _labels(
    item: Ints, coder: Ints, truth: Ints, seen: tuple[Ints, Floats, Bools], kinds: Any,
    confusion: Floats, ease: Floats, rng: np.random.Generator,
) -> Ints:  # fmt: skip
    """(N,) what the coders say."""
    other, clear, disputed = seen
    k = confusion.shape[1]
    unclear = rng.random(len(item)) >= clear[item] if (clear < 1).any() else np.zeros(1, bool)
    unclear = unclear | (disputed[item] & (kinds == "school")[coder])
    sees = np.where(unclear, other[item], truth[item]).astype(np.int64)
    row = coder.astype(np.int64) * k + sees
    rows = confusion.reshape(-1, k)
    if (ease == 1).all():
        return _drawn(np.cumsum(rows, axis=1), row, rng)
    right = np.clip(confusion[:, range(k), range(k)], 1e-12, 1 - 1e-12).reshape(-1)
    odds = np.log(right / (1 - right))[row]
    odds *= np.where(np.isin(kinds, UNMOVED)[coder], 1.0, ease[item])
    hit = rng.random(len(item)) < 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
    wrong = confusion * (1 - np.eye(k)) + 1e-300
    wrong /= wrong.sum(-1, keepdims=True)
    missed = _drawn(np.cumsum(wrong, axis=-1).reshape(-1, k), row, rng)
    return np.where(hit, sees, missed).astype(missed.dtype)


def _drawn(up_to: Floats, row: Ints, rng: np.random.Generator) -> Ints:
    """(N,) one category each, by the cumulated shares (R, K) of a row."""
    u = rng.random(len(row))
    found = np.zeros(len(row), np.min_scalar_type(-up_to.shape[1] - 1))
    for k in range(up_to.shape[1] - 1):  # a table of N x K would be the largest thing here
        found += u >= up_to[row, k]
    return found


def _skipped(share: Any, k: int, truth: Ints, rng: np.random.Generator) -> Bools:
    """(N,) whether an annotation has no label."""
    if isinstance(share, Sequence):
        if len(share) != k:
            raise RequestError(f"abstentions has {len(share)} shares for {k} categories")
        shares = np.array([share_of("abstentions", x) for x in share])
    else:
        shares = np.full(k, share_of("abstentions", share))
    if not shares.any():
        return np.zeros(len(truth), bool)
    return np.asarray(rng.random(len(truth)) < shares[truth])
