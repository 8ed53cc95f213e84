"""More than two levels: chains of ever finer partitions.

Observed and expected disagreement both add up over levels, so that each level has a share of them
and a coefficient of its own, and these make up the coefficient of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..numbers import joined
from .closed_forms import ClosedForm, closed_form
from .null import null_states, why_no_null
from .partition import Partition
from .states import States

__all__ = [
    "LEAST", "WHICH", "Chain", "Level", "chain", "conditional", "drawn_by_chance", "mean_of_pairs",
    "ratio", "slip_tables",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST = 1e-12  # a smaller share of expected disagreement is rounding
WHICH = "which value"


@dataclass(frozen=True, eq=False)
class Level:
    """What one level of a chain, or one split of a tree, adds.

    G pairs of coders. Pairs that never differ, or could not by chance, are NaN and left out of
    means.

    Parameters
    ----------
    rule : str
        What it asks.
    n_blocks : int
        How many blocks there are from this level on; of a split, how many parts.
    explained_by_pair, chance_by_pair : ndarray
        (G,) its share of observed, and of expected disagreement. Over all levels they sum to 1.
    slips_by_pair : ndarray
        (G,) its share of the disagreement that there would be if labels were mistaken independently
        of each other; NaN for categories. They sum to 1 too.
    coefficient_by_pair : ndarray
        (G,) 1 − (what it adds to observed disagreement) / (what it adds to expected disagreement),
        over all items. Weighted by ``chance`` these sum to the coefficient of the whole.
    conditional_by_pair : ndarray
        (G,) the coefficient over the blocks of this level among the items that the level before
        puts in the same block, with the margins of these items: what Levi & Shenhav (2022, section
        3.1) do on the second level.
    n_by_pair : ndarray
        (G,) these items.
    """

    rule: str
    n_blocks: int
    explained_by_pair: Floats
    chance_by_pair: Floats
    slips_by_pair: Floats
    coefficient_by_pair: Floats
    conditional_by_pair: Floats
    n_by_pair: Floats

    @property
    def explained(self) -> float:
        """The mean over the pairs of coders, as are the following."""
        return mean_of_pairs(self.explained_by_pair)

    @property
    def chance(self) -> float:
        """Share of expected disagreement."""
        return mean_of_pairs(self.chance_by_pair)

    @property
    def lift(self) -> float:
        """Explained / chance: above 1 disagreement is denser here than chance would make it."""
        return self.explained / self.chance if self.chance > LEAST else float("nan")

    @property
    def excess(self) -> float:
        """Explained − chance."""
        return self.explained - self.chance

    @property
    def explained_by_slips(self) -> float:
        """Share of the disagreement of independent slips."""
        return mean_of_pairs(self.slips_by_pair)

    @property
    def beyond_slips(self) -> float:
        """Explained − explained by slips; NaN for categories."""
        return self.explained - self.explained_by_slips

    @property
    def coefficient(self) -> float:
        """Over all items."""
        return mean_of_pairs(self.coefficient_by_pair)

    @property
    def conditional(self) -> float:
        """Among the items that the level before puts in the same block."""
        return mean_of_pairs(self.conditional_by_pair)


@dataclass(frozen=True, eq=False)
class Chain:
    """Levels from coarse to fine, the last of which tells every value from every other.

    Parameters
    ----------
    states : States
    coefficient : str
    blocks : ndarray of int
        (D, C) the block of each state on each level.
    levels : tuple of Level
        (D,)
    total_by_pair : ndarray
        (G,) the coefficient over all values.
    """

    states: States
    coefficient: str
    blocks: Ints
    levels: tuple[Level, ...]
    total_by_pair: Floats

    @property
    def total(self) -> float:
        """The mean of `total_by_pair`."""
        return mean_of_pairs(self.total_by_pair)


def chain(states: States, partitions: Sequence[Partition], coefficient: str = "kappa") -> Chain:
    """A chain of partitions, each of which refines the one before.

    With D and E the observed and expected disagreement on the blocks of a level, and d its number,

        κ_total = Σ_d w_d κ_d,   κ_d = 1 − ΔD_d / ΔE_d,   w_d = ΔE_d / E_total,

    exactly, since both sums telescope. A last level that asks for the value itself is added if the
    last partition does not tell all values apart.

    Parameters
    ----------
    states : States
    partitions : sequence of Partition
        The coarsest first.
    coefficient : str
        ``'percent'``, ``'s'``, ``'pi'``, ``'kappa'``, ``'alpha'`` or ``'ac'``.

    Raises
    ------
    RequestError
        If a partition does not refine the one before, or there is none.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.rules import partition_of
    >>> from accordant.decomposition.states import states
    >>> found = states(count(read([["a", "a", "b", "c", "c"], ["a", "b", "b", "c", "b"]])))
    >>> levels = chain(found, [partition_of("c", found.values)]).levels
    >>> [(level.rule, level.explained) for level in levels]
    [('c', 0.5), ('which value', 0.5)]
    """
    if not partitions:
        raise RequestError("a chain has no level: give one partition or more")
    rules = [partition.rule for partition in partitions]
    blocks = [_numbered(partition.of(states.values)) for partition in partitions]
    for earlier, later, before, rule in zip(blocks, blocks[1:], rules, rules[1:], strict=False):
        _refines(states, earlier, later, before, rule)
    finest = np.arange(states.n_states)
    if blocks[-1].max(initial=-1) + 1 < states.n_states:
        blocks.append(finest)
        rules.append(WHICH)
    whole = np.zeros(states.n_states, np.int64)
    form = closed_form(coefficient)
    observed, expected = _disagreement(states, form, [whole, *blocks])
    by_slips = replace(states, tables=slip_tables(states))
    slips = _disagreement(by_slips, form, [whole, *blocks])[0]
    total = [ratio(o, e) for o, e in zip(observed[:, -1], expected[:, -1], strict=True)]
    levels = []
    for d, (rule, block) in enumerate(zip(rules, blocks, strict=True)):
        above = [whole, *blocks][d]
        of = [
            (
                ratio(o[d + 1] - o[d], o[-1]),
                ratio(e[d + 1] - e[d], e[-1]),
                ratio(s[d + 1] - s[d], s[-1]),
                1 - ratio(o[d + 1] - o[d], e[d + 1] - e[d]),
                *conditional(table, above, block, form),
            )
            for table, o, e, s in zip(states.tables, observed, expected, slips, strict=True)
        ]
        by_pair = np.array(of, float).reshape(-1, 6).T
        levels.append(Level(rule, int(block.max(initial=-1)) + 1, *by_pair))
    return Chain(states, form.key, np.array(blocks), tuple(levels), 1 - np.array(total))


def _disagreement(
    states: States, form: ClosedForm, blocks: Sequence[Ints]
) -> tuple[Floats, Floats]:
    """(G, D) observed and expected disagreement on the blocks of each level; 0 on one block."""
    observed, expected = np.zeros((2, len(states.pairs), len(blocks)))
    for g, table in enumerate(states.tables):
        n, drawn = max(float(table.sum()), 1e-300), drawn_by_chance(table, form.own)
        for d, block in enumerate(blocks):
            k, parted = int(block.max(initial=-1)) + 1, block[:, None] != block
            if k > 1:
                observed[g, d] = table[parted].sum() / n
                expected[g, d] = form.expected(drawn[parted].sum()[None], n, k)[0]
    return observed, expected


def _refines(states: States, earlier: Ints, later: Ints, before: str, rule: str) -> None:
    """Raise an error that names two values which a later level puts together again."""
    for block in range(int(later.max(initial=-1)) + 1):
        inside = np.flatnonzero(later == block)
        apart = inside[earlier[inside] != earlier[inside[0]]]
        if len(apart):
            two = joined(repr(states.name(states.values[c])) for c in (inside[0], apart[0]))
            raise RequestError(
                f"level {rule!r} puts {two} together, which the level before, {before!r}, keeps "
                "apart: each level of a chain has to divide the blocks of the level before it"
            )


def _numbered(block: Ints) -> Ints:
    """Blocks numbered from 0 on, by their first state."""
    _, first, inverse = np.unique(block, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse], np.int64)


def slip_tables(states: States) -> Floats:
    """(G, C, C) the tables of independent slips in the labels; NaN for categories."""
    if why_no_null(states):
        return np.full_like(states.tables, np.nan)
    return null_states(states).tables


def drawn_by_chance(table: Floats, own: bool) -> Floats:
    """(C, C) distribution of two independent draws from the margins of two coders.

    ``own``: each from its own margins; else both from those that they share.
    """
    n = max(float(table.sum()), 1e-300)
    p, q = table.sum(1) / n, table.sum(0) / n
    if not own:
        p = q = (p + q) / 2
    return np.asarray(p[:, None] * q)


def conditional(table: Floats, before: Ints, block: Ints, form: ClosedForm) -> tuple[float, float]:
    """The coefficient over blocks among the items whose values are together before; how many.

    Parameters
    ----------
    table : ndarray
        (C, C)
    before, block : ndarray of int
        (C,) the block of each state on the level before, and on this; −1 before leaves states out.
    """
    together = (before[:, None] == before) & (before[:, None] >= 0)
    inside = np.where(together, table, 0)
    n = float(inside.sum())
    held = [block == b for b in np.unique(block[before >= 0])]
    if not n or len(held) < 2:
        return np.nan, n
    r = np.array([inside[b].sum() for b in held]) / n
    c = np.array([inside[:, b].sum() for b in held]) / n
    if not form.own:
        r = c = (r + c) / 2
    differ = inside[block[:, None] != block].sum() / n
    value, known = form.value(np.array([differ]), np.array([1 - r @ c]), n, len(held))
    return (float(value[0]) if known[0] else np.nan), n


def ratio(part: float, whole: float) -> float:
    """A share; NaN of nothing."""
    return float(part / whole) if whole > LEAST else np.nan


def mean_of_pairs(by_pair: Floats) -> float:
    """The mean over the pairs of coders that have a value; NaN if none has."""
    known = by_pair[~np.isnan(by_pair)]
    return float(known.mean()) if len(known) else float("nan")
