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
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..arrays import Floats
from ..counts.count import count
from ..counts.counts import Counts
from ..data.read import read
from ..errors import RequestError
from ..measure.coefficients import COEFFICIENTS
from ..measure.distances import WeightsLike, weights_for
from ..measure.measures import key_of, measures
from ..measure.registry import Coefficient
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..measure.weights_file import weights_of
from ..results import Result
from ..scheme import Value
from .distributions import chi2_quantile, t_quantile
from .influence import linearise
from .measurement import compared
from .settings import number_of, size_of

__all__ = [
    "ItemPlan",
    "World",
    "expected_counts",
    "expected_width",
    "items_needed",
    "plan_from_assumptions",
    "plan_from_pilot",
]

World: TypeAlias = Literal["certain or guess", "difficulty"]

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
        return (
            f"{self.n_items:,} items{careful} for a {self.level:.0%} interval of {name} that is "
            f"{self.width:g} wide, with {self.n_coders} coders ({self.basis})"
        )


def items_needed(
    width: float,
    pilot: Any = None,
    *,
    coefficient: str = "alpha",
    agreement: float | None = None,
    shares: Sequence[float] | None = None,
    coders: int = 2,
    weights: WeightsLike | None = None,
    level: float = 0.95,
    population: float | None = None,
    **reading: Any,
) -> ItemPlan:
    """Items needed from a pilot, or from what is expected; each plan says what it rests on."""
    (asked,), within = measures(coefficient), math.inf if population is None else population
    wanted, weights = asked.coefficient, asked.weighed(weights_of(weights))
    if pilot is not None and (agreement is not None or shares is not None):
        raise RequestError("give a pilot, or the expected agreement and shares, not both")
    if pilot is not None:
        data = read(pilot, **reading)
        if len(data.questions) > 1:
            raise RequestError(
                f"the pilot has several questions ({', '.join(data.questions)}), each with a "
                "number of its own: give one of them",
                do=[Action("of_question", {"question": data.questions[0]})],
            )
        counts, w = compared(wanted, count(data), data.scheme, weights)
        return plan_from_pilot(wanted, counts, w, width, level=level, population=within)
    if wanted.only_sets or asked.key != wanted.key:
        raise RequestError(
            f"{asked.key} is planned from a pilot: how many labels coders give decides about it"
        )
    if agreement is None or shares is None:
        raise RequestError(
            "say what is expected: a pilot, or the expected kappa and how common each category is",
            do=[Action("", {"agreement": ..., "shares": ...})],
        )
    return plan_from_assumptions(
        wanted,
        agreement,
        shares,
        coders,
        width,
        level=level,
        population=within,
        weights="identity" if weights is None else weights,
    )


def plan_from_pilot(
    coefficient: Coefficient,
    counts: Counts,
    w: Weights,
    width: float,
    *,
    level: float = 0.95,
    population: float = math.inf,
) -> ItemPlan:
    """Items needed if they are like those of a pilot study.

    Parameters
    ----------
    coefficient : Coefficient
    counts : Counts
        The pilot.
    w : Weights
    width : float
        Wanted width of the interval, from end to end.
    level : float
    population : float
        How many items there are at all.

    Returns
    -------
    ItemPlan
    """
    _check(width, level, population)
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
        f"pilot of {n:,.0f} items",
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
    coefficient: Coefficient,
    agreement: float,
    shares: Sequence[float],
    n_coders: int,
    width: float,
    *,
    level: float = 0.95,
    population: float = math.inf,
    weights: WeightsLike = "identity",
    values: Sequence[Value] | None = None,
    world: World = "certain or guess",
) -> ItemPlan:
    """Items needed in an assumed world of coders who are alike.

    Parameters
    ----------
    coefficient : Coefficient
    agreement : float
        The kappa (pi) that is expected, 0 to 1.
    shares : sequence of float
        (K,) how common each category is expected to be; they sum to 1.
    n_coders : int
        Coders for each item.
    width : float
        Wanted width of the interval, from end to end.
    level, population : float
    weights : str, array_like, callable or Distance
    values : sequence, optional
        (K,) the categories, if weights need them; 1 … K by default.
    world : {'certain or guess', 'difficulty'}
        See `expected_counts`. With two coders both are the same.

    Returns
    -------
    ItemPlan

    Examples
    --------
    >>> from accordant.measure.coefficients import find
    >>> plan_from_assumptions(find("kappa"), 0.6, [0.7, 0.3], 2, width=0.2).n_items
    298
    """
    _check(width, level, population)
    counts = expected_counts(agreement, shares, n_coders, world=world, values=values)
    w = weights_for(weights, counts)
    # Coders who are alike have one distribution, and then kappa and Light's kappa vary as pi.
    like = COEFFICIENTS["pi"] if coefficient.needs_coders else coefficient
    value = float(like.parts(counts, w).value)
    square = linearise(like, counts, w).variance(large_sample=True) * float(counts.n_items)
    shown = ", ".join(f"{p:g}" for p in shares)
    basis = f"assumed kappa {agreement:g}, shares {shown}, {world}"
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


