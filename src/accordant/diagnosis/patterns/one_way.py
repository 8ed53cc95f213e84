"""One coder's category is another's: confusions that go one way, where accidents go both ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...measure.confusion import NO_FURTHER, Confusion
from ...measure.shares import holders
from ...numbers import count_of, how_often, p_text, percent
from ...scheme import Value
from ..disputes import Disputes, Mask
from ..exact_tests import sign_test
from ..finding import Contrast, Evidence, Finding
from ..view import View
from ..words import quoted
from .pair_lines import pair_name
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, MOST_LINES, items_of, severity_of
from .use import given_by

__all__ = ["FEWEST", "ONE_SIDED", "OneWay", "one_way", "one_ways"]

FEWEST = 6  # differences; with fewer a sign test cannot reach .05
ONE_SIDED = 2  # times as many one way as the other; our convention
MOST_TOLD = 5
HINT = 0.05  # level where there is a single test: two coders, two categories
ALWAYS = 0.8  # from here a category of one coder is another's; our convention


@dataclass(frozen=True)
class OneWay:
    """A coder gave ``first`` where others gave ``second``.

    ``n`` pairs of annotations say so, and ``back`` pairs the other way. ``hits`` of the ``of``
    items go this way, and ``expected`` would if coders were alike; ``p_value`` is corrected for
    the number of tests. ``other`` is the second coder if there are only two.
    """

    coder: str
    other: str | None
    first: Value
    second: Value
    n: float
    back: float
    hits: float
    of: float
    expected: float
    p_value: float


@pattern
def one_way(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Confusion in one direction.

    For each coder and each pair of categories: does the coder stand on one side of it more often
    than if coders were alike? Of two coders this is the exact sign test; of many the exact test
    of exchangeable coders. Corrected for the number of coders and pairs of categories. Two coders
    with two categories are a single test, so what is below .05 is told as a hint. ``left`` are
    the pairs (K, K) that have not been told.
    """
    found = view.disputes
    if found is None:
        return
    left = found.every if left is None else left
    every = one_ways(view)
    level = HINT if view.counts.n_coders == 2 and found.n_taken == 2 else LEVEL
    told: list[OneWay] = []
    for x in sorted(every, key=lambda x: (x.back - x.n, x.p_value)):
        pairs = [{t.first, t.second} for t in told]
        clear = x.p_value < level and x.n >= ONE_SIDED * x.back and x.n > x.back
        known = x.first in found.values and x.second in found.values
        if not clear or not known or {x.first, x.second} in pairs or len(told) == MOST_TOLD:
            continue
        if left[found.position(x.first), found.position(x.second)]:
            told.append(x)
            yield _finding(view, found, x, every)


def one_ways(view: View) -> list[OneWay]:
    """Every pair of categories that a coder and others cross on, in its more frequent direction.

    Examples
    --------
    >>> from accordant import diagnose, read
    >>> data = read([["a"] * 9, ["a"] * 2 + ["b"] * 7], coders_in="rows")
    >>> [(x.first, x.second, x.n, x.back) for x in one_ways(diagnose(data).pooled)]
    [('a', 'b', 7.0, 0.0)]
    """
    if view.counts.coder is None or view.counts.n_coders < 2:
        return []
    return _of_labels(view.confusions) if view.counts.of_sets else _of_values(view)


def _of_values(view: View) -> list[OneWay]:
    counts, x = view.counts, view.crossings
    if x is None:
        return []
    tests = max(1, int((x.of >= FEWEST).sum()))
    other = counts.coders[1] if counts.n_coders == 2 else None
    return [
        OneWay(
            counts.coders[x.coder[i]], other,
            counts.values[x.a[i]], counts.values[x.b[i]], float(x.n[i]), float(x.back[i]),
            float(x.hits[i]), float(x.of[i]), float(x.expected[i]),
            min(1.0, float(x.p_value[i]) * tests),
        )
        for i in np.flatnonzero(x.of >= FEWEST).tolist()
    ]  # fmt: skip


