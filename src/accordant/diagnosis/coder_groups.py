"""Groups of coders who read items otherwise than the others, whatever the labels.

The agreement of each pair of coders on the items they share, less each item's own agreement and
less what the abilities of both make, is a table of which the leading eigenvalue is the statistic,
and its vector the division. The same table of annotations that the null draws says how large it
is without groups.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc

from ..arrays import Bools, Floats, Ints
from ..inference.exact_tests import exact_interval
from ..inference.item_patterns import Patterns
from ..inference.null import Null
from ..results import Record
from ..scheme import Value
from .coder_pairs import CoderPairs
from .finding import Finding

__all__ = ["CoderGroup", "Division", "clearest", "coder_groups", "divided"]

DRAWS, LEVEL = 99, 0.02
EQUAL, TWO = 0.05, 2
MOST_CELLS = 3_000_000  # of the annotations that are drawn at a time
LEAST_CODERS, MOST_CODERS = 4, 100
LEAST = 1e-7  # a move that explains no more than this is none


class Division(NamedTuple):
    """Two groups of coders, and how probable so clear a division is without groups.

    Parameters
    ----------
    coders, others : tuple of int
        The smaller group, and the larger.
    p_value : float
    within, between : float
        Agreement of two coders of one group, and of two from both.
    share : float
        Of all disagreement, what is there between the groups beyond that within.
    rise : float
        By how much observed agreement would rise without that.
    n_between : int
        Pairs of annotations of an item by coders of both groups.
    """

    coders: tuple[int, ...]
    others: tuple[int, ...]
    p_value: float
    within: float
    between: float
    share: float
    rise: float
    n_between: int


def divided(rows: Patterns, null: Null, *, ordinal: bool = False) -> Division | None:
    """The division of coders that the null does not make; None if there is none.

    On a scale (or of two values) members of a group must give equally high values: coders who draw
    the line each at a point of their own are no groups.

    Examples
    --------
    >>> from accordant.inference.null import fit_null
    >>> random = np.random.default_rng(1)
    >>> one, other = random.integers(0, 4, (2, 300, 1))
    >>> read = np.where(random.random((300, 1)) < 0.4, other, one)
    >>> grid = np.where(np.arange(6) < 3, one, read)
    >>> grid = np.where(random.random((300, 6)) < 0.1, random.integers(0, 4, (300, 6)), grid)
    >>> rows = Patterns.of_grid(grid, 4)
    >>> divided(rows, fit_null(rows, np.eye(4, dtype=bool))).coders
    (0, 1, 2)
    """
    if not rows.known or not LEAST_CODERS <= rows.n_coders <= MOST_CODERS:
        return None
    table = np.full((len(rows.weight), rows.n_coders), -1)
    table[rows.row, rows.coder] = rows.value
    excess, agreed, n = _excess(table, rows.weight, rows.n_values)
    value, group = _split(excess)
    if not 2 <= group.sum() <= len(group) - 2 or value < 2 * math.sqrt(len(group)):
        return None  # what pairs of coders without structure show (Wigner 1955)
    if (ordinal or rows.n_values == TWO) and not _equally_high(table, rows.weight, group):
        return None
    step = max(1, MOST_CELLS // max(1, len(rows.pattern) * rows.n_coders))
    more, drawn = 0, 0
    while drawn < DRAWS and more + 1 <= LEVEL * (DRAWS + 1):
        for grid in null.simulate(min(step, DRAWS - drawn), seed=drawn):
            more += _split(_excess(grid, np.ones(len(grid)), rows.n_values)[0])[0] >= value
            drawn += 1
    p = (1 + more) / (DRAWS + 1)
    if p > LEVEL:
        return None
    one, other = (np.flatnonzero(side & (n.sum(0) > 0)) for side in (group, ~group))
    small, large = sorted((one, other), key=lambda side: (len(side), side.tolist()))
    same = np.isin(np.arange(len(n)), small)
    same = np.equal.outer(same, same)
    within, between = (float(agreed[x].sum() / max(n[x].sum(), 1)) for x in (same, ~same))
    missing = max(within - between, 0) * float(n[~same].sum())
    share = missing / max(float((n - agreed).sum()), 1)
    rise = missing / max(float(n.sum()), 1)
    coders = tuple(small.tolist()), tuple(large.tolist())
    return Division(*coders, p, within, between, share, rise, round(float(n[~same].sum()) / 2))


def _equally_high(table: Ints, weight: Floats, group: Bools) -> bool:
    """Whether coders are above the others of their group no more than chance makes them."""
    apart = 0.0
    for side in (group, ~group):
        x, n = table[:, side], int(side.sum())
        here = x >= 0
        others = here.sum(1, keepdims=True) - here
        total = np.where(here, x, 0).sum(1, keepdims=True) - np.where(here, x, 0)
        w = weight[:, None] * (here & (others > 0))
        above = x - total / np.maximum(others, 1)
        size = np.maximum(w.sum(0), 1e-9)
        mean = (w * above).sum(0) / size
        spread = (w * (above - mean) ** 2).sum(0) / size**2
        apart += float((mean**2 / np.maximum(spread, 1e-12)).sum()) * (n - 1) / n
    return bool(chdtrc(len(group) - 2, apart) > EQUAL)


def clearest(rows: Patterns, found: Division) -> Floats:
    """(P,) how far the groups differ on an item beyond what they differ within; 0 where not."""
    each = []
    for side in (found.coders, found.others):
        own = np.isin(rows.coder, side)
        cells = rows.row[own] * rows.n_values + rows.value[own]
        given = np.bincount(cells, minlength=len(rows.weight) * rows.n_values)
        each.append(given.reshape(-1, rows.n_values).astype(float))
    one, other = each
    n, m = one.sum(1), other.sum(1)
    between = 1 - (one * other).sum(1) / np.maximum(n * m, 1)
    inside = sum(x.sum(1) ** 2 - (x**2).sum(1) for x in each)
    within = inside / np.maximum(n * (n - 1) + m * (m - 1), 1)
    return np.where((n > 0) & (m > 0), np.maximum(between - within, 0), 0)


def _excess(table: Ints, weight: Floats, k: int) -> tuple[Floats, Floats, Floats]:
    """(C, C) standardised excess of agreement, agreements, and common items of coders.

    Items (I, C) with their weights (I,). Ability is taken out twice: what coders add, and what they
    multiply, at most by the inverse of the mean agreement.
    """
    held = np.stack([table == v for v in range(k)], 2).astype(float)
    here = (table >= 0).astype(float)
    each, total = here.sum(1), held.sum(1)
    pairs = each * (each - 1)
    p = np.divide((total * (total - 1)).sum(1), pairs, out=np.zeros(len(each)), where=pairs > 0)
    flat = held.transpose(1, 0, 2).reshape(table.shape[1], -1)
    agreed = (flat * np.repeat(weight, k)) @ flat.T
    n, by_items, spread = (
        (here * (weight * x)[:, None]).T @ here for x in (np.ones(len(p)), p, p * (1 - p))
    )
    for x in (agreed, n, by_items, spread):
        np.fill_diagonal(x, 0)
    left = agreed - by_items
    own = np.zeros(len(left))
    for _ in range(200):
        new = (left - n * own).sum(1) / np.maximum(n.sum(1), 1)
        if np.abs(new - own).max() < 1e-9:
            break
        own = (own + new) / 2
    left = left - n * (own[:, None] + own)
    both = n * np.outer(own, own)
    for x in (left, both):
        np.fill_diagonal(x, 0)
    size = (both * both / np.maximum(spread, 1e-9)).sum()
    if size > 0:
        factor = (left * both / np.maximum(spread, 1e-9)).sum() / size
        left -= np.clip(factor, 0, n.sum() / max(by_items.sum(), 1e-9)) * both
    return left / np.sqrt(np.maximum(spread, 1e-9)), agreed, n


def _split(excess: Floats) -> tuple[float, Bools]:
    """The leading eigenvalue, and two groups: by its vector, then by one coder moved at a time."""
    values, vectors = np.linalg.eigh(excess)
    lead = np.round(vectors[:, -1], 9)
    order = np.sort(lead)
    ends = range(2, len(order) - 1)
    cost = [order[:i].var() * i + order[i:].var() * (len(order) - i) for i in ends]
    group = lead >= order[2 + int(np.argmin(cost))]
    while True:
        gain, place = _best_move(excess, group)
        if gain <= LEAST:
            return float(values[-1]), group
        group[place] = ~group[place]


def _best_move(excess: Floats, group: Bools) -> tuple[float, int]:
    """By how much more the means of the blocks explain if one coder changes the group, and who."""
    one, other = group.astype(float), 1.0 - group
    to_one, to_other = excess @ one, excess @ other
    inside, beside, between = one @ to_one, other @ to_other, one @ to_other
    n, m = one.sum(), other.sum()
    way = np.where(group, 1.0, -1.0)  # who leaves the first group, and who enters it
    moved = _explained(
        inside - 2 * way * to_one,
        beside + 2 * way * to_other,
        between + way * (to_one - to_other),
        n - way,
        m + way,
    )
    moved[(n - way < 2) | (m + way < 2)] = -np.inf
    place = int(np.argmax(np.round(moved, 9)))
    now = _explained(*(np.array([x]) for x in (inside, beside, between, n, m)))
    return float(moved[place] - now[0]), place


def _explained(inside: Floats, beside: Floats, between: Floats, n: Floats, m: Floats) -> Floats:
    """How much of the table the means of its blocks explain, from their sums and the sizes."""
    own = inside**2 / np.maximum(n * (n - 1), 1) + beside**2 / np.maximum(m * (m - 1), 1)
    return np.asarray(own + 2 * between**2 / np.maximum(n * m, 1))


# ------------------------------------------------------------------ as a table


@dataclass(frozen=True, eq=False)
class CoderGroup(Record):
    """Coders who read items alike, and otherwise than the others.

    Parameters
    ----------
    coder_group : int
        From 1; two for each finding.
    coders : tuple of str
    label, instead : Value or None
        What the group gives, and what the others give there; None where they differ about more.
    n_pairs : int
        Pairs of annotations of one item by two coders of the group.
    within, between : float
        Agreement of two of the group, and of one of them with one of the other group.
    low, high : float
        Exact interval of ``within``, as if it were of the mean number of common items: pairs of
        annotations of one item say less than as many items.
    """

    coder_group: int
    coders: tuple[str, ...]
    label: Value | None
    instead: Value | None
    n_pairs: int
    within: float
    low: float
    high: float
    between: float


def coder_groups(
    found: tuple[Finding, ...], pairs: CoderPairs, everybody: tuple[str, ...], level: float
) -> Iterator[CoderGroup]:
    """The groups that explain disagreement, two for each pair of labels."""
    n_groups = 0
    for one in found:
        if one.code not in ("coder_groups", "coder_division"):
            continue
        own: tuple[str, ...] = one.facts["coders"]
        other = tuple(c for c in everybody if c not in own)
        first, second = one.facts["first"], one.facts["second"]
        for who, rest, label, instead in ((own, other, first, second), (other, own, second, first)):
            n_groups += 1
            n, within, common = _agreement(pairs, list(combinations(who, 2)))
            _, between, _ = _agreement(pairs, list(product(who, rest)))
            low, high = math.nan, math.nan
            if n:
                ends = exact_interval([within * common], [common], level)
                low, high = (float(x[0]) for x in ends)
            yield CoderGroup(n_groups, who, label, instead, n, within, low, high, between)


def _agreement(pairs: CoderPairs, chosen: list[tuple[str, str]]) -> tuple[int, float, float]:
    """How many pairs of annotations, their agreement, and the mean number of common items."""
    place = {name: k for k, name in enumerate(pairs.coders)}
    at = [(place[a], place[b]) for a, b in chosen if a in place and b in place]
    if not at:
        return 0, math.nan, math.nan
    a, b = np.array(at).T
    n, share = pairs.n_common[a, b], np.nan_to_num(pairs.percent[a, b])
    total = float(n.sum())
    return int(total), float(n @ share / total) if total else math.nan, float(n.mean())
