"""How sure the figures of a decomposition are: how far each item pulls them.

Every figure is a smooth function of the tables of pairs of coders. So it has a slope for every
cell, an item pulls by the slopes of all cells that it fills, whichever pairs they belong to, and
the spread of these pulls gives the standard error: items are what is sampled, as for any
coefficient (`accordant.inference.influence`; Gwet 2014, ch. 5-6). The number of items that level
2 rests on varies over samples too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..counts.grouping import sums
from ..inference.distributions import least_share
from ..inference.intervals import interval, standard_error
from .closed_forms import ClosedForm
from .null import why_no_null
from .places import Cells

__all__ = ["Figure", "Graded", "figure", "graded", "shares"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

PERFECT = 1 - 1e-12
ENDLESS = 1e15  # items: alpha is linearised without its small-sample term, as Gwet does


@dataclass(frozen=True)
class Figure:
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
    >>> print(Figure(0.7, 0.02, 0.66, 0.74, 1135))
    0.700 [0.660, 0.740]
    """

    value: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    undefined: str | None = None
    note: str | None = None

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
    settled : bool
        Whether no two values that occur together in ``kept`` could differ.
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

    def pull(self) -> Floats:
        """(E,) how the coefficient of its pair moves with an item more in each cell, times n.

        0 where the cell is not looked at or its pair has no value.
        """
        c = self.cells
        a, b, g = self.group[c.first], self.group[c.second], c.pair
        d = self.form.expected(self.apart, ENDLESS, self.k)
        steep = self.form.expected(np.ones_like(d), ENDLESS, self.k)  # D_e is linear in `apart`
        steep = steep - self.form.expected(np.zeros_like(d), ENDLESS, self.k)
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
    >>> from accordant.decomposition.closed_forms import closed_form
    >>> from accordant.decomposition.states import States
    >>> table = np.array([[[20.0, 5], [10, 15]]])  # Wikipedia, Cohen's kappa
    >>> made = States(("yes", "no"), (), np.zeros((2, 0), bool), (("A", "B"),), table)
    >>> graded(Cells.of_tables(made), closed_form("kappa"), np.array([0, 1])).value.round(3)
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


def figure(
    parts: Sequence[Graded], weight: Floats, level: float, *, settled: Sequence[bool] = ()
) -> Figure:
    """A weighted sum of agreement over pairs of coders and labels, with its uncertainty.

    Parameters
    ----------
    parts : sequence of Graded
        W of them, such as one for each label.
    weight : ndarray
        (W, G) what each part and pair of coders enters with; 0 where it has no value.
    level : float
        Confidence level.
    settled : sequence of bool
        (W,) parts that are 1 whatever the coders do.
    """
    used = weight != 0
    if not used.any():
        return Figure(math.nan, n=0)
    value = float(
        sum((w[u] * part.value[u]).sum() for part, w, u in zip(parts, weight, used, strict=True))
    )
    cells = parts[0].cells
    if cells.counts is None:
        return Figure(value)
    pull, looked = np.zeros(len(cells.n)), np.zeros(len(cells.n), bool)
    for part, w, u in zip(parts, weight, used, strict=True):
        if u.any():
            scale = np.where(part.n > 0, w / np.maximum(part.n, 1e-300), 0)
            pull += part.pull() * scale[cells.pair]
            looked |= part.kept & u[cells.pair]
    n = round(float(cells.counts.times @ cells.anywhere(looked)))
    se = _error(cells, pull, n)
    if value > PERFECT:
        return _perfect(parts, weight, value, n, level, settled)
    if not se > 0:
        return Figure(value, n=n, note="these items do not tell how much it would vary")
    low, high = interval(value, se, n - 1, level)
    return Figure(value, se, low, min(high, 1.0), n)


def _error(cells: Cells, pull: Floats, n: int) -> float:
    """The standard error of a figure whose cells have the slopes ``pull`` (E,)."""
    if n < 2 or cells.counts is None:
        return math.nan
    squares = float(cells.counts.times @ cells.of_patterns(pull) ** 2)
    return standard_error(squares * n / (n - 1))


