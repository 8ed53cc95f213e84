"""Ordered numbers treated as nominal: neighbours disagree by a scale, not by confusion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...actions import Action
from ...counts.tables import positions_of
from ...numbers import count_of, p_text, percent
from ...scheme import Value, number
from ..disputes import Disputes, Mask, at_least
from ..finding import Evidence, Finding
from ..view import View
from ..words import label_text
from .pair_lines import pair_lines
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, severity_of

__all__ = ["neighbours", "numbered"]

FEWEST = 4  # numbers; three have only one pair that is no neighbour
LIFT = 1.25  # times chance: of four numbers half of the pairs are neighbours. Our convention
AGAIN = 0.05  # level without the strongest pair, so that one confused pair is not a scale


@pattern
def neighbours(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Ordered numbers treated as nominal.

    Where all categories of a nominal scheme are numbers, the disputes between neighbouring numbers
    are compared with chance (as for `confused_pair`), with the strongest pair and without it.
    ``left`` are the pairs (K, K) that have not been told.
    """
    found = view.disputes
    if found is None or view.scheme.scale != "nominal" or found.of_labels:
        return
    if found.n_taken < FEWEST or not numbered(found.values):
        return
    left = found.every if left is None else left
    near = _near(found) & left
    share, chance, p = _of(found, left, near)
    strongest = np.unravel_index(int((found.votes * near).argmax()), near.shape)
    rest, i, j = left.copy(), int(strongest[0]), int(strongest[1])
    rest[i, j] = rest[j, i] = False
    if p >= LEVEL or share < LIFT * chance or _of(found, rest, near & rest)[2] >= AGAIN:
        return
    yield _finding(view, found, near, chance, p)


def numbered(values: Iterable[Value]) -> bool:
    """Whether all values are numbers.

    Examples
    --------
    >>> numbered([1, "2"]), numbered(["a", 1]), numbered([("a",)])
    (True, False, False)
    """
    return all(not isinstance(v, tuple) and number(v) is not None for v in values)


def _near(found: Disputes) -> Mask:
    """(K, K) the pairs of numbers between which no other used one lies."""
    order = _in_order(found)
    near = np.zeros_like(found.every)
    near[order[:-1], order[1:]] = near[order[1:], order[:-1]] = True
    return near


def _in_order(found: Disputes) -> NDArray[np.integer[Any]]:
    """(K,) positions of the numbers, from low to high."""
    return np.argsort([number(v) for v in found.values], kind="stable")  # type: ignore[arg-type]


def _of(found: Disputes, left: Mask, near: Mask) -> tuple[float, float, float]:
    """Share of the disputes between neighbours, by chance, and the p-value of more."""
    total = float((found.votes * left).sum()) / 2
    own = float((found.votes * near).sum()) / 2
    chance = float((found.nulls(left) * near).sum((1, 2)).max()) / 2
    return own / total if total else 0.0, chance, float(at_least(own, total, chance))


def _finding(view: View, found: Disputes, near: Mask, chance: float, p: float) -> Finding:
    n = float((found.table * near).sum()) / 2
    excess = found.table * near * max(0.0, 1 - chance * found.n / n)
    stake = stake_of(view, found.at_stake(excess))
    pairs = np.argwhere(np.triu(near)).tolist()
    low, *_, high = (found.values[k] for k in _in_order(found))
    name = view.question
    return Finding(
        "neighbours", severity_of(stake),
        f"{n:,.0f} of {count_of(found.n, 'disagreement')} are between neighbouring numbers; "
        f"on a nominal scale, each counts as much as {label_text(low)} against {label_text(high)}. "
        f"That is {percent(n / found.n)}, where chance would give {percent(chance)} (exact "
        f"binomial test on items, {p_text(p)}).",
        "Decide by the guideline, not by the result, whether the numbers are ordered. If they "
        "are, use an ordinal scale: a disagreement between neighbours then counts less than one "
        "between the ends of the scale.",
        {"n": n, "of": found.n, "expected": chance, "p_value": p,
         "pairs": tuple((found.values[i], found.values[j]) for i, j in pairs)},
        ("artstein2008",), view.question, stake, "categories",
        Evidence(
            pair_lines(found, near), "pair of neighbours", "disagreements",
            "share of the disagreements", "by chance", _items(view, pairs, found),
        ),
        "Ordered numbers treated as nominal",
        (Action("report", {"scale": "ordinal" if name is None else {name: "ordinal"}},
                "ordinal scale"),),
    )  # fmt: skip


def _items(view: View, pairs: list[list[int]], found: Disputes) -> tuple[int, ...]:
    """Items on which neighbours meet, those of the most frequent pair first."""
    table = view.confusion
    if table is None:
        return ()
    pairs = sorted(pairs, key=lambda x: -found.table[x[0], x[1]])[:3]
    at = [[table.values.index(found.values[i]) for i in x] for x in pairs]
    shown = np.concatenate([np.flatnonzero(table.patterns(i, j)) for i, j in at])
    patterns = np.array(list(dict.fromkeys(shown.tolist())), int)
    return tuple(positions_of(view.counts, patterns, MOST_ITEMS).tolist())