def _of_labels(tables: tuple[Confusion, ...]) -> list[OneWay]:
    """Of sets of labels: each pair of coders by itself."""
    found = []
    for table in tables:
        n = table.table
        for a, b in np.argwhere(np.triu(n + n.T >= FEWEST, 1)).tolist():
            a, b = (a, b) if n[a, b] >= n[b, a] else (b, a)
            of = float(n[a, b] + n[b, a])
            found.append(
                OneWay(
                    str(table.first), str(table.second), table.values[a], table.values[b],
                    float(n[a, b]), float(n[b, a]), float(n[a, b]), of, of / 2,
                    sign_test(n[a, b], n[b, a]),
                )
            )  # fmt: skip
    return [OneWay(**{**vars(x), "p_value": min(1.0, x.p_value * len(found))}) for x in found]


def _finding(view: View, found: Disputes, x: OneWay, every: list[OneWay]) -> Finding:
    a, b = found.position(x.first), found.position(x.second)
    excess = np.zeros_like(found.table)
    excess[a, b] = excess[b, a] = x.n - x.back
    stake = stake_of(view, found.at_stake(excess))
    same = _same(view, x)
    hint = x.p_value >= LEVEL
    told = _left_out(x) if NO_FURTHER in (x.first, x.second) else _sides_told(x)
    if same is not None and same.share >= ALWAYS:
        told += (
            f" Of the {count_of(same.of, 'item')} that are {quoted(same.own)} for {same.whose}, "
            f"{percent(same.share)} are {quoted(same.theirs)} for {same.others}."
        )
    told += _missing(view, x)
    if hint:
        told += " With so few differences this is a hint, not evidence."
    advice = (
        "Read these items, define the boundary between the two in the guideline, and have one "
        "of the coders decide them again. Random errors would go both ways, so probably "
        "only one of them follows a rule."
        if x.other is not None
        else f"Read these items with {quoted(x.coder)} and explain the boundary that the "
        "others draw; if the guideline does not have it, add it."
    )
    evidence = {
        "coder": x.coder, "other": x.other, "first": x.first, "second": x.second, "n": x.n,
        "back": x.back, "hits": x.hits, "of": x.of, "expected": x.expected, "p_value": x.p_value,
        "always": np.nan if same is None else same.share, "pairs": ((x.first, x.second),),
    }  # fmt: skip
    return Finding(
        "one_way", "note" if hint else severity_of(stake), told, advice, evidence,
        ("mcnemar1947",), view.question, stake,
        "guideline" if view.counts.n_coders == 2 else "coder",
        Evidence(
            _lines(x, every), f"categories of {x.coder} and {x.other or 'others'}",
            "items with this difference", "in this direction", "if coders were interchangeable",
            _items(view, x),
        ),
        _title(x),
    )  # fmt: skip


def _title(x: OneWay) -> str:
    other = "others" if x.other is None else quoted(x.other)
    if x.second == NO_FURTHER:
        return f"{quoted(x.coder)} gives {quoted(x.first)} where {other} leaves it out"
    if x.first == NO_FURTHER:
        return f"{other} gives {quoted(x.second)} where {quoted(x.coder)} leaves it out"
    gives = "give" if x.other is None else "gives"
    return f"{quoted(x.coder)} gives {quoted(x.first)} where {other} {gives} {quoted(x.second)}"


def _left_out(x: OneWay) -> str:
    """Of sets: one coder gives a label, the other none instead."""
    label = x.second if x.first == NO_FURTHER else x.first
    gives, lacks = quoted(x.coder), quoted(x.other)
    if x.first == NO_FURTHER:
        gives, lacks = lacks, gives
    return (
        f"{gives} gave {quoted(label)} {how_often(x.n)} where {lacks} left it out, and "
        f"{how_often(x.back)} vice versa (exact sign test, {p_text(x.p_value)})."
    )


