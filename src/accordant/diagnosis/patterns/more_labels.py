"""Sets of labels: one coder gives more labels to the same items, whatever the labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...measure.shares import held_labels
from ...numbers import count_of, decimal, p_text
from ..categories import labels_of
from ..exact_tests import binomial_test
from ..finding import Contrast, Evidence, Finding
from ..view import View
from ..words import quoted
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_LINES, items_of, severity_of
from .use import others_of

__all__ = ["more_labels"]

FEWEST = 6  # items; with fewer a sign test cannot reach .05
ONE_SIDED = 2  # times as often more as fewer; our convention
CLEAR = 0.1  # labels per item; our convention
ONE_LABEL = 0.6  # of the further labels are one and the same; our convention
MOST_TOLD = 3  # coders


@pattern
def more_labels(view: View) -> Iterator[Finding]:
    """Number of labels.

    An item counts once for each coder: as having more labels than those of the others, or fewer,
    or between by the share of those above and below. If coders were interchangeable, both would be
    equally likely: the exact sign test, corrected for the number of coders. The clearest is taken
    out before the next is looked for. If it is mostly one label, `one_way` says more.
    """
    for _ in range(MOST_TOLD):
        found = _clearest(view)
        if found is None:
            return
        yield found
        rest = [coder for coder in view.counts.coders if coder != found.evidence["coder"]]
        if len(rest) < 2:
            return
        view = view.of_coders(rest)


@dataclass(frozen=True)
class _Sizes:
    """Per coder (C,): items, mean labels of its own and of others, items with more and fewer.

    ``net`` is how many labels it has more, added up over all pairs with others; ``p_value`` is
    corrected.
    """

    n: NDArray[np.float64]
    own: NDArray[np.float64]
    others: NDArray[np.float64]
    more: NDArray[np.float64]
    fewer: NDArray[np.float64]
    net: NDArray[np.float64]
    p_value: NDArray[np.float64]


def _sizes(view: View) -> _Sizes | None:
    counts, met = view.counts, view.met
    if counts.coder is None or met is None:
        return None
    size = np.array([len(labels_of(v)) for v in counts.values], float)
    row, c = counts.row, counts.n_coders

    owner, times = counts.coder, counts.times[row] * (counts.size[row] > 1)

    def by(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(owner, weights=x * times, minlength=c).astype(float)

    own, m = size[counts.value], counts.size[row].astype(float)
    total = counts.sum_entries(own * counts.n)[row]
    others = (total - own) / np.maximum(m - 1, 1)
    n = by(np.ones(len(row)))
    up = np.sign(size[counts.value[met.entry]] - size[met.other]) * met.other_n
    score = np.bincount(met.entry, weights=up, minlength=len(row)) / np.maximum(m - 1, 1)
    more, fewer = by((score > 0).astype(float)), by((score < 0).astype(float))
    of, net = by((np.abs(score) > 1e-12).astype(float)), by(score)
    tests = 1 if c == 2 else c
    side = np.floor((of + np.abs(net)) / 2 + 1e-9)
    p = [
        min(1.0, tests * binomial_test(float(s), float(np.ceil(k)), 0.5)) if k >= FEWEST else 1.0
        for s, k in zip(side, of, strict=True)
    ]
    n_or_one = np.maximum(n, 1)
    return _Sizes(
        n, by(own) / n_or_one, by(others) / n_or_one, more, fewer, by((own - others) * (m - 1)),
        np.array(p),
    )  # fmt: skip


def _clearest(view: View) -> Finding | None:
    """The coder with most labels more than the others, or fewer; of two the one with more."""
    found = view.disputes
    if not view.counts.of_sets or found is None:
        return None
    x = _sizes(view)
    if x is None:
        return None
    apart = x.own - x.others
    n, back = np.maximum(x.more, x.fewer), np.minimum(x.more, x.fewer)
    clear = (x.p_value < LEVEL) & (np.abs(apart) >= CLEAR) & (n >= ONE_SIDED * back)
    clear &= (apart > 0) == (x.more > x.fewer)
    if view.counts.n_coders == 2:
        clear &= apart > 0
    for c in np.argsort(-np.abs(x.net), kind="stable").tolist():
        if clear[c] and _spread(view, c) >= 1 - ONE_LABEL:
            return _finding(view, x, c, found.n)
    return None


def _spread(view: View, c: int) -> float:
    """Share of a coder's further labels, or of those it leaves out, that are not one label."""
    counts = view.counts
    if counts.coder is None:
        return 0.0
    labels, members = held_labels(counts)
    mine = counts.coder == c
    row, value = counts.row[mine], counts.value[mine]
    net = np.zeros(len(labels))
    for k in range(len(labels)):
        given = counts.sum_entries(counts.n * members[counts.value, k])[row]
        net[k] = counts.times[row] @ (members[value, k] * counts.size[row] - given)
    net = np.clip(net * np.sign(net.sum()), 0, None)
    return float(1 - net.max() / net.sum()) if net.sum() else 0.0


def _finding(view: View, x: _Sizes, c: int, of: float) -> Finding:
    counts = view.counts
    coder, two = counts.coders[c], counts.n_coders == 2
    name, others = quoted(coder), others_of(view, coder) if two else "the others"
    stake = stake_of(view, min(1.0, abs(float(x.net[c])) / of) if of else 0.0)
    higher = bool(x.own[c] > x.others[c])
    more, fewer = ("more", "fewer") if higher else ("fewer", "more")
    n, back = (x.more[c], x.fewer[c]) if higher else (x.fewer[c], x.more[c])
    p = float(x.p_value[c])
    return Finding(
        "more_labels", severity_of(stake),
        f"{name} gives {decimal(float(x.own[c]), 1)} labels per item, {others} "
        f"{decimal(float(x.others[c]), 1)} on the same {count_of(x.n[c], 'item')}: {more} on "
        f"{n:,.0f}, and {fewer} on {back:,.0f} (exact sign test, {p_text(p)}).",
        "Say in the guideline when a further label is to be given: all that apply, or only the "
        "main ones, with examples from these items.",
        {"coder": coder, "own": float(x.own[c]), "others": float(x.others[c]),
         "more": float(x.more[c]), "fewer": float(x.fewer[c]), "p_value": p, "pairs": ()},
        ("mcnemar1947",), view.question, stake, "guideline",
        Evidence(
            _lines(view, x, c), "coder", "items with others", "share with more labels",
            "share with fewer labels", _items(view, c, higher),
        ),
        f"{name} gives {more} labels than {others}",
    )  # fmt: skip


def _lines(view: View, x: _Sizes, c: int) -> tuple[Contrast, ...]:
    """The coder, then those with most items."""
    rest = [k for k in np.argsort(-x.n, kind="stable").tolist() if k != c and x.n[k]]
    return tuple(
        Contrast(
            quoted(view.counts.coders[k]), int(x.n[k]), float(x.more[k] / x.n[k]),
            float(x.fewer[k] / x.n[k]),
        )
        for k in [c, *rest][:MOST_LINES]
    )  # fmt: skip


def _items(view: View, c: int, higher: bool) -> tuple[int, ...]:
    """Items to which the coder gave more labels than the others did, or fewer."""
    counts = view.counts
    if counts.coder is None:
        return ()
    size = np.array([len(labels_of(v)) for v in counts.values], float)[counts.value]
    mean = counts.sum_entries(size * counts.n)[counts.row] / counts.size[counts.row]
    found = (counts.coder == c) & ((size > mean) if higher else (size < mean))
    shown = np.zeros(counts.n_patterns, bool)
    shown[counts.row[found]] = True
    return items_of(counts, shown)
