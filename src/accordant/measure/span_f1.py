"""How far coders mark the same spans of a text: F1 of each pair of coders, and its mean.

A text has no count of the places where nothing could have been marked, so that chance-corrected
coefficients need a choice of units first. F1 needs none: it is what kappa approaches as the number
of true negatives grows (Hripcsak & Rothschild 2005).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ..data.annotations import Annotations
from ..data.read import read
from ..data.spans import Spans
from ..errors import RequestError
from ..results import Result

Match: TypeAlias = Literal["exact", "overlap"]
_Span: TypeAlias = tuple[int, int, str]
MEAN = "mean of pairs"


@dataclass(frozen=True)
class SpanPair:
    """Two coders on the texts that both went through.

    Parameters
    ----------
    question : str
        The layer; '' if there is one.
    first, second : str
        The coders; of the mean, 'mean of pairs' and ''.
    n_items : int
        Texts that both went through.
    n_first, n_second : int
        Spans that each marked in them.
    n_matched : int
        Pairs of matching spans.
    f1 : float
        2 matched / (first + second); NaN if neither marked anything.
    """

    question: str
    first: str
    second: str
    n_items: int
    n_first: int
    n_second: int
    n_matched: int
    f1: float


@dataclass(frozen=True, eq=False, repr=False)
class SpanF1(Result):
    """F1 of the spans of each pair of coders, and the mean over the pairs of each question.

    Parameters
    ----------
    records : tuple of SpanPair
        The pairs of each question, then their mean: F1 is the mean of the defined F1, numbers are
        sums.
    match : {'exact', 'overlap'}
        What counts as a match.
    labels : bool
        Whether matching spans need the same label.
    """

    told_as: ClassVar[str] = "span_f1"
    row_fields: ClassVar[tuple[str, ...]] = (
        "question",
        "first",
        "second",
        "n_items",
        "n_first",
        "n_second",
        "n_matched",
        "f1",
    )

    records: tuple[SpanPair, ...]
    match: Match
    labels: bool

    @property
    def question(self) -> str | None:
        """The only question, None for several or one without a name."""
        names = {r.question for r in self.records}
        return next(iter(names)) or None if len(names) == 1 else None

    @property
    def told_parts(self) -> tuple[SpanF1, ...]:
        """Each question."""
        names = dict.fromkeys(r.question for r in self.records)
        kept = (tuple(r for r in self.records if r.question == name) for name in names)
        return tuple(replace(self, records=records) for records in kept)

    @property
    def pairs(self) -> tuple[SpanPair, ...]:
        """The records of pairs, without their means."""
        return tuple(r for r in self.records if r.first != MEAN or r.second)

    def mean(self, question: str | None = None) -> float:
        """The mean F1 of the pairs of a question; it may be left out if there is one.

        Raises
        ------
        RequestError
            If there is no such question, or several and none is named.
        """
        means = {r.question: r.f1 for r in self.records if r.first == MEAN and not r.second}
        if question is None and len(means) == 1:
            return next(iter(means.values()))
        if question not in means:
            names = ", ".join(map(repr, means))
            raise RequestError(f"choose one of {names}, not {question!r}", parameter="question")
        return means[question]


def span_f1(data: Any, *, match: Match = "exact", labels: bool = True, **reading: Any) -> SpanF1:
    """F1 of every pair of coders; documented as `accordant.span_f1`."""
    data = data if isinstance(data, Annotations) else read(data, **reading)
    if match not in ("exact", "overlap"):
        raise RequestError(f"choose one of 'exact', 'overlap', not {match!r}", parameter="match")
    if data.spans is None:
        raise RequestError(
            f"these annotations ({data.reading.layout}) do not say where spans begin and end: "
            "give the export of a platform"
        )
    records = list[SpanPair]()
    for question in range(len(data.spans.questions)):
        pairs = list(_pairs(data.spans, question, match, labels))
        records += [*pairs, _mean(pairs)] if pairs else []
    if not records:
        raise RequestError("no two coders went through the same text")
    return SpanF1(tuple(records), match, labels)


def _pairs(spans: Spans, question: int, match: Match, labels: bool) -> Iterator[SpanPair]:
    """Every two coders who went through a common text."""
    texts = defaultdict[int, set[int]](set)
    for item, asked, coder in spans.looked.tolist():
        if asked == question:
            texts[coder].add(item)
    marked = defaultdict[tuple[int, int], dict[_Span, None]](dict)
    columns = (spans.item, spans.question, spans.coder, spans.start, spans.end, spans.label)
    for item, asked, coder, start, end, label in zip(*(c.tolist() for c in columns), strict=True):
        if asked == question:
            name = spans.labels[label] if labels else ""
            marked[coder, item][start, end, name] = None
    count = _same if match == "exact" else _overlapping
    for a, b in combinations(sorted(texts), 2):
        if both := texts[a] & texts[b]:
            of = [(list(marked.get((a, t), ())), list(marked.get((b, t), ()))) for t in both]
            n_a, n_b = sum(len(x) for x, _ in of), sum(len(y) for _, y in of)
            n = sum(count(x, y) for x, y in of)
            f1 = 2 * n / (n_a + n_b) if n_a + n_b else math.nan
            names = spans.questions[question], spans.coders[a], spans.coders[b]
            yield SpanPair(*names, len(both), n_a, n_b, n, f1)


def _mean(pairs: Sequence[SpanPair]) -> SpanPair:
    known = [p.f1 for p in pairs if not math.isnan(p.f1)]
    return SpanPair(
        pairs[0].question,
        MEAN,
        "",
        sum(p.n_items for p in pairs),
        sum(p.n_first for p in pairs),
        sum(p.n_second for p in pairs),
        sum(p.n_matched for p in pairs),
        sum(known) / len(known) if known else math.nan,
    )


def _same(ours: Sequence[_Span], theirs: Sequence[_Span]) -> int:
    """How many spans both have."""
    return len(set(ours) & set(theirs))


def _overlapping(ours: Sequence[_Span], theirs: Sequence[_Span]) -> int:
    """The most pairs of overlapping spans of one label, each span in one pair."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not ours or not theirs:
        return 0
    (low, high), (start, end) = (np.array([s[:2] for s in side]).T for side in (ours, theirs))
    low, high = low[:, None], high[:, None]
    shared = np.minimum(high, end) > np.maximum(low, start)  # a character, or the same place
    label, other = (np.array([s[2] for s in side]) for side in (ours, theirs))
    overlap = (shared | ((low == start) & (high == end))) & (label[:, None] == other)
    return int((maximum_bipartite_matching(csr_matrix(overlap)) >= 0).sum())
