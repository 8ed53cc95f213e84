"""Whether coders give the same text the same label each time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.tables import one_by_one
from ..data.annotations import Annotations
from ..inference.exact_tests import dealt, exact_interval
from ..messages import MessageKind, catalogued
from ..results import Result
from .finding import Contrast, Finding, FindingTable, told

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
    >>> data = read(rows | {"ann": list("abab"), "bob": list("abba")})
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


# ------------------------------------------------------------------ the finding


MATTERS = 0.1  # of the texts that a coder sees again get another label; our convention
MORE = 1.5  # times as often as coders differ from each other; our convention
MOST_ITEMS = 25

catalogued(
    MessageKind(
        "contradictions",
        "note",
        "Inconsistency on identical texts",
        "In {n:,} of {of:case} ({share:%}) a coder labelled a text that occurs under several "
        "ids differently ({n_repeated:such text}).",
        sources=("gwet2014",),
        advice="Decide on one label for all ids of such a text, unless the label depends on its "
        "context.",
    )
)


def contradictions(
    found: Consistency | None, question: str | None, level: float
) -> Iterator[Finding]:
    """How often coders give a text that stands under several item ids different labels.

    A warning where the exact interval of the share begins above a tenth, unless coders differ from
    each other much less than from themselves: then the label depends on more than the text.
    """
    if found is None or not found.n_contradicted.any():
        return
    n, of = int(found.n_contradicted.sum()), int(found.n_texts.sum())
    low, high = (float(x[0]) for x in exact_interval([n], [of], level))
    items = np.concatenate([found.items[c] for c in np.argsort(-np.nan_to_num(found.share))])
    first = items[np.sort(np.unique(items, return_index=True)[1])][:MOST_ITEMS]
    more = found.from_itself > MORE * found.from_others
    line = Contrast("by a coder", of, n / of)
    yield told(
        "contradictions",
        {
            "n": n,
            "of": of,
            "share": n / of,
            "low": low,
            "high": high,
            "n_repeated": found.n_repeated,
            "from_itself": found.from_itself,
            "from_others": found.from_others,
        },
        question=question,
        severity="warning" if low >= MATTERS and not more else "note",
        stake=math.nan,
        remedy="guideline",
        seen=FindingTable(
            (line,),
            "what",
            "texts seen twice or more",
            "labelled differently",
            items=tuple(int(i) for i in first),
        ),
    )
