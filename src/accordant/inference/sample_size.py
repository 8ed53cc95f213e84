"""How many items are needed for an interval of a wanted width.

The width shrinks with the root of the number of items, so the spread of the pull of single
items is all that must be known: from a pilot study, or from an assumed world of coders whose
patterns of annotation are weighed exactly, without simulation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import combinations_with_replacement
from typing import Any, ClassVar

import numpy as np

from ..actions import Action
from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError
from ..measure.coefficients import COEFFICIENTS
from ..measure.distances import WeightsLike, weights_for
from ..measure.measures import Measure, key_of
from ..measure.registry import Coefficient
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..numbers import count_of, level_text
from ..results import Result
from .distributions import chi2_quantile, t_quantile
from .influence import linearise
from .measurement import compared

MOST_ITEMS = 10**12
MOST_PATTERNS = 500_000
NO_SPREAD = 1e-15  # a variance that is only rounding
CAUTION = 0.8  # how sure one may be that the cautious number suffices (Browne 1995)


@dataclass(frozen=True)
class ItemPlan(Result):
    """How many items give an interval of the wanted width.

    Parameters
    ----------
    coefficient, weights : str
    value : float
        The coefficient in the pilot, or in the assumed world.
    width, level : float
        Full width of the interval and its level.
    n_items : int or None
        Items needed; None if there is no answer, and ``note`` says why.
    n_items_cautious : int or None
        From a pilot, the items that suffice with 80 % confidence, since the pilot's spread is
        an estimate itself (Browne 1995).
    n_coders : int
        Coders of the pilot or the assumed world; the plan holds for as many.
    spread : float
        Standard deviation of the pull of one item.
    basis : str
        What the plan rests on.
    """

    told_as: ClassVar[str] = "items_needed"
    question: ClassVar[None] = None

    coefficient: str
    weights: str
    value: float
    width: float
    level: float
    n_items: int | None
    n_items_cautious: int | None
    n_coders: int
    spread: float
    basis: str
    note: str | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{f.name: getattr(self, f.name) for f in fields(self)}]

    def __str__(self) -> str:
        if self.n_items is None:
            return f"no number of items: {self.note}"
        careful = f" ({self.n_items_cautious:,} to be careful)" if self.n_items_cautious else ""
        name = key_of(self.coefficient, self.weights)
        coders = f"{count_of(self.n_coders, 'coder')} ({self.basis})"
        return (
            f"{count_of(self.n_items, 'item')}{careful} for a {level_text(self.level)} interval of "
            f"{name} that is {self.width:g} wide, with {coders}"
        )


def plan_from_pilot(
    asked: Measure,
    data: Annotations,
    width: float,
    weights: WeightsLike | None = None,
    *,
    level: float = 0.95,
    population: float = math.inf,
) -> ItemPlan:
    """Items needed if they are like those of a pilot study, of which each person counts once."""
    data = data.of_persons()
    if len(data.questions) > 1:
        raise RequestError(
            f"the pilot has several questions ({', '.join(data.questions)}), each with a "
            "number of its own: give one of them",
            do=[Action("of_question", {"question": data.questions[0]})],
        )
    coefficient = asked.coefficient
    counts, w = compared(coefficient, count(data), data.scheme, asked.weighed(weights))
    n, value = coefficient.sample_size(counts), float(coefficient.parts(counts, w).value)
    square, needed, cautious = math.nan, None, None
    note = _why_no_plan(coefficient, counts, w, n)
    if note is None:
        square = linearise(coefficient, counts, w, ratio=True).variance() * n
        if square > NO_SPREAD:
            needed = _items_for(square, width, level, population)
            upper = square * (n - 1) / chi2_quantile(1 - CAUTION, n - 1)
            cautious = _items_for(upper, width, level, population)
        else:
            note = "the pilot shows no variation between items, so it cannot tell"
    return ItemPlan(
        coefficient.key,
        w.name,
        value,
        width,
        level,
        needed,
        cautious,
        counts.n_coders,
        math.sqrt(square),
        f"pilot of {count_of(n, 'item')}",
        note,
    )


def _why_no_plan(coefficient: Coefficient, counts: Counts, w: Weights, n: float) -> str | None:
    """Why a pilot of n items cannot tell how many are needed, if it cannot."""
    found = coefficient.parts(counts, w)
    why = why_undefined(coefficient, counts, float(found.observed), float(found.expected))
    if why:
        return f"{key_of(coefficient.key, w.name)} of the pilot is undefined: {why}"
    if n < 2:
        return "the pilot has one item only, and variation between items takes two"
    return None


def plan_from_assumptions(
    asked: Measure,
    agreement: float,
    shares: Sequence[float],
    n_coders: int,
    width: float,
    weights: WeightsLike | None = None,
    *,
    level: float = 0.95,
    population: float = math.inf,
) -> ItemPlan:
    """Items needed in an assumed world of coders who are alike."""
    coefficient, w_asked = asked.coefficient, asked.weighed(weights)
    if coefficient.only_sets or asked.key != coefficient.key:
        raise RequestError(
            f"{asked.key} is planned from a pilot: how many labels coders give decides about it"
        )
    counts = expected_counts(agreement, shares, n_coders)
    w = weights_for("identity" if w_asked is None else w_asked, counts)
    # Coders who are alike have one distribution, and then kappa and Light's kappa vary as pi.
    like = COEFFICIENTS["pi"] if coefficient.needs_coders else coefficient
    value = float(like.parts(counts, w).value)
    square = linearise(like, counts, w).variance() * float(counts.n_items)
    shown = ", ".join(f"{p:g}" for p in shares)
    basis = f"assumed kappa {agreement:g}, shares {shown}"
    if not square > NO_SPREAD:
        needed, note = None, "in this world items do not vary"
    else:
        needed, note = _items_for(square, width, level, population), None
    return ItemPlan(
        coefficient.key,
        w.name,
        value,
        width,
        level,
        needed,
        None,
        n_coders,
        math.sqrt(max(square, 0.0)),
        basis,
        note,
    )


def expected_counts(agreement: float, shares: Sequence[float], n_coders: int) -> Counts:
    """Every pattern of annotation of a world of coders who are alike, with its probability.

    An item is clear to all, with probability ``agreement`` (the kappa of any two coders), or to
    none, and then each coder guesses (Aickin 1990; the binary model of Donner & Rotondi 2010).
    ``times`` are probabilities, in units that make the sample endless.
    """
    p = np.asarray(shares, float)
    if p.ndim != 1 or len(p) < 2 or (p < 0).any() or not math.isclose(p.sum(), 1, abs_tol=1e-6):
        raise RequestError(f"shares are two or more numbers that sum to 1, not {list(shares)}")
    k = len(p)
    if math.comb(n_coders + k - 1, k - 1) > MOST_PATTERNS:
        raise RequestError(
            f"{n_coders} coders and {k} categories make more than {MOST_PATTERNS:,} patterns"
        )
    chosen = np.array(list(combinations_with_replacement(range(k), n_coders)))
    n = np.zeros((len(chosen), k), np.int64)  # how many coders give each category, every way once
    np.add.at(n, (np.arange(len(chosen))[:, None], chosen), 1)
    factorial = np.array([math.factorial(i) for i in range(n_coders + 1)], float)
    ways = factorial[n_coders] / factorial[n].prod(1)  # orders in which the coders can show it
    p = p / p.sum()
    clear = ((n == n_coders) * p).sum(1)
    times = (agreement * clear + (1 - agreement) * ways * (p**n).prod(1)) * 1e12
    row, value = np.nonzero(n)
    return Counts(
        start=np.searchsorted(row, np.arange(len(n) + 1)),
        coder=None,
        value=value,
        n=n[row, value],
        times=times,
        coders=tuple(f"coder {c + 1}" for c in range(n_coders)),
        values=tuple(range(1, k + 1)),
        pattern_of=np.arange(len(n)),
        declared=True,
    )


def _items_for(square: float, width: float, level: float, population: float) -> int:
    """The smallest number of items whose interval is no wider than wanted."""

    def wide(n: int) -> bool:
        reach = t_quantile((1 + level) / 2, n - 1)
        return 2 * reach * math.sqrt(square * max(1 - n / population, 0) / n) > width

    high = 2
    while wide(high):
        high *= 2
        if high > MOST_ITEMS:
            raise RequestError(f"an interval of width {width:g} needs more than 10^12 items")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if wide(middle) else (low, middle)
    return min(high, int(population)) if math.isfinite(population) else high
