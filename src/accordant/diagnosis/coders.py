"""How each coder labels, how far the others agree, and whether a coder contradicts itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..counts.tables import one_by_one
from ..data.annotations import Annotations
from ..inference.exact_tests import dealt, exact_interval
from ..inference.influence import without_each_coder
from ..measure.coefficients import COEFFICIENTS
from ..measure.label_use import LabelUse, label_use
from ..measure.shares import LabelOrder, coder_entropy
from ..measure.weights import Weights, ordered_pairs
from ..results import Result
from ..scheme import Value

__all__ = [
    "MOST_LEFT_OUT",
    "MOST_TEXTS",
    "Coders",
    "Consistency",
    "coders",
    "consistency",
]

MOST_LEFT_OUT = 50  # alpha is computed once more for each coder that is left out
BLOCK = 4_000_000  # cells of a temporary table of patterns x values
WORTH = 8  # so many cells of that table are filled as quickly as one annotation is compared
MOST_ENTRIES = 20_000_000  # entries that are gone through for this: about two seconds


@dataclass(frozen=True, eq=False)
class Coders(Result):
    """What each coder does. C coders, K values.

    Parameters
    ----------
    coders : tuple of str
        (C,) names; empty if the data do not tell who gave which label.
    values : tuple
        (K,) values.
    n_items, n_shared : ndarray
        (C,) items of the coder, and those of them that somebody else annotated too.
    entropy : ndarray
        (C,) bits.
    agreement : ndarray
        (C,) mean agreement with the other coders of an item, over all such pairs.
    labels : LabelUse or None
        Which labels each gives; None if the table would be too large.
    alpha : float
        Alpha of all coders.
    alpha_without : ndarray
        (C,) alpha if the coder is left out; NaN with fewer than three coders or too many.
    """

    coders: tuple[str, ...]
    values: tuple[Value, ...]
    n_items: Floats
    n_shared: Floats
    entropy: Floats
    agreement: Floats
    labels: LabelUse | None
    alpha: float
    alpha_without: Floats

    @property
    def alpha_change(self) -> Floats:
        """(C,) how much alpha rises if the coder is left out."""
        return self.alpha_without - self.alpha

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder; ``bias_value`` is what it gives most unlike the others."""
        unknown: list[tuple[Value | None, float]] = [(None, math.nan)] * len(self.coders)
        found = unknown if self.labels is None else self.labels.strongest_bias()
        numbers = ("agreement", "alpha_without", "alpha_change", "entropy")
        return [
            {
                "coder": name,
                "n_items": int(self.n_items[c]),
                "n_shared": int(self.n_shared[c]),
                **{key: float(getattr(self, key)[c]) for key in numbers},
                "bias_value": value,
                "bias": bias,
            }
            for c, (name, (value, bias)) in enumerate(zip(self.coders, found, strict=True))
        ]


def coders(
    counts: Counts, w: Weights, metric: Weights | None = None, labels: LabelOrder = None
) -> Coders:
    """Break agreement down by coder.

    Parameters
    ----------
    counts : Counts
    w : Weights
        What counts as agreement with the others.
    metric : Weights, optional
        The weights of alpha, by default the same.
    labels : sequence, optional
        The order of the labels that sets hold.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> counts = count(read([["a", "b", "a", "a"], ["a", "b", "b", "a"], ["a", "b", "a", "b"]]))
    >>> found = coders(counts, weights_for("identity", counts))
    >>> found.agreement.tolist(), found.n_items.tolist()
    ([0.75, 0.625, 0.625], [4.0, 4.0, 4.0])
    """
    alpha = COEFFICIENTS["alpha"]
    metric = metric or w
    whole = float(alpha.parts(counts, metric).value)
    if counts.coder is None:
        none = np.zeros(0)
        return Coders((), counts.values, none, none, none, none, None, whole, none)
    times = counts.times[counts.row]
    shared = times * (counts.size >= 2)[counts.row]
    n_pairs = _summed(counts, shared * (counts.size[counts.row] - 1))
    agreed = _summed(counts, times * agreement_with_others(counts, w))
    without = _alpha_without(counts, metric)
    return Coders(
        coders=counts.coders,
        values=counts.values,
        n_items=_summed(counts, times),
        n_shared=_summed(counts, shared),
        entropy=coder_entropy(counts),
        agreement=np.asarray(agreed / np.where(n_pairs, n_pairs, np.nan)),
        labels=label_use(counts, labels),
        alpha=whole,
        alpha_without=without,
    )