def _perfect(
    parts: Sequence[Graded],
    weight: Floats,
    value: float,
    n: int,
    level: float,
    settled: Sequence[bool],
) -> Figure:
    """The exact bound where no item disagrees, as `accordant.inference.intervals` gives it.

    What a partition settles by what it is cannot be otherwise and has no interval.
    """
    if settled and all(s or not w.any() for s, w in zip(settled, weight, strict=True)):
        return Figure(value, 0.0, value, value, n, note="1 by construction: level 1 settles it")
    least = least_share(n, level)
    with np.errstate(invalid="ignore", divide="ignore"):
        each = [
            np.where(w != 0, w * (least - p.expected) / (1 - p.expected), 0).sum()
            for p, w in zip(parts, weight, strict=True)
        ]
    note = f"no disagreement among {n:,} items: the lower end is the exact bound"
    return Figure(value, math.nan, float(sum(each)), 1.0, n, note=note)


def shares(cells: Cells, form: ClosedForm, block: Ints, level: float) -> dict[str, Figure]:
    """What makes partitions comparable: ``explained`` beside ``chance`` and ``explained_by_slips``.

    Of each pair of coders that differ anywhere: the share of the items on which they differ (of a
    pooled table, of the pairs of annotations that differ) that level 1 separates; the share that
    draws from the margins would put there, and that independent slips in the labels would. The
    means over the pairs, the differences ``excess`` and ``beyond_slips`` and the ratio ``lift``.

    Parameters
    ----------
    block : ndarray of int
        (C,) the block of each state.
    """
    every = np.arange(cells.states.n_states)
    fine, coarse = graded(cells, form, every), graded(cells, form, block)
    counted = cells.by_pair(cells.differ) > 0
    if not counted.any():
        none = Figure(math.nan, undefined="no two coders differ on any item")
        return dict.fromkeys(SHARES, none)
    weight = counted / counted.sum()
    g, per_item = cells.pair, np.where(counted, 1 / np.maximum(cells.n_of_pair, 1e-300), 0)
    explained = np.where(counted, coarse.differ / np.where(counted, fine.differ, 1), 0)
    chance = np.where(counted, coarse.apart / np.where(counted, fine.apart, 1), 0)
    apart = block[cells.first] != block[cells.second]
    scale = (weight * per_item)[g]
    pulls = {
        "explained": scale
        * (apart - explained[g] * cells.differ)
        / np.where(counted, fine.differ, 1)[g],
        "chance": scale
        * (_margin_pull(coarse) - chance[g] * _margin_pull(fine))
        / np.where(counted, fine.apart, 1)[g],
    }
    e, c = float(weight @ explained), float(weight @ chance)
    values = {"explained": e, "chance": c, "excess": e - c, "lift": e / c if c > 0 else math.nan}
    pulls["excess"] = pulls["explained"] - pulls["chance"]
    if c > 0:
        pulls["lift"] = (pulls["explained"] - values["lift"] * pulls["chance"]) / c
    slips, slips_pull = _by_slips(cells, weight, block)
    values |= {"explained_by_slips": slips, "beyond_slips": e - slips}
    pulls |= {"explained_by_slips": slips_pull, "beyond_slips": pulls["explained"] - slips_pull}
    if cells.counts is None:
        return {name: Figure(value) for name, value in values.items()}
    n = round(float(cells.counts.times @ cells.anywhere(counted[g])))
    return {name: _share(cells, values[name], pulls.get(name), n, level) for name in values}


def _by_slips(cells: Cells, weight: Floats, block: Ints) -> tuple[float, Floats]:
    """The share that independent slips would put between the blocks, and its pull (E,)."""
    if why_no_null(cells.states):
        return math.nan, np.full(len(cells.n), math.nan)
    apart = block[:, None] != block
    slopes = cells.slips.slopes(apart, cells.pair, cells.first, cells.second)
    used = np.flatnonzero(weight)
    share = float(weight[used] @ cells.slips.shares(apart)[used])
    return share, np.asarray(weight[cells.pair] * slopes)


SHARES = ("explained", "chance", "excess", "lift", "explained_by_slips", "beyond_slips")


def _share(cells: Cells, value: float, pull: Floats | None, n: int, level: float) -> Figure:
    if math.isnan(value) and pull is not None:
        return Figure(value, n=n, undefined=str(why_no_null(cells.states)))
    if pull is None:
        return Figure(value, n=n, undefined="chance puts no disagreement there")
    se = _error(cells, pull, n)
    low, high = interval(value, se, n - 1, level) if se > 0 else (math.nan, math.nan)
    return Figure(value, se, low, high, n)


def _margin_pull(part: Graded) -> Floats:
    """(E,) n x how `apart`, the disagreement of draws from the margins, moves with each cell.

    Less what the total of the items does to it, which cancels in a ratio of two.
    """
    c = part.cells
    a, b, g = part.group[c.first], part.group[c.second], c.pair
    return np.asarray(2 - part.column[g, a] - part.row[g, b])
