"""Blocks of categories: within one all are taken for one another, as in a scheme of families."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ...actions import Action
from ...counts.tables import positions_of
from ...numbers import count_of, percent
from ..disputes import Disputes, Mask, at_least
from ..finding import Contrast, Evidence, Finding
from ..view import View
from ..words import label_text, listed
from .confusions import LIFT, Pair, confused_pairs
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, MOST_LINES, severity_of

__all__ = ["blocks", "confused_block"]

FEWEST = 3  # categories
DENSE = 0.75  # of its pairs are disputed as often as by chance or more; our convention
STRONGEST = 0.6  # of its disputes are one pair's: then that pair is what is told
MOSTLY = 0.5  # of the disputes of its categories are within


@pattern
def confused_block(view: View, left: Mask | None = None) -> Iterator[Finding]:
    """Groups of categories confused.

    Several confused pairs (as in `confused_pair`) that hang together are a block of three
    categories or more if nearly all of its pairs are disputed at least as often as by chance, no
    single pair explains it, and most disputes of its categories stay within. ``left`` are the
    pairs (K, K) that have not been told.
    """
    found = view.disputes
    if found is None or (found.kind[: found.n_taken, : found.n_taken] > 0).any():
        return  # neighbours on a scale hang together anyway
    left = found.every if left is None else left
    every = blocks(found, left, confused_pairs(found, left))
    if every:
        yield _finding(view, found, every)


def blocks(found: Disputes, left: Mask, pairs: list[Pair]) -> list[tuple[int, ...]]:
    """Positions of the categories of each block, that with most disputes first."""
    taken: set[int] = set()
    told = []
    for start in _components(pairs, found.n_taken):
        block = _grown(found, left, start, taken)
        if _is_block(found, left, block):
            taken.update(block)
            told.append(tuple(sorted(block)))
    return sorted(told, key=lambda x: -_within(found.votes, x))


def _components(pairs: list[Pair], n_taken: int) -> list[set[int]]:
    """Categories that hang together by two pairs or more."""
    parts: list[set[int]] = []
    for pair in pairs:
        own = {pair.a, pair.b}
        if max(own) >= n_taken:
            continue
        for part in [x for x in parts if x & own]:
            parts.remove(part)
            own |= part
        parts.append(own)
    return [x for x in parts if len(x) >= FEWEST]


def _grown(found: Disputes, left: Mask, block: set[int], taken: set[int]) -> set[int]:
    """The block with all categories that are disputed with it more than by chance."""
    votes, total = found.votes * left, float(np.triu(found.votes * left, 1).sum())
    expected = found.expected(left)
    while True:
        inside = sorted(block)
        rest = [c for c in range(found.n_taken) if c not in block | taken]
        own, chance = votes[np.ix_(rest, inside)].sum(1), expected[np.ix_(rest, inside)].sum(1)
        p = at_least(own, total, chance) * max(1, len(rest))
        excess = np.where((p < LEVEL) & (own >= LIFT * chance * total), own - chance * total, 0)
        if not len(rest) or not excess.max() > 0:
            return block
        block = block | {rest[int(excess.argmax())]}


def _is_block(found: Disputes, left: Mask, block: set[int]) -> bool:
    if not FEWEST <= len(block) < found.n_taken:
        return False
    inside = sorted(block)
    a, b = np.array(list(combinations(inside, 2))).T
    votes, total = found.votes[a, b], float(np.triu(found.votes * left, 1).sum())
    within = float(votes.sum())
    of_its = float((found.votes * left)[inside].sum()) - within  # a pair within counts once
    return bool(
        left[a, b].all()
        and (votes >= found.expected(left)[a, b] * total).mean() >= DENSE
        and votes.max() <= STRONGEST * within
        and within >= MOSTLY * of_its
    )


def _within(
    table: np.ndarray[tuple[int, int], np.dtype[np.float64]], block: tuple[int, ...]
) -> float:
    return float(np.triu(table[np.ix_(block, block)], 1).sum())


def _finding(view: View, found: Disputes, every: list[tuple[int, ...]]) -> Finding:
    expected = found.expected(found.every)
    n = sum(_within(found.table, x) for x in every)
    chance = min(1.0, sum(_within(expected, x) for x in every))
    excess = np.zeros_like(found.table)
    for x in every:
        cells = np.ix_(x, x)
        excess[cells] = np.maximum(0, found.table - expected * found.n)[cells] * found.every[cells]
    stake = stake_of(view, found.at_stake(excess))
    names = [[found.values[k] for k in x] for x in every]
    family = "one group" if len(every) == 1 else f"{len(every)} groups"
    told = "; ".join(listed(x, most=8) for x in names)
    spec = "|".join(",".join(map(label_text, x)) for x in names)
    return Finding(
        "confused_block", severity_of(stake),
        f"{n:,.0f} of {count_of(found.n, 'disagreement')} ({percent(n / found.n)}) are within "
        f"{family} of categories that are confused with one another: {told}. Chance would give "
        f"{percent(chance)}.",
        "Measure agreement on the groups and within them. If only agreement on the groups is good, "
        "report both, and add rules that distinguish the members, or code the groups first.",
        {"categories": tuple(map(tuple, names)), "partition": spec, "n": n, "of": found.n,
         "expected": chance,
         "pairs": tuple(pair for x in names for pair in combinations(x, 2))},
        ("levi2022", "artstein2008"), view.question, stake, "categories",
        Evidence(
            tuple(
                Contrast(
                    listed(names[i], most=4), int(_within(found.table, x)),
                    _within(found.table, x) / found.n, _within(expected, x),
                )
                for i, x in enumerate(every[:MOST_LINES])
            ),
            "group", "disagreements within", "share of the disagreements", "by chance",
            _items(view, found, every),
        ),
        f"{listed(names[0], most=4)} confused" if len(every) == 1
        else f"Categories confused within {len(every)} groups",
        (Action("decompose", {"by": spec}, "agreement on the groups and within them"),),
    )  # fmt: skip


def _items(view: View, found: Disputes, every: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Items disputed within a family, those of the most frequent pairs first."""
    table = view.confusion
    if table is None:
        return ()
    pairs = sorted(
        (pair for x in every for pair in combinations(x, 2)), key=lambda x: -found.table[x]
    )[:MOST_LINES]
    at = [[table.values.index(found.values[i]) for i in x] for x in pairs]
    shown = np.concatenate([np.flatnonzero(table.patterns(i, j)) for i, j in at])
    patterns = np.array(list(dict.fromkeys(shown.tolist())), int)
    return tuple(positions_of(view.counts, patterns, MOST_ITEMS).tolist())
