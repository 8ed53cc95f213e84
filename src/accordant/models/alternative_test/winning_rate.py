"""The alternative annotator test: whether a model may take the place of a human.

Calderon, Reichart & Dror (2025). Each human is left out in turn. On the items of that human, the
human and the model are compared by how near they come to the humans who remain. The model stands
in for a human if it is not worse by ε or more, and passes if it does so for half of the humans.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...actions import Action
from ...arrays import Bools, Floats, Ints
from ...counts.row_keys import sums
from ...errors import RequestError
from ...inference.intervals import interval, p_value, standard_error
from ...numbers import decimal
from ...results import Record
from ...scheme import Value, number
from .humans_and_models import NOT_SAID, Sides
from .noninferiority import HALF, adjusted, exactly_below, mean_below, signed_ranks_below

__all__ = ["Alignment", "Few", "HumanTest", "ModelDifference", "ModelTest", "Signs", "spread"]

Signs: TypeAlias = NDArray[np.int8]
Alignment: TypeAlias = str | Callable[[Value, list[Value]], float]
Scoring: TypeAlias = Callable[[Ints, Ints], Floats]
Few: TypeAlias = Literal["exact", "wilcoxon", "leave_out"]

ALIGNMENTS = ("accuracy", "neg_rmse", "similarity")
MISSING = np.int8(9)  # sign where nothing can be compared
SAME = 1e-12  # of what was added up: scores that differ by less are equal, nobody loses by rounding
MOST_VALUES = 2000  # beyond it no table of all values is made


# ------------------------------------------------------------------ results


@dataclass(frozen=True)
class HumanTest(Record):
    """One human, left out, and one model, beside the humans who remain.

    Parameters
    ----------
    model, human : str
    epsilon : float
        How much worse than the human the model may be.
    n_items : int
        Items that the human, another human and the model annotated.
    advantage : float
        ρ of the model: the share of these on which it is as near to the others as the human, or
        nearer.
    human_advantage : float
        ρ of the human: the share on which the human is as near as the model, or nearer.
    test : str
        't', 'exact', 'wilcoxon' or 'none'.
    statistic, p_value : float
        Of the hypothesis that ρ of the model ≤ ρ of the human − ε.
    p_adjusted : float
        To be compared with q; corrected for the number of humans.
    beaten : bool or None
        Whether the hypothesis is rejected, so that the model may stand in for the human; None
        where nothing was tested.
    """

    derived: ClassVar[tuple[str, ...]] = ("difference",)

    model: str
    human: str
    epsilon: float
    n_items: int
    advantage: float
    human_advantage: float
    test: str
    statistic: float = math.nan
    p_value: float = math.nan
    p_adjusted: float = math.nan
    beaten: bool | None = None

    @property
    def n_nearer(self) -> int:
        """On how many items the model was nearer to the others than the human."""
        return round(self.n_items * (1 - self.human_advantage)) if self.n_items else 0

    @property
    def n_farther(self) -> int:
        """On how many items the human was nearer."""
        return round(self.n_items * (1 - self.advantage)) if self.n_items else 0

    @property
    def exact_p_value(self) -> float:
        """The p-value whatever the share of ties is, see `exactly_below`; NaN without items."""
        if not self.n_items:
            return math.nan
        return exactly_below(self.n_items, self.n_nearer, self.n_farther, self.epsilon)[1]

    @property
    def difference(self) -> float:
        """ρ of the human less ρ of the model: what the test compares with ε."""
        return self.human_advantage - self.advantage


@dataclass(frozen=True)
class ModelTest(Record):
    """The alternative annotator test of one model.

    Parameters
    ----------
    model : str
    n_humans : int
        Humans for whom the model was tested.
    n_items : int
        Items on which it was.
    winning_rate : float
        ω: the share of these humans whom it may stand in for; NaN if there are none.
    passed : bool or None
        Whether ω is half or more.
    advantage : float
        Mean ρ of the model: how likely it is as good as a human chosen at random, or better.
    se, low, high : float
        Standard error and interval of ``advantage``, over items.
    human_advantage : float
        Mean ρ of the humans.
    tests : tuple of HumanTest
        One for each human.
    """

    hidden: ClassVar[tuple[str, ...]] = ("tests",)
    derived: ClassVar[tuple[str, ...]] = ("n_beaten",)

    model: str
    n_humans: int
    n_items: int
    winning_rate: float
    passed: bool | None
    advantage: float
    se: float
    low: float
    high: float
    human_advantage: float
    tests: tuple[HumanTest, ...] = ()

    @property
    def tested(self) -> tuple[HumanTest, ...]:
        """The humans for whom it was tested."""
        return tuple(t for t in self.tests if t.beaten is not None)

    @property
    def n_beaten(self) -> int:
        """How many humans it may stand in for."""
        return sum(t.beaten is True for t in self.tests)

    def __str__(self) -> str:
        if self.passed is None:
            return f"{self.model}: not tested"
        return (
            f"{self.model}: {'passed' if self.passed else 'failed'}, winning rate "
            f"{decimal(self.winning_rate)} ({self.n_beaten} of {self.n_humans} humans), "
            f"advantage probability {decimal(self.advantage)}"
        )


@dataclass(frozen=True)
class ModelDifference(Record):
    """The advantage probabilities of two models on the items that both annotated.

    Parameters
    ----------
    first, second : str
    n_items, n_humans : int
        What both rest on: the items of both, and the humans for whom both were tested.
    first_advantage, second_advantage, difference : float
        Mean ρ of each, and the first less the second.
    se, low, high : float
        Of the difference, over items.
    p_value, p_adjusted : float
        That there is none, alone and corrected for the number of pairs of models.
    """

    first: str
    second: str
    n_items: int
    n_humans: int
    first_advantage: float
    second_advantage: float
    difference: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan
    p_adjusted: float = math.nan


# ------------------------------------------------------------------ who is nearer


def nearer(s: Sides, said: Ints, alignment: Alignment) -> Signs:
    """For each annotation of a human whether the human or the model is nearer to the others.

    Parameters
    ----------
    s : Sides
    said : ndarray of int
        (I, M) what each model said.
    alignment : {'accuracy', 'neg_rmse', 'similarity'} or callable
        How near a label is to those of the other humans, see `model_as_coder`.

    Returns
    -------
    ndarray of int8
        (N, M) 1 if the human is, −1 if the model is, 0 for a tie; 9 where no other human annotated
        the item or the model did not.
    """
    there = (s.n_humans[s.item] > 1)[:, None] & (said[s.item] != NOT_SAID)
    if callable(alignment):
        gap, size = _by_function(s, said, alignment, there)
    else:
        gap, size = _bysums(s, said, _scoring(s, alignment))
    sign = np.where(np.abs(gap) <= SAME * size, 0, np.sign(gap)).astype(np.int8)
    return np.where(there, sign, MISSING)


def _scoring(s: Sides, alignment: str) -> Scoring:
    """How near two values are: what is averaged over the other humans.

    Of 'neg_rmse' it is the squared distance with a minus: −√ of the mean rises with the mean, so
    that the sign of a difference is the same.
    """
    if alignment == "accuracy":
        return lambda a, b: np.asarray(a == b, dtype=float)
    if alignment == "similarity":
        return s.w.at
    if alignment != "neg_rmse":
        raise RequestError(
            f"unknown alignment {alignment!r}: choose one of {', '.join(map(repr, ALIGNMENTS))}, "
            "or give a function of a label and the list of the other humans' labels"
        )
    numbers = [None if isinstance(v, tuple) else number(v) for v in s.counts.values]
    if None in numbers:
        odd = s.counts.values[numbers.index(None)]
        raise RequestError(
            f"'neg_rmse' needs labels that are numbers, and {odd!r} is none",
            parameter="alignment",
            do=[
                Action("", {"alignment": "accuracy"}),
                Action("", {"alignment": "similarity"}, "by the weights of the scale"),
            ],
        )
    scores = np.array(numbers, float)
    return lambda a, b: -((scores[a] - scores[b]) ** 2)


def _bysums(s: Sides, said: Ints, near: Scoring) -> tuple[Floats, Floats]:
    """(N, M) how much nearer the human is, summed over the other humans; and how large it may be.

    Everything is summed over the different values of an item, not over pairs of annotations.
    """
    c = s.cells
    one, other = s.cells_of(c.item)
    met = c.n[other] * near(c.value[one], c.value[other])
    human = (sums(one, met, len(c.n)) - near(c.value, c.value))[c.of]
    largest = sums(one, np.abs(met), len(c.n))[c.of]
    gap = np.empty((len(s.item), said.shape[1]))
    size = np.empty_like(gap)
    for m, column in enumerate(np.where(said == NOT_SAID, 0, said).T):
        met = c.n * near(column[c.item], c.value)
        total = sums(c.item, met, s.n_items)[s.item]
        gap[:, m] = human - (total - near(column[s.item], s.value))
        size[:, m] = largest + np.abs(total)
    return gap, size


def _by_function(
    s: Sides, said: Ints, function: Callable[[Value, list[Value]], float], there: Bools
) -> tuple[Floats, Floats]:
    """(N, M) the same by calling a function; each different question is asked once."""
    values = s.counts.values
    start = np.searchsorted(s.item, np.arange(s.n_items + 1))
    asked: dict[tuple[int, tuple[int, ...]], float] = {}

    def score(code: int, others: tuple[int, ...]) -> float:
        if (code, others) not in asked:
            asked[code, others] = _finite(function(values[code], [values[k] for k in others]))
        return asked[code, others]

    gap, size = np.zeros(there.shape), np.zeros(there.shape)
    for r in np.flatnonzero(there.any(1)).tolist():
        i = int(s.item[r])
        others = np.delete(s.value[start[i] : start[i + 1]], r - start[i])
        alike = tuple(np.sort(others).tolist())
        human = score(int(s.value[r]), alike)
        for m in np.flatnonzero(there[r]).tolist():
            model = score(int(said[i, m]), alike)
            gap[r, m], size[r, m] = human - model, abs(human) + abs(model)
    return gap, size


def _finite(x: Any) -> float:
    try:
        found = float(x)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise RequestError(
            f"the alignment function gave {x!r}: it must give a finite number, higher for a label "
            "that is nearer to those of the other humans"
        )
    return found


def constant_answers(s: Sides, alignment: Alignment) -> Ints:
    """(U,) the labels with which an answer that never changes comes nearest to the humans.

    Several if they come equally near; none if there are too many values to try, or for a function,
    which may be dear and is asked for the models only.
    """
    if callable(alignment) or s.n_values > MOST_VALUES:
        return np.empty(0, np.int64)
    every = np.arange(s.n_values)
    near = _scoring(s, alignment)(every[:, None], every[None, :])
    score = near @ np.bincount(s.value, minlength=s.n_values).astype(float)
    return np.flatnonzero(score >= score.max() - SAME * np.abs(score).max())


# ------------------------------------------------------------------ the test


def spread(value: float, pull: Floats, n: int, level: float) -> tuple[float, float, float]:
    """Standard error over n items, and interval; NaN for a single item or no variation.

    ``pull`` (I,) is how far each item moves the value; it sums to 0.
    """
    if n < 2 or math.isnan(value):
        return math.nan, math.nan, math.nan
    se = standard_error(float(pull @ pull) * n / (n - 1))
    return se, *(interval(value, se, n - 1, level) if se else (math.nan, math.nan))


def model_test(
    s: Sides,
    model: str,
    sign: Signs,
    epsilon: Floats,
    *,
    q: float,
    min_items: int,
    few: Few,
    level: float,
) -> ModelTest:
    """The test of one model from the signs (N,) of `nearer`; see `model_as_coder`.

    A human with so few items that no outcome could be significant is left out.
    """
    there = sign != MISSING
    who, d = s.human[there], sign[there].astype(float)
    n = np.bincount(who, minlength=len(s.humans)).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, square, at_least, at_most = (
            np.bincount(who, x, len(n)) / n for x in (d, d * d, d <= 0, d >= 0)
        )
    statistic, p = mean_below(n, mean, square, epsilon)
    names = np.where(n >= min_items, "t", "none").astype(object)
    for j in np.flatnonzero(n < min_items).tolist():
        statistic[j], p[j] = math.nan, math.nan
        if few == "leave_out" or not n[j] or 0.5 ** n[j] > q:
            continue
        names[j], own = few, d[who == j]
        if few == "exact":
            of_model, of_human = int((own < 0).sum()), int((own > 0).sum())
            statistic[j], p[j] = exactly_below(len(own), of_model, of_human, float(epsilon[j]))
        else:
            statistic[j], p[j] = signed_ranks_below(own - epsilon[j])
            p[j] = p[j] if mean[j] < epsilon[j] else 1.0
    p_adjusted = adjusted(p)
    known = ~np.isnan(p)
    beaten = (p_adjusted <= q).astype(object)
    beaten[~known] = None
    each = epsilon, n.astype(int), at_least, at_most, names, statistic, p, p_adjusted, beaten
    rows = zip(s.humans, *(x.tolist() for x in each), strict=True)
    tests = tuple(HumanTest(model, *row) for row in rows)
    if not known.any():
        return ModelTest(model, 0, 0, math.nan, None, *(math.nan,) * 5, tests)
    rate = float((p_adjusted[known] <= q).mean())
    value, pull, n_items = _mean_advantage(s, sign, there, known)
    se, low, high = spread(value, pull, n_items, level)
    return ModelTest(
        model,
        int(known.sum()),
        n_items,
        rate,
        rate >= HALF,
        value,
        se,
        max(low, 0.0),
        min(high, 1.0),
        float(at_most[known].mean()),
        tests,
    )


def _mean_advantage(
    s: Sides, sign: Signs, there: Bools, chosen: Bools
) -> tuple[float, Floats, int]:
    """Mean ρ of a model over the chosen humans (H,), the pull of each item, and their number."""
    used = there & chosen[s.human]
    who, where, x = s.human[used], s.item[used], (sign[used] <= 0).astype(float)
    n = np.maximum(np.bincount(who, minlength=len(chosen)), 1)
    mean = np.bincount(who, x, len(chosen)) / n
    m = int(chosen.sum())
    pull = sums(where, (x - mean[who]) / (n[who] * m), s.n_items)
    return float(mean[chosen].sum() / m), pull, len(np.unique(where))


def rivals(
    s: Sides, tests: Sequence[ModelTest], sign: Signs, level: float
) -> tuple[ModelDifference, ...]:
    """Every pair of models, paired over items (M (M − 1) / 2 of them); signs are (N, M)."""
    found = [
        _rivals(s, (tests[a], tests[b]), sign[:, [a, b]], level)
        for a, b in combinations(range(len(tests)), 2)
    ]
    p = adjusted(np.array([d.p_value for d in found])).tolist()
    return tuple(replace(d, p_adjusted=x) for d, x in zip(found, p, strict=True))


def _rivals(
    s: Sides, tests: tuple[ModelTest, ModelTest], sign: Signs, level: float
) -> ModelDifference:
    """Two models on the items of both; NaN if no human was compared with both."""
    names = tests[0].model, tests[1].model
    both = (sign != MISSING).all(1)
    chosen = np.bincount(s.human[both], minlength=len(s.humans)) > 0
    for test in tests:
        chosen &= np.array([t.beaten is not None for t in test.tests])
    if not chosen.any():
        return ModelDifference(*names, 0, 0, math.nan, math.nan, math.nan)
    (one, first, n), (two, second, _) = (
        _mean_advantage(s, sign[:, k], both, chosen) for k in (0, 1)
    )
    se, low, high = spread(one - two, first - second, n, level)
    p = p_value(one - two, 0.0, se, n - 1, "two-sided")
    if se == 0:  # the two never differ, or always in the same way
        p = 1.0 if one == two else 0.0
    m = int(chosen.sum())
    return ModelDifference(*names, n, m, one, two, one - two, se, low, high, p)
