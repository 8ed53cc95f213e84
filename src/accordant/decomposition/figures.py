"""The figures of two coders in closed form, and how sure they are: how far each item pulls them.

A coefficient is 1 − D_o / D_e, observed over expected disagreement, and D_e follows from three
numbers: what two independent draws from the margins disagree, how many items there are, and how
many categories. So thousands of tables are judged by a handful of vector operations.

Every figure is a smooth function of the tables of pairs of coders. So it has a slope for every
cell, an item pulls by the slopes of all cells that it fills, whichever pairs they belong to, and
the spread of these pulls gives the standard error: items are what is sampled, as for any
coefficient (`accordant.inference.influence`; Gwet 2014, ch. 5-6). The number of items that level
2 rests on varies over samples too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..counts.row_keys import sums
from ..errors import RequestError
from ..inference.intervals import interval, standard_error
from ..measure.coefficients import find
from .contingency import Cells

CERTAIN = 1e-12  # below this expected disagreement agreement is certain by chance


@dataclass(frozen=True)
class ClosedForm:
    """How much two coders would disagree by chance.

    Parameters
    ----------
    key : str
        The coefficient of `accordant.measure` that it is for two coders without gaps.
    own : bool
        Whether chance draws from each coder's own margins, Σ p_k q_k, or from those that both
        share, Σ ((p_k + q_k) / 2)².
    line : callable
        D_e is linear in the disagreement of two such draws; the number of items (...) and of
        categories give its value for draws that never differ, and its slope.
    """

    key: str
    own: bool
    line: Callable[[Any, int], tuple[Any, Any]]

    def expected(self, apart: Floats, n: Any, k: int) -> Floats:
        """D_e (...) of what two draws from the margins disagree, n items and k categories."""
        base, slope = self.line(n, k)
        return np.asarray(base + slope * apart)

    def value(self, differ: Floats, apart: Floats, n: Any, k: int) -> tuple[Floats, Bools]:
        """The coefficient, 0 where it is undefined, and where it is defined: (...) each.

        Parameters
        ----------
        differ, apart : ndarray
            (...) shares: what the coders disagree, and what two draws from the margins do.
        n : ndarray or float
            (...) number of items.
        k : int
            Number of categories.

        Examples
        --------
        >>> import numpy as np
        >>> differ, apart = np.array([0.2, 0]), np.array([0.5, 0])
        >>> value, known = CLOSED_FORMS["kappa"].value(differ, apart, 10, 2)
        >>> value.tolist(), known.tolist()
        ([0.6, 0.0], [True, False])
        """
        chance = self.expected(apart, n, k)
        known = chance > CERTAIN
        value = differ / np.maximum(chance, CERTAIN)
        np.subtract(1, value, out=value)
        value *= known
        return value, known


_LINES: dict[str, Callable[[Any, int], tuple[Any, Any]]] = {
    "percent": lambda n, k: (1.0, 0.0),
    "s": lambda n, k: (1 - 1 / max(k, 1), 0.0),
    "pi": lambda n, k: (0.0, 1.0),
    "kappa": lambda n, k: (0.0, 1.0),
    # drawn without replacement from the 2n annotations (Krippendorff 2011)
    "alpha": lambda n, k: (0.0, 2 * n / np.maximum(2 * n - 1, 1)),
    "ac": lambda n, k: (1.0, -1 / (k - 1)) if k > 1 else (0.0, 0.0),
}
CLOSED_FORMS = {key: ClosedForm(key, key == "kappa", line) for key, line in _LINES.items()}
"""Every coefficient that bipartitions can be scored with, by its key."""


@cache  # resamples ask for it thousands of times
def closed_form(coefficient: str) -> ClosedForm:
    """The closed form of a coefficient, by any name under which `accordant.measure` knows it.

    Light's κ is the mean of the κ of all pairs of coders, which is what scores of several pairs
    are anyway.

    Raises
    ------
    RequestError
        If there is no such coefficient, or margins alone do not give it.

    Examples
    --------
    >>> closed_form("Cohen").key, closed_form("light").key, closed_form("Krippendorff").key
    ('kappa', 'kappa', 'alpha')
    """
    key = find(coefficient).key
    key = "kappa" if key == "light" else key
    if key not in CLOSED_FORMS:
        raise RequestError(
            f"hierarchical agreement is not defined for {coefficient!r}: "
            f"choose from {', '.join(CLOSED_FORMS)}"
        )
    return CLOSED_FORMS[key]


# ------------------------------------------------------------------ with their uncertainty


ENDLESS = 1e15  # items: alpha is linearised without its small-sample term, as Gwet does


@dataclass(frozen=True)
class LevelFigure:
    """A number with its uncertainty; NaN where there is none.

    Parameters
    ----------
    value, se, low, high : float
        The number, its standard error and its interval.
    n : int
        How many items it rests on.
    undefined : str or None
        Why it has no value.
    note : str or None
        What to know about its interval.

    Examples
    --------
    >>> print(LevelFigure(0.7, 0.02, 0.66, 0.74, 1135))
    0.700 [0.660, 0.740]
    """

    value: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    undefined: str | None = None
    note: str | None = None

    def to_row(self, name: str) -> dict[str, Any]:
        """Columns of a row: the value and the ends of its interval."""
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}

    def __str__(self) -> str:
        if math.isnan(self.value):
            return f"undefined: {self.undefined}"
        ends = "" if math.isnan(self.low) else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"{self.value:.3f}{ends}"


@dataclass(frozen=True, eq=False)
class Graded:
    """Agreement of G pairs of coders on a grouping of the values, among some of the items.

    Parameters
    ----------
    cells : Cells
    form : ClosedForm
    group : ndarray of int
        (C,) the group of each state: what counts as the same.
    k : int
        Number of groups.
    kept : ndarray of bool
        (E,) the cells whose items are looked at.
    n, differ, apart : ndarray
        (G,) items looked at; share that differ, and share that two draws from the margins do.
    value : ndarray
        (G,) the coefficient; NaN where it is undefined.
    row, column : ndarray
        (G, k) the margins that chance draws from.
    """

    cells: Cells
    form: ClosedForm
    group: Ints
    k: int
    kept: Bools
    n: Floats
    differ: Floats
    apart: Floats
    value: Floats
    row: Floats
    column: Floats

    @property
    def known(self) -> Bools:
        """(G,) which pairs of coders have a value."""
        return ~np.isnan(self.value)

    @property
    def expected(self) -> Floats:
        """(G,) agreement that chance gives, with which (observed − expected) / (1 − expected)."""
        return np.asarray(1 - self.form.expected(self.apart, self.n, self.k))

    @property
    def times(self) -> Floats:
        """(P,) how many items show each pattern."""
        return np.asarray(self.cells.counts.times, float)

    def looked(self, used: Bools) -> Bools:
        """(P,) patterns whose items the value of one of some pairs, (G,), rests on."""
        return self.cells.anywhere(self.kept & used[self.cells.pair])

    def pull(self, weight: Floats) -> Floats:
        """(P,) how a sum of values, weighted by (G,), moves with an item more of each pattern."""
        scale = np.where(self.n > 0, weight / np.maximum(self.n, 1e-300), 0)
        return self.cells.of_patterns(np.asarray(self.cell_pull() * scale[self.cells.pair]))

    def cell_pull(self) -> Floats:
        """(E,) how the coefficient of its pair moves with an item more in each cell, times n.

        0 where the cell is not looked at or its pair has no value.
        """
        c = self.cells
        a, b, g = self.group[c.first], self.group[c.second], c.pair
        d = self.form.expected(self.apart, ENDLESS, self.k)
        steep = self.form.line(ENDLESS, self.k)[1]
        moved = 1 - self.apart  # mean of the two margins below
        chance = moved[g] * 2 - self.column[g, a] - self.row[g, b]  # n x slope of `apart`
        d = np.where(self.known, d, 1)
        own = (a != b) - self.differ[g] - (self.differ / d * steep)[g] * chance
        return np.asarray(np.where(self.kept & self.known[g], -own / d[g], 0))


def graded(
    cells: Cells, form: ClosedForm, group: Ints, kept: Bools | None = None, k: int | None = None
) -> Graded:
    """Agreement on a grouping of the values.

    Parameters
    ----------
    group : ndarray of int
        (C,) the group of each state.
    kept : ndarray of bool, optional
        (E,) the cells whose items are looked at; all by default.
    k : int, optional
        Number of groups, if there may be groups without a state.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.decomposition.contingency import cells_of
    >>> rows = ["y" * 25 + "n" * 25, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15]
    >>> cells = cells_of(count(read([list(row) for row in rows])))  # Wikipedia, Cohen's kappa
    >>> graded(cells, closed_form("kappa"), np.array([0, 1])).value.round(3)
    array([0.4])
    """
    kept = np.ones(len(cells.n), bool) if kept is None else kept
    k = int(group.max(initial=-1)) + 1 if k is None else k
    g, pairs = cells.pair, len(cells.states.pairs)
    a, b, weight = group[cells.first], group[cells.second], cells.n * kept
    n = sums(g, weight, pairs)
    with np.errstate(invalid="ignore", divide="ignore"):
        differ = sums(g, weight * (a != b), pairs) / n
        row = sums(g * k + a, weight, pairs * k).reshape(pairs, k) / n[:, None]
        column = sums(g * k + b, weight, pairs * k).reshape(pairs, k) / n[:, None]
    if not form.own:
        row = column = (row + column) / 2
    apart = 1 - (row * column).sum(1)
    value, known = form.value(np.nan_to_num(differ), np.nan_to_num(apart), n, k)
    value = np.where(known & (n > 0), value, np.nan)
    return Graded(cells, form, group, k, kept, n, differ, apart, value, row, column)


def error(times: Floats, pull: Floats, n: int) -> float:
    """The standard error of a figure that each of n items, alike in kinds, pulls by so much."""
    if n < 2:
        return math.nan
    return standard_error(float(times @ pull**2) * n / (n - 1))


def shares(cells: Cells, form: ClosedForm, block: Ints, level: float) -> dict[str, LevelFigure]:
    """What makes partitions comparable: ``explained`` beside ``chance``.

    Of each pair of coders that differ anywhere: the share of the items on which they differ (of a
    pooled table, of the pairs of annotations that differ) that level 1 separates, and the share
    that draws from the margins would put there. The means over the pairs, the difference
    ``excess`` and the ratio ``lift``.

    Parameters
    ----------
    block : ndarray of int
        (C,) the block of each state.
    """
    every = np.arange(cells.states.n_states)
    fine, coarse = graded(cells, form, every), graded(cells, form, block)
    counted = cells.by_pair(cells.differ) > 0
    if not counted.any():
        none = LevelFigure(math.nan, undefined="no two coders differ on any item")
        return dict.fromkeys(("explained", "chance", "excess", "lift"), none)
    weight = counted / counted.sum()
    g, per_item = cells.pair, np.where(counted, 1 / np.maximum(cells.n_of_pair, 1e-300), 0)
    differ, apart = (np.where(counted, x, 1) for x in (fine.differ, fine.apart))
    explained, chance = coarse.differ / differ * counted, coarse.apart / apart * counted
    separated = block[cells.first] != block[cells.second]
    scale = (weight * per_item)[g]
    e, c = float(weight @ explained), float(weight @ chance)
    of_e = scale * (separated - explained[g] * cells.differ) / differ[g]
    of_c = scale * (_margin_pull(coarse) - chance[g] * _margin_pull(fine)) / apart[g]
    n = cells.n_items(counted[g])
    lift = LevelFigure(math.nan, n=n, undefined="chance puts no disagreement there")
    if c > 0:
        lift = _share(cells, e / c, (of_e - e / c * of_c) / c, n, level)
    return {
        "explained": _share(cells, e, of_e, n, level),
        "chance": _share(cells, c, of_c, n, level),
        "excess": _share(cells, e - c, of_e - of_c, n, level),
        "lift": lift,
    }


def _share(cells: Cells, value: float, pull: Floats, n: int, level: float) -> LevelFigure:
    se = error(np.asarray(cells.counts.times, float), cells.of_patterns(np.asarray(pull)), n)
    low, high = interval(value, se, n - 1, level) if se > 0 else (math.nan, math.nan)
    return LevelFigure(value, se, low, high, n)


def _margin_pull(part: Graded) -> Floats:
    """(E,) n x how `apart`, the disagreement of draws from the margins, moves with each cell.

    Less what the total of the items does to it, which cancels in a ratio of two.
    """
    c = part.cells
    a, b, g = part.group[c.first], part.group[c.second], c.pair
    return np.asarray(2 - part.column[g, a] - part.row[g, b])