def expected_counts(
    agreement: float,
    shares: Sequence[float],
    n_coders: int,
    *,
    world: World = "certain or guess",
    values: Sequence[Value] | None = None,
) -> Counts:
    """Every pattern of annotation of a world of coders who are alike, with its probability.

    Parameters
    ----------
    agreement : float
        Kappa of any two coders, 0 to 1.
    shares : sequence of float
        (K,) how common each category is.
    n_coders : int
    world : {'certain or guess', 'difficulty'}
        'certain or guess': an item is clear to all, with probability ``agreement``, or to none
        (Aickin 1990; the binary model of Donner & Rotondi 2010). 'difficulty': every item has
        its own distribution of labels, drawn from a Dirichlet distribution (Altaye, Donner &
        Klar 2001).
    values : sequence, optional
        (K,) names of the categories.

    Returns
    -------
    Counts
        ``times`` are probabilities, in units that make the sample endless.
    """
    p = np.asarray(shares, float)
    if p.ndim != 1 or len(p) < 2 or (p < 0).any() or not math.isclose(p.sum(), 1, abs_tol=1e-6):
        raise RequestError(f"shares are two or more numbers that sum to 1, not {list(shares)}")
    if not 0 <= agreement <= 1 or n_coders < 2:
        raise RequestError("agreement lies between 0 and 1, and at least 2 coders are needed")
    if world not in get_args(World):
        raise RequestError(f"unknown world {world!r}: choose one of {', '.join(get_args(World))}")
    k = len(p)
    if math.comb(n_coders + k - 1, k - 1) > MOST_PATTERNS:
        raise RequestError(
            f"{n_coders} coders and {k} categories make more than {MOST_PATTERNS:,} patterns"
        )
    n = _multisets(n_coders, k)
    chance = _certain_or_guess if world == "certain or guess" else _difficulty
    times = chance(n, p / p.sum(), agreement) * 1e12
    row, value = np.nonzero(n)
    return Counts(
        start=np.searchsorted(row, np.arange(len(n) + 1)),
        coder=None,
        value=value,
        n=n[row, value],
        times=times,
        coders=tuple(f"coder {c + 1}" for c in range(n_coders)),
        values=tuple(values) if values is not None else tuple(range(1, k + 1)),
        pattern_of=np.arange(len(n)),
        declared=True,
    )


def expected_width(
    spread: float, n_items: int, *, level: float = 0.95, population: float = math.inf
) -> float:
    """Width of the interval from so many items, whose pulls have a standard deviation."""
    reach = t_quantile((1 + level) / 2, n_items - 1)
    return 2 * reach * spread * math.sqrt(max(1 - n_items / population, 0) / n_items)


def _items_for(square: float, width: float, level: float, population: float) -> int:
    """The smallest number of items whose interval is no wider than wanted."""
    spread, high = math.sqrt(square), 2
    while expected_width(spread, high, level=level, population=population) > width:
        high *= 2
        if high > MOST_ITEMS:
            raise RequestError(f"an interval of width {width:g} needs more than 10^12 items")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        wide = expected_width(spread, middle, level=level, population=population) > width
        low, high = (middle, high) if wide else (low, middle)
    return min(high, int(population)) if math.isfinite(population) else high


def _check(width: float, level: float, population: float) -> None:
    size_of("population", population)
    if not number_of("width", width) > 0:
        raise RequestError(f"the width must be above 0, not {width}")
    if not 0 < number_of("level", level) < 1:
        raise RequestError(f"the level must lie between 0 and 1, not {level}")


def _multisets(n_coders: int, k: int) -> NDArray[np.int64]:
    """(P, K) how many coders give each category, every way once."""
    chosen = np.array(list(combinations_with_replacement(range(k), n_coders)))
    found = np.zeros((len(chosen), k), np.int64)
    np.add.at(found, (np.arange(len(chosen))[:, None], chosen), 1)
    return found


def _ways(n: NDArray[np.int64]) -> Floats:
    """(P,) in how many orders the coders can show a pattern."""
    factorial = np.array([math.factorial(i) for i in range(int(n.sum(1).max()) + 1)], float)
    return np.asarray(factorial[n.sum(1)] / factorial[n].prod(1))


def _certain_or_guess(n: NDArray[np.int64], p: Floats, agreement: float) -> Floats:
    clear = ((n == n.sum(1, keepdims=True)) * p).sum(1)
    guess = _ways(n) * (p**n).prod(1)
    return np.asarray(agreement * clear + (1 - agreement) * guess)


def _difficulty(n: NDArray[np.int64], p: Floats, agreement: float) -> Floats:
    """Dirichlet-multinomial (Altaye, Donner & Klar 2001)."""
    n_coders = int(n.sum(1).max())
    steps = np.arange(1, n_coders)
    level = (1 - agreement) * p[:, None] + agreement * steps  # (K, C - 1)
    rise = np.concatenate([np.ones((len(p), 1)), p[:, None], p[:, None] * np.cumprod(level, 1)], 1)
    # A factor of 1 - agreement is cancelled, so that perfect agreement is no exception.
    spare = (1 - agreement) ** ((n > 0).sum(1) - 1.0)
    total = np.prod(1 - agreement + agreement * steps)
    return np.asarray(_ways(n) * spare * rise[np.arange(len(p)), n].prod(1) / total)