def _summed(counts: Counts, x: NDArray[Any]) -> Floats:
    """(C,) sum of ``x`` (E,) over the annotations of each coder."""
    owner = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    return sums(owner, x, counts.n_coders)


def agreement_with_others(counts: Counts, w: Weights) -> Floats:
    """(E,) sum of the weights of an annotation with the others of its item."""
    k, found = counts.n_values, []
    if w.symmetric and counts.n_patterns * k <= WORTH * len(counts.value):
        step = max(1, BLOCK // max(k, 1))
        for low in range(0, counts.n_patterns, step):
            start, end = counts.start[low], counts.start[min(low + step, counts.n_patterns)]
            row, value = counts.row[start:end] - low, counts.value[start:end]
            n = np.bincount(row * np.int64(k) + value, minlength=(row[-1] + 1) * k)
            others = w.apply(n.reshape(-1, k).astype(float))
            found.append(others[row, value])
        return np.concatenate([np.zeros(0), *found]) - w.diagonal[counts.value]
    return _pair_by_pair(counts, w)


def _pair_by_pair(counts: Counts, w: Weights) -> Floats:
    """(E,) the same for many values, or weights that know a first and a second coder."""
    found = np.zeros(len(counts.value))
    for a, b in ordered_pairs(counts):
        both = w.at(counts.value[a], counts.value[b])
        found += np.bincount(a, weights=both, minlength=len(found))
        found += np.bincount(b, weights=both, minlength=len(found))
    return found


def _alpha_without(counts: Counts, metric: Weights) -> Floats:
    """(C,) alpha without each coder, NaN where that is too much work or means nothing."""
    busy = counts.n_coders > MOST_LEFT_OUT or counts.n_coders * len(counts.value) > MOST_ENTRIES
    if busy or counts.n_coders < 3:
        return np.full(counts.n_coders, np.nan)
    return without_each_coder(COEFFICIENTS["alpha"], counts, metric)


MOST_TEXTS = 200_000  # of larger data the first so many items are looked at


@dataclass(frozen=True, eq=False)
class Consistency(Result):
    """Contradictory answers of a coder to identical texts. C coders.

    Parameters
    ----------
    coders : tuple of str
        (C,) names.
    n_texts : ndarray
        (C,) texts that the coder annotated under two or more item ids.
    n_contradicted : ndarray
        (C,) those of them to which it gave different values.
    low, high : ndarray
        (C,) exact interval of the share that it contradicts.
    p_value : ndarray
        (C,) Fisher's exact test of the share against that of the other coders together, one-sided:
        more contradictions; NaN where nothing can be compared.
    items : tuple of ndarray
        (C,) positions of the items of these texts, those of a text side by side.
    n_repeated : int
        Texts that stand under two or more item ids.
    n_used, n_all : int
        Items that were looked at, and items of the data.
    from_itself, from_others : float
        How often two annotations of such a text by one coder differ, and two of the same item by
        two coders. Where the first is far above the second, the label hangs on more than the text.
    """

    coders: tuple[str, ...]
    n_texts: Floats
    n_contradicted: Floats
    low: Floats
    high: Floats
    p_value: Floats
    items: tuple[Ints, ...]
    n_repeated: int
    n_used: int
    n_all: int
    from_itself: float
    from_others: float

    @property
    def share(self) -> Floats:
        """(C,) share of the repeated texts that the coder contradicts itself on."""
        return np.asarray(self.n_contradicted / np.where(self.n_texts, self.n_texts, np.nan))

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder who saw a text twice."""
        numbers = ("share", "low", "high", "p_value")
        return [
            {
                "coder": name,
                "n_texts": int(self.n_texts[c]),
                "n_contradicted": int(self.n_contradicted[c]),
                **{key: float(getattr(self, key)[c]) for key in numbers},
            }
            for c, name in enumerate(self.coders)
            if self.n_texts[c]
        ]


def consistency(data: Annotations, counts: Counts, level: float = 0.95) -> Consistency | None:
    """Compare what each coder said to the same text; texts are the same but for white space.

    None for several questions together, unknown coders, and where no coder saw a text twice.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> rows = {"item": [1, 2, 3, 4], "text": ["so", "no", "so ", "no"]}
    >>> data = read(rows | {"ann": list("abab"), "bob": list("abba")}, text="text")
    >>> found = consistency(data, count(data))
    >>> found.n_texts.tolist(), found.n_contradicted.tolist(), found.items[1].tolist()
    ([2.0, 2.0], [0.0, 2.0], [0, 2, 1, 3])
    """
    if counts.coder is None or data.texts is None or counts.n_questions > 1:
        return None
    n_used = min(len(data.items), MOST_TEXTS)
    items, text, n_repeated = _repeated([data.texts[i] for i in range(n_used)])
    if not n_repeated:
        return None
    item, entry = one_by_one(counts, items)
    coder, value = counts.coder[entry], counts.value[entry]
    group = text[item] * np.int64(counts.n_coders) + coder  # a coder and a text
    names, of, size = np.unique(group, return_inverse=True, return_counts=True)
    lowest, highest = np.full(len(names), counts.n_values), np.full(len(names), -1)
    np.minimum.at(lowest, of, value)
    np.maximum.at(highest, of, value)
    owner, twice = names % counts.n_coders, size > 1
    differ = lowest < highest
    if not twice.any():
        return None
    n = np.bincount(owner[twice], minlength=counts.n_coders)
    wrong = np.bincount(owner[differ], minlength=counts.n_coders)
    low, high = exact_interval(wrong, n, level)
    shown = np.flatnonzero(differ[of])
    shown = shown[np.lexsort((items[item[shown]], of[shown]))]
    return Consistency(
        coders=counts.coders,
        n_texts=n.astype(float),
        n_contradicted=wrong.astype(float),
        low=low,
        high=high,
        p_value=_against_the_others(wrong, n),
        items=tuple(items[item[shown[coder[shown] == c]]] for c in range(counts.n_coders)),
        n_repeated=n_repeated,
        n_used=n_used,
        n_all=len(data.items),
        from_itself=_differ(of, value),
        from_others=_differ(item, value),
    )


def _repeated(texts: list[str]) -> tuple[Ints, Ints, int]:
    """Items with a text that others have too, the number of this text, and how many there are."""
    number: dict[str, int] = {}
    code = np.full(len(texts), -1)
    for i, text in enumerate(texts):
        words = " ".join(text.split()) if text else ""
        if words:
            code[i] = number.setdefault(words, len(number))
    n = np.bincount(code[code >= 0], minlength=1)
    items = np.flatnonzero((code >= 0) & (np.append(n, 0)[code] > 1))
    return items, code[items], int((n > 1).sum())


def _differ(group: Ints, value: Ints) -> float:
    """Share of the pairs of a group that differ, each group with two or more counting once."""
    width = int(value.max(initial=0)) + 1
    cells, n = np.unique(group * np.int64(width) + value, return_counts=True)
    same = np.bincount(cells // width, weights=n * (n - 1.0))
    size = np.bincount(group, minlength=len(same)).astype(float)
    two = size > 1
    return float((1 - same[two] / (size * (size - 1))[two]).mean()) if two.any() else np.nan


def _against_the_others(wrong: Ints, n: Ints) -> Floats:
    """(C,) P(as many contradictions or more | all of them, dealt to the texts at random)."""
    total, bad = int(n.sum()), int(wrong.sum())
    return np.array(
        [
            dealt(int(k), int(m), bad, total) if 0 < m < total else np.nan
            for k, m in zip(wrong, n, strict=True)
        ]
    )
