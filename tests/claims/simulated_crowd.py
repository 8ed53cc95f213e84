"""A crowd of coders with known truth: the world in which models of coders are judged.

An item has a category that is true of it. Each coder sees that category, or on ambiguous,
misleading and disputed items maybe another one, and gives a label by a confusion matrix of one's
own. Everything that a model has to find is in the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from statistics import NormalDist
from string import ascii_uppercase
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

import accordant as ac

__all__ = ["KINDS", "SimulatedCrowd", "simulate_crowd"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Label: TypeAlias = Any
Kind: TypeAlias = Literal["adversary", "biased", "constant", "good", "school", "sloppy", "spammer"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Errors: TypeAlias = Literal["own", "equal"]

CONCENTRATION = 20.0  # annotations that a row of a coder is worth: how alike coders of a kind are
LEANING = 0.5  # how often a biased coder gives the favourite category without looking
SHIFT = 1.0  # categories by which a biased coder is too high or too low on an ordered scale
SHIFTED = 0.15  # standard deviation of the shift of other coders
NOISIER = 0.2  # standard deviation of the log of their noise
ACCURACY = {"good": 0.85, "sloppy": 0.6}
FEW = 4_000_000  # cells of coders who race for items that are drawn at once
UNMOVED = ("constant", "spammer")  # they do not look, so items are all the same to them
AMBIGUOUS = (0.5, 0.8)  # how many see the true category of an ambiguous item
MISLED = 0.35  # how many see that of a misleading one


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedCrowd:
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

    data: Any
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
        return self.data.scheme.categories

    @property
    def labels(self) -> list[Label]:
        """(I,) the category that is true of each item."""
        return [self.categories[k] for k in self.truth.tolist()]

    @cached_property
    def opinion(self) -> Floats:
        """(I, K) what coders see in an item: the distribution that soft labels should find."""
        one = np.eye(len(self.prevalence))
        return one[self.other] * (1 - self.clear)[:, None] + one[self.truth] * self.clear[:, None]

    @cached_property
    def accuracy(self) -> Floats:
        """(C,) probability of being right about an ordinary item, Σ_k prevalence_k confusion_kk."""
        return np.asarray(np.einsum("k,ckk->c", self.prevalence, self.confusion))

    @cached_property
    def counted(self) -> Floats:
        """(C, K, K) how often each coder gave which category where which was true."""
        rows, shape = self.data.answered, self.confusion.shape
        cell = np.ravel_multi_index((rows.coder, self.truth[rows.item], rows.value), shape)
        return np.bincount(cell, minlength=self.confusion.size).reshape(shape).astype(float)

    def share_right(self, labels: Sequence[Any]) -> float:
        """Share of the items (I,) whose label is the true one; no label is not right."""
        return float(np.mean([a == b for a, b in zip(self.labels, labels, strict=True)]))


def simulate_crowd(
    n_items: int = 500,
    coders: Any = 20,
    categories: Any = 3,
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
    seed: Any = None,
) -> SimulatedCrowd:
    """Annotations by coders of several kinds, of items whose truth is known.

    Parameters
    ----------
    n_items : int
    coders : int, mapping of kind to number, or ndarray
        Good coders; or so many of each kind; or their confusion matrices (C, K, K). Good and sloppy
        coders are right with probability ``accuracy``; biased ones give a favourite half of the
        time (on a scale they are a category too high or too low); an adversary mistakes each
        category for the next; a spammer gives random labels, a constant one always the same; a
        school are good coders who agree on another category of the disputed items.
    categories : int or sequence
    per_item : int or (int, int)
        Coders of each item, or the least and the most.
    prevalence : sequence of float, optional
        (K,) shares of the truth.
    accuracy : float or mapping of kind to float
    errors : {'own', 'equal'}
        Whether rows of confusion matrices are drawn, or all errors equally likely.
    difficulty : float
        Standard deviation of the log of an item's ease, by which log odds are multiplied.
    ambiguous, misleading, disputed : float
        Shares of items of which between half and a fifth, 65 %, or a school see another category.
    uneven : float
        Standard deviation of the log of a coder's share of the annotations.
    gold : float
        Share of control items.
    abstentions : float or sequence of float
        Share of annotations without a label, or (K,) by the true category.
    scale : {'nominal', 'ordinal'}
    seed : int or Generator
    """
    random = np.random.default_rng(seed)
    made = np.empty((0, 0, 0)) if isinstance(coders, int | Mapping) else np.asarray(coders, float)
    if made.size:
        categories = made.shape[1]
    names = _categories(categories)
    k = len(names)
    p = np.full(k, 1 / k) if prevalence is None else np.asarray(prevalence, float)
    p = p / p.sum()
    kinds: tuple[str, ...] = ("coder",) * len(made) or _kinds_of(coders)
    if not made.size:
        told = {**ACCURACY, **(accuracy if isinstance(accuracy, Mapping) else {"good": accuracy})}
        made = _confusions(kinds, k, told, errors, scale == "ordinal", random)
    truth = _drawn(np.cumsum(p)[None], np.zeros(n_items, np.int8), random)
    seen = _seen(truth, k, ambiguous, misleading, "school" in kinds and disputed, scale, random)
    ease = np.exp(difficulty * random.standard_normal(n_items))
    item, coder = _assigned(n_items, len(kinds), per_item, uneven, random)
    label = _labels(item, coder, truth, seen, np.array(kinds), made, ease, random)
    skipped = _skipped(abstentions, k, truth[item], random)
    controls = np.flatnonzero(random.random(n_items) < gold).tolist()
    label = np.where(skipped, -1, label.astype(np.int64))
    rows = {
        "item": (item + 1).tolist(),
        "coder": np.array(_names_of(kinds))[coder].tolist(),
        "label": [None if x < 0 else names[x] for x in label.tolist()],
    }
    here = np.bincount(coder, minlength=len(kinds)) > 0  # who annotated nothing is not there
    kinds, made = tuple(x for x, there in zip(kinds, here, strict=True) if there), made[here]
    columns = {name: name for name in rows}
    asked = {"categories": list(names), "scale": scale, "blank": "skipped"}
    data = ac.read(rows, layout="long", **columns, **asked)
    known = {i + 1: names[truth[i]] for i in controls}
    return SimulatedCrowd(data, truth, p, made, kinds, ease, *seen, known)


def _categories(given: Any) -> tuple[Label, ...]:
    """(K,) letters, or L01, L02, … if there are more."""
    if not isinstance(given, int):
        return tuple(given)
    if given <= len(ascii_uppercase):
        return tuple(ascii_uppercase[:given])
    return tuple(f"L{k:0{len(str(given))}}" for k in range(1, given + 1))


def _seen(
    truth: Ints,
    k: int,
    ambiguous: float,
    misleading: float,
    disputed: float,
    scale: str,
    rng: np.random.Generator,
) -> tuple[Ints, Floats, Bools]:
    """(I,) what else can be seen, (I,) how many see the truth, (I,) whether schools differ."""
    n = len(truth)
    if scale == "ordinal":  # the next category, and at either end the only one that is next
        step = rng.choice(np.array([-1, 1]), n)
        other = np.where((truth + step < 0) | (truth + step >= k), truth - step, truth + step)
    else:
        other = (truth + 1 + rng.integers(k - 1, size=n)) % k
    clear, kind = np.ones(n), rng.random(n)
    unclear = kind < ambiguous
    clear[~unclear & (kind < ambiguous + misleading)] = MISLED
    clear[unclear] = rng.uniform(*AMBIGUOUS, n)[unclear]
    return other, clear, rng.random(n) < disputed


def _labels(
    item: Ints,
    coder: Ints,
    truth: Ints,
    seen: tuple[Ints, Floats, Bools],
    kinds: Any,
    confusion: Floats,
    ease: Floats,
    rng: np.random.Generator,
) -> Ints:
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
    given = share if isinstance(share, Sequence) else [share] * k
    shares = np.array(given, float)
    if not shares.any():
        return np.zeros(len(truth), bool)
    return np.asarray(rng.random(len(truth)) < shares[truth])


# ------------------------------------------------------------------ kinds of coders


def _kinds_of(coders: Any) -> tuple[Kind, ...]:
    """(C,) the kind of each coder, in the order of their names."""
    if not isinstance(coders, Mapping):
        return ("good",) * coders
    return tuple(kind for kind in KINDS for _ in range(coders.get(kind, 0)))


def _names_of(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """(C,) names that tell the kind, in the order that sorting gives."""
    n = Counter(kinds)
    number = {kind: count(1) for kind in n}
    return tuple(f"{kind} {next(number[kind]):0{len(str(n[kind]))}}" for kind in kinds)


def _confusions(
    kinds: tuple[str, ...],
    k: int,
    accuracy: Mapping[str, float],
    errors: Errors,
    ordered: bool,
    rng: np.random.Generator,
) -> Floats:
    """(C, K, K) probability that each coder gives a category where another is right."""
    right = np.array([accuracy.get(x, accuracy["good"]) for x in kinds], float)
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


# ------------------------------------------------------------------ who annotates what


def _assigned(
    n_items: int, n_coders: int, per_item: Any, uneven: float, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """(N,) items and the coders drawn for them, in this order; nobody for the same item twice."""
    ends = per_item if isinstance(per_item, tuple) else (per_item, per_item)
    low, high = ends
    weight = np.exp(uneven * rng.standard_normal(n_coders))
    weight /= weight.sum()
    if high == n_coders:
        chosen: Ints = np.tile(np.arange(n_coders, dtype=np.int32), (n_items, 1))
    elif n_coders <= 8 * high or uneven > 1:
        chosen = _raced(n_items, high, weight, rng)
    else:
        chosen = _redrawn(n_items, high, weight, rng)
    if low < high:
        some = rng.permuted(chosen, axis=1) if high == n_coders else chosen
        kept = np.arange(high) < rng.integers(low, high + 1, n_items)[:, None]
        chosen = np.where(kept, some, n_coders)
    chosen = np.sort(chosen, axis=1)
    item, place = np.nonzero(chosen < n_coders)
    return item.astype(np.int32), chosen[item, place]


def _raced(n_items: int, n: int, weight: Floats, rng: np.random.Generator) -> Ints:
    """(I, n) the first to arrive, the heavier the earlier: a draw without replacement."""
    step = max(1, FEW // len(weight))
    sizes = (min(step, n_items - start) for start in range(0, n_items, step))
    times = (rng.standard_exponential((size, len(weight))) / weight for size in sizes)
    first = [np.argpartition(time, n - 1, axis=1)[:, :n].astype(np.int32) for time in times]
    return np.concatenate(first)


def _redrawn(n_items: int, n: int, weight: Floats, rng: np.random.Generator) -> Ints:
    """(I, n) one after the other, drawn again where one is there already: the same for many."""
    up_to = np.cumsum(weight)
    chosen = np.empty((n_items, n), np.int32)
    for place in range(n):
        left = np.arange(n_items)
        while len(left):
            drawn = np.searchsorted(up_to, rng.random(len(left)) * up_to[-1], side="right")
            chosen[left, place] = np.minimum(drawn, len(weight) - 1)
            again = (chosen[left, :place] == chosen[left, place][:, None]).any(1)
            left = left[again]
    return chosen
