"""Blocks that are split one by one: trees of any depth, that of a hierarchy, and the best one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..scheme import Label
from .chains import (
    LEAST,
    WHICH,
    Level,
    conditional,
    drawn_by_chance,
    mean_of_pairs,
    ratio,
    slip_tables,
)  # fmt: skip
from .closed_forms import ClosedForm, closed_form
from .ground import Ground, ground_of
from .hierarchy import Hierarchy
from .naming import named_on, short_rule
from .states import States

__all__ = ["ADDITIVE", "MOST_STATES", "Node", "Tree", "best_tree", "tree", "tree_of_hierarchy"]

Floats = NDArray[np.float64]
Nested: TypeAlias = int | Sequence["Nested"]
Names: TypeAlias = Mapping[tuple[int, ...], str]

ADDITIVE = ("pi", "kappa", "alpha")
"""Coefficients whose expected disagreement is a sum over pairs of values."""

MOST_STATES = 12
"""Of a best tree: each state more takes three times as long."""


@dataclass(frozen=True, eq=False)
class Node:
    """States that are together so far, and how they are split.

    Parameters
    ----------
    name : str
        What these states are called, within those of the node above.
    states : tuple of int
        Places of the states.
    parts : tuple of Node
        The nodes below; none for a single state, or where the tree ends.
    split : Level or None
        What the split into these parts adds.
    """

    name: str
    states: tuple[int, ...]
    parts: tuple[Node, ...]
    split: Level | None

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Node]]:
        """(depth, node) of itself and all below, from the top, depth first."""
        yield depth, self
        for part in self.parts:
            yield from part.walk(depth + 1)


@dataclass(frozen=True, eq=False)
class Tree:
    """States split block by block.

    Parameters
    ----------
    states : States
    coefficient : str
    root : Node
    total_by_pair : ndarray
        (G,) the coefficient over all values.
    """

    states: States
    coefficient: str
    root: Node
    total_by_pair: Floats

    @property
    def total(self) -> float:
        """The mean of `total_by_pair`."""
        return mean_of_pairs(self.total_by_pair)

    @property
    def splits(self) -> tuple[Level, ...]:
        """Every split, from the top, depth first."""
        return tuple(node.split for _, node in self.root.walk() if node.split is not None)


def tree(
    states: States, nested: Nested, coefficient: str = "kappa", names: Names | None = None
) -> Tree:
    """States split as nested sequences say: ``[[0, 1], [2, [3, 4]]]``.

    Any two states are parted by just one split, so observed and expected disagreement are sums over
    the splits, and the coefficient is their mean weighted by ``chance``, as in `chain`.

    Parameters
    ----------
    states : States
    nested : sequence
        Places of states, each once. A sequence of states is split into single states.
    coefficient : str
        ``'pi'``, ``'kappa'`` or ``'alpha'``, whose expected disagreement is such a sum.
    names : mapping, optional
        What to call some sets of places; the others have the shortest rule as name.

    Raises
    ------
    RequestError
        If a state is missing or there twice, or the coefficient does not fit.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> found = states(count(read([["a", "a", "b", "c", "c"], ["a", "b", "b", "c", "b"]])))
    >>> for depth, node in tree(found, [[0, 1], 2]).root.walk():
    ...     if node.split:
    ...         print("  " * depth + node.split.rule, node.split.explained)
    c 0.5
      a 0.5
    """
    form = _additive(coefficient)
    places = _leaves(nested)
    if sorted(places) != list(range(states.n_states)):
        raise RequestError(f"a tree has to hold each of the {states.n_states} values once")
    drawn = [drawn_by_chance(m, form.own) for m in states.tables]
    slips = slip_tables(states)
    ground = ground_of(states.values, states.labels)

    def grow(part: Nested, name: str) -> Node:
        inside = tuple(sorted(_leaves(part)))
        if isinstance(part, int) or len(inside) < 2:
            return Node(name, inside, (), None)
        if len(part) == 1:  # a group of one group
            return grow(part[0], name)
        held = [tuple(sorted(_leaves(below))) for below in part]
        rule, called = _called(held, ground, names or {})
        level = _split(states, form, drawn, slips, rule, held)
        return Node(name, inside, tuple(map(grow, part, called)), level)

    total = tuple(range(states.n_states))
    whole = _split(states, form, drawn, slips, WHICH, [(c,) for c in total]).coefficient_by_pair
    return Tree(states, form.key, grow(nested, "all values"), whole)


def tree_of_hierarchy(states: States, hierarchy: Hierarchy, coefficient: str = "kappa") -> Tree:
    """Each group of a hierarchy of categories split into the groups and categories below it.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.hierarchy import hierarchy_of
    >>> from accordant.decomposition.states import states
    >>> rows = [["x.a", "x.a", "x.b", "y.c", "y.c"], ["x.a", "x.b", "x.b", "y.c", "x.b"]]
    >>> found = states(count(read(rows)))
    >>> by_group = tree_of_hierarchy(found, hierarchy_of(found.values, "."))
    >>> [(split.rule, split.explained) for split in by_group.splits]
    [('x | y.c', 0.5), ('x.a', 0.5)]
    """
    if states.of_sets:
        raise RequestError(
            "values are sets of labels; a hierarchy of categories gives no tree of them"
        )
    categories: list[Label] = [v for v in states.values if not isinstance(v, tuple)]
    names: dict[tuple[int, ...], str] = {}

    def below(places: list[int], level: int) -> Nested:
        groups: dict[tuple[bool, str], list[int]] = {}
        for c in places:
            path = hierarchy.path(categories[c])
            groups.setdefault(
                (level < len(path), hierarchy.group(categories[c], level + 1)), []
            ).append(c)
        found: list[Nested] = []
        for (is_group, name), inside in groups.items():
            if is_group and len(inside) > 1:
                names.setdefault(tuple(inside), name)
            found.append(below(inside, level + 1) if is_group and len(inside) > 1 else inside[0])
        return found if len(found) > 1 else found[0]

    return tree(states, below(list(range(states.n_states)), 0), coefficient, names)


def best_tree(
    states: States,
    criterion: str = "excess",
    discount: float = 0.5,
    coefficient: str = "kappa",
) -> Tree:
    """The binary tree that settles most as early as possible, of all there are.

    Each split counts by its excess (or the share that it explains), times the discount for every
    level above it. Over a whole tree these shares sum to the same, so a discount of 1 would tell no
    tree from another. Found by looking at every way to split every set of states, O(3^C).

    Parameters
    ----------
    states : States
        At most 12 states.
    criterion : {'excess', 'explained'}
    discount : float
        Above 0 and below 1.
    coefficient : str
        As for `tree`.

    Raises
    ------
    RequestError
        If there are too many states, or no such criterion.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.states import states
    >>> found = states(count(read([["a", "a", "b", "c", "c"], ["a", "b", "b", "c", "c"]])))
    >>> best_tree(found, "explained").splits[0].explained
    1.0
    """
    n = states.n_states
    if n > MOST_STATES:
        raise RequestError(
            f"the best tree of {n} values has too many ways to go (at most {MOST_STATES} values): "
            "look at the best single partition first, or merge rare values"
        )
    if criterion not in ("excess", "explained"):
        raise RequestError(
            f"unknown criterion {criterion!r} of a tree: choose from excess, explained"
        )
    if not 0 < discount < 1:
        raise RequestError(f"discount={discount}: give a number above 0 and below 1")
    form = _additive(coefficient)
    worth, used = np.zeros((n, n)), 0
    for table in states.tables:
        drawn = drawn_by_chance(table, form.own)
        differ, by_chance = table.sum() - np.trace(table), drawn.sum() - np.trace(drawn)
        if differ > 0 and by_chance > LEAST:
            used += 1
            worth += table / differ - (drawn / by_chance if criterion == "excess" else 0)
    nested = _best(worth / max(used, 1), discount)
    return tree(states, nested, coefficient)


def _best(worth: Floats, discount: float) -> Nested:
    """The nested places of the best tree, where parting i and j is worth ``worth[i, j]``."""
    n = len(worth)
    both = worth + worth.T
    np.fill_diagonal(both, 0)
    inside = np.zeros(1)  # what all pairs within a set are worth, set by set
    toward = np.zeros((1, n))  # and what one more state adds
    for c in range(n):
        inside = np.concatenate([inside, inside + toward[:, c]])
        toward = np.concatenate([toward, toward + both[c]])
    value, chosen = np.zeros(2**n), np.zeros(2**n, np.int64)
    for whole in range(1, 2**n):
        first = whole & -whole
        rest = whole ^ first
        if not rest:
            continue
        some = np.zeros(1, np.int64)  # what joins the first state, short of all
        while rest:
            bit = rest & -rest
            rest ^= bit
            some = np.concatenate([some, some | bit])
        one = some[:-1] | first
        other = whole ^ one
        gain = inside[whole] - inside[one] - inside[other] + discount * (value[one] + value[other])
        best = int(np.argmax(np.round(gain, 12)))
        value[whole], chosen[whole] = gain[best], one[best]

    def grow(whole: int) -> Nested:
        one = int(chosen[whole])
        return [grow(one), grow(whole ^ one)] if one else whole.bit_length() - 1

    return grow(2**n - 1)


# ---------------------------------------------------------------------- how it is worked out


def _additive(coefficient: str) -> ClosedForm:
    form = closed_form(coefficient)
    if form.key not in ADDITIVE:
        raise RequestError(
            f"expected disagreement of {coefficient!r} is no sum over the splits of a tree: "
            f"choose from {', '.join(ADDITIVE)}"
        )
    return form


def _leaves(nested: Nested) -> list[int]:
    if isinstance(nested, (int, np.integer)):
        return [int(nested)]
    return [place for part in nested for place in _leaves(part)]


def _called(held: list[tuple[int, ...]], ground: Ground, names: Names) -> tuple[str, list[str]]:
    """The rule of a split and the names of its parts, among the states that are split."""
    all_of = sorted(c for part in held for c in part)
    of = ground_of([ground.values[c] for c in all_of], ground.labels)
    sides = [np.isin(all_of, part) for part in held]
    if len(held) == 2 and not any(part in names for part in held):
        found = named_on(sides[0], of)
        same = ground.values[held[0][0]] in found.blocks[0]
        return found.rule, list(found.names if same else found.names[::-1])
    called = [
        names[p] if p in names else short_rule(s, of) for p, s in zip(held, sides, strict=True)
    ]
    return " | ".join(called), called


def _split(
    states: States,
    form: ClosedForm,
    drawn: list[Floats],
    slips: Floats,
    rule: str,
    held: list[tuple[int, ...]],
) -> Level:
    """What parting these sets of places adds."""
    block = np.full(states.n_states, -1)
    for b, part in enumerate(held):
        block[list(part)] = b
    inside = block >= 0
    parted = (block[:, None] != block) & inside[:, None] & inside
    rows = []
    for table, chance, slip in zip(states.tables, drawn, slips, strict=True):
        n = max(float(table.sum()), 1e-300)
        scale = float(form.expected(np.ones(1), n, states.n_states)[0])
        expected = scale * chance[parted].sum()
        rows.append((
            ratio(table[parted].sum(), table.sum() - np.trace(table)),
            ratio(expected, scale * (chance.sum() - np.trace(chance))),
            ratio(slip[parted].sum(), slip.sum() - np.trace(slip)),
            1 - ratio(table[parted].sum() / n, expected),
            *conditional(table, np.where(inside, 0, -1), block, form),
        ))  # fmt: skip
    return Level(rule, len(held), *np.array(rows, float).reshape(-1, 6).T)