def _sides_told(x: OneWay) -> str:
    """Who gave what where; of many coders item by item, for one item has many of their pairs."""
    coder, first, second = quoted(x.coder), quoted(x.first), quoted(x.second)
    if x.other is not None:
        return (
            f"{coder} gave {first} where {quoted(x.other)} gave {second} {how_often(x.n)}, and "
            f"{how_often(x.back)} vice versa (exact sign test, {p_text(x.p_value)})."
        )
    return (
        f"{coder} gave {first} where others gave {second} on {x.hits:,.0f} of "
        f"{count_of(x.of, 'item')} on which coders gave both; with interchangeable coders it would "
        f"be {x.expected:,.0f} (exact test, {p_text(x.p_value)})."
    )


@dataclass(frozen=True)
class _Same:
    """A category of one coder that is another one for others, on a share of its items."""

    whose: str
    own: Value
    others: str
    theirs: Value
    share: float
    of: float


def _same(view: View, x: OneWay) -> _Same | None:
    """How often the first category of the coder is the second of others, or the mirror image.

    Of many others it is that of more than half of them.
    """
    use = view.coders.labels
    if use is None or NO_FURTHER in (x.first, x.second):
        return None
    found = []
    for coder, own, other, theirs in _sides(x):
        of = float(use.shared[use.coders.index(coder), use.values.index(own)])
        n = x.hits if other is not None else _by_most(view, coder, own, theirs)
        others = "most of the others" if other is None else quoted(other)
        share = n / of if of else 0.0
        found.append(_Same(quoted(coder), own, others, theirs, share, of))
    return max(found, key=lambda same: same.share)


def _by_most(view: View, coder: str, own: Value, theirs: Value) -> float:
    """Items to which a coder gave one category, and more than half of the others another."""
    counts = view.counts
    entry = np.flatnonzero(given_by(counts, coder) & (counts.value == counts.values.index(own)))
    row = counts.row[entry]
    most = 2 * holders(counts, theirs)[row] > counts.size[row] - 1
    return float(counts.times[row] @ most)


def _sides(x: OneWay) -> list[tuple[str, Value, str | None, Value]]:
    """The confusion as the coder sees it, and as the other coder does if there is one."""
    sides: list[tuple[str, Value, str | None, Value]] = [(x.coder, x.first, x.other, x.second)]
    return sides if x.other is None else [*sides, (x.other, x.second, x.coder, x.first)]


def _missing(view: View, x: OneWay) -> str:
    """Whether the coder, or the other one, never gives what stands on the other side."""
    use = view.coders.labels
    if use is None or NO_FURTHER in (x.first, x.second):
        return ""
    for coder, _, _, theirs in _sides(x):
        if not use.shared[use.coders.index(coder), use.values.index(theirs)]:
            return f" {quoted(coder)} never gives {quoted(theirs)}."
    return ""


def _lines(x: OneWay, every: list[OneWay]) -> tuple[Contrast, ...]:
    """The pair of categories of the finding, then the others that the coder crosses on."""
    own = [y for y in every if y.coder == x.coder and y.other == x.other and y != x]
    own.sort(key=lambda y: -y.of)
    return tuple(
        Contrast(
            pair_name(y.first, y.second).replace(" or ", " for "), int(y.of), y.hits / y.of,
            y.expected / y.of,
        )
        for y in [x, *own][:MOST_LINES]
    )  # fmt: skip


def _items(view: View, x: OneWay) -> tuple[int, ...]:
    if x.other is not None:
        table = view.contingency(x.coder, x.other)
        return tuple(int(i) for i in table.items(x.first, x.second)[:MOST_ITEMS])
    counts, meetings = view.counts, view.met
    if meetings is None or counts.coder is None:
        return ()
    e = meetings.entry
    mine = counts.coder[e] == counts.coders.index(x.coder)
    mine &= counts.value[e] == counts.values.index(x.first)
    mine &= meetings.other == counts.values.index(x.second)
    shown = np.zeros(counts.n_patterns, bool)
    shown[counts.row[e[mine]]] = True
    return items_of(counts, shown)
