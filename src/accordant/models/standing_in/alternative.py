"""The alternative annotator test: whether a model may take the place of a human.

Calderon, Reichart & Dror (2025). Each human is left out in turn. On the items of that human, the
human and the model are compared by how near they come to the humans who remain. The model stands
in for a human if it is not worse by ε or more, and passes if it does so for half of the humans.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...errors import RequestError, unknown
from ...inference.distributions import t_quantile
from ...numbers import decimal
from ...results import Result
from .aligning import MISSING
from .exact import exactly_below
from .rejecting import adjusted, mean_below, share_of, signed_ranks_below

__all__ = [
    "EPSILONS", "FEW", "HALF", "Epsilon", "HumanTest", "ModelTest", "epsilons", "mean_advantage",
    "model_test", "spread",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Signs: TypeAlias = NDArray[np.int8]
Epsilon: TypeAlias = float | str | Mapping[str, float | str]

EPSILONS: Mapping[str, float] = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
"""What Calderon et al. (2025) advise: the dearer a human, the more a model may lose."""
HALF = 0.5  # of the humans must be beaten
FEW = ("exact", "wilcoxon", "leave_out")


@dataclass(frozen=True)
class HumanTest(Result):
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

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        row = {f.name: getattr(self, f.name) for f in fields(self)}
        return [row | {"difference": self.difference}]


@dataclass(frozen=True)
class ModelTest(Result):
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

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        row = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "tests"}
        return [row | {"n_beaten": self.n_beaten}]

    def __str__(self) -> str:
        if self.passed is None:
            return f"{self.model}: not tested"
        return (
            f"{self.model}: {'passed' if self.passed else 'failed'}, winning rate "
            f"{decimal(self.winning_rate, 2)} ({self.n_beaten} of {self.n_humans} humans), "
            f"advantage probability {decimal(self.advantage, 2)}"
        )


def epsilons(epsilon: Epsilon, humans: Sequence[str]) -> Floats:
    """(H,) what the model may lose against each human.

    Parameters
    ----------
    epsilon : float, str or mapping
        A number from 0 to 1; 'expert' (.2), 'skilled' (.15) or 'crowd' (.1), which Calderon et
        al. (2025) advise; or one of these for each human.
    humans : sequence of str

    Raises
    ------
    RequestError
        If it is something else, or a human is missing from the mapping.

    Examples
    --------
    >>> epsilons("expert", ["ann", "bob"]).tolist()
    [0.2, 0.2]
    >>> epsilons({"ann": "expert", "bob": 0.05}, ["ann", "bob"]).tolist()
    [0.2, 0.05]
    """
    if not isinstance(epsilon, Mapping):
        return np.full(len(humans), _epsilon(epsilon))
    for name in epsilon:
        if name not in humans:
            raise unknown("human", name, humans)
    absent = [h for h in humans if h not in epsilon]
    if absent:
        raise RequestError(
            f"there is no number for {absent[0]!r}: give one for each human, or one for all",
            parameter="epsilon",
        )
    return np.array([_epsilon(epsilon[h]) for h in humans])


def _epsilon(x: Any) -> float:
    if isinstance(x, str):
        if x not in EPSILONS:
            known = ", ".join(f"{name!r} ({value})" for name, value in EPSILONS.items())
            raise RequestError(f"unknown epsilon {x!r}: choose one of {known}, or a number")
        return EPSILONS[x]
    return share_of("epsilon", x, open_end=False)


def model_test(
    model: str,
    sign: Signs,
    item: Ints,
    human: Ints,
    humans: Sequence[str],
    epsilon: Floats,
    *,
    q: float,
    min_items: int,
    few: str,
    level: float,
) -> ModelTest:
    """The test of one model from the comparisons of all humans.

    Parameters
    ----------
    model : str
    sign : ndarray of int8
        (N,) see `aligning.nearer`.
    item, human : ndarray of int
        (N,)
    humans : sequence of str
        (H,)
    epsilon : ndarray
        (H,)
    q : float
        False discovery rate.
    min_items : int
        With fewer items of a human the t-test is not trusted.
    few : {'exact', 'wilcoxon', 'leave_out'}
        What is done with such a human: an exact test, a signed-rank test as in the text of the
        paper, or nothing as in the program of the authors. A human with so few items that no
        outcome could be significant is left out.
    level : float

    Returns
    -------
    ModelTest
    """
    there = sign != MISSING
    who, d = human[there], sign[there].astype(float)
    n = np.bincount(who, minlength=len(humans)).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, square, at_least, at_most = (
            np.bincount(who, x, len(humans)) / n for x in (d, d * d, d <= 0, d >= 0)
        )
    statistic, p = mean_below(n, mean, square, epsilon)
    names = np.where(n >= min_items, "t", "none").astype(object)
    for j in np.flatnonzero(n < min_items).tolist():
        statistic[j], p[j] = math.nan, math.nan
        if few == "leave_out" or not n[j] or 0.5 ** n[j] > q:
            continue
        own = d[who == j]
        if few == "exact":
            nearer, farther = int((own < 0).sum()), int((own > 0).sum())
            statistic[j], p[j] = exactly_below(len(own), nearer, farther, float(epsilon[j]))
        else:
            statistic[j], p[j] = signed_ranks_below(own - epsilon[j])
            p[j] = p[j] if mean[j] < epsilon[j] else 1.0
        names[j] = few
    p_adjusted = adjusted(p)
    known = ~np.isnan(p)
    tests = tuple(
        HumanTest(
            model, humans[j], float(epsilon[j]), int(n[j]), float(at_least[j]), float(at_most[j]),
            str(names[j]), float(statistic[j]), float(p[j]), float(p_adjusted[j]),
            bool(p_adjusted[j] <= q) if known[j] else None,
        )
        for j in range(len(humans))
    )  # fmt: skip
    if not known.any():
        nothing = (math.nan,) * 4
        return ModelTest(model, 0, 0, math.nan, None, *nothing, math.nan, tests)
    rate = float((p_adjusted[known] <= q).mean())
    value, pull, n_items = mean_advantage(sign <= 0, there, item, human, known)
    se, low, high = spread(value, pull, n_items, level)
    return ModelTest(
        model, int(known.sum()), n_items, rate, rate >= HALF, value, se, max(low, 0.0),
        min(high, 1.0), float(at_most[known].mean()), tests,
    )  # fmt: skip


def mean_advantage(
    x: NDArray[Any], there: NDArray[np.bool_], item: Ints, human: Ints, chosen: NDArray[np.bool_]
) -> tuple[float, Floats, int]:
    """The mean of ``x`` (N,) for each of the chosen humans (H,), averaged over these.

    Returns
    -------
    value : float
    pull : ndarray
        (I,) how far each item moves it; sums to 0.
    n_items : int
        Items that it rests on.
    """
    used = there & chosen[human]
    who, where, x = human[used], item[used], np.asarray(x, float)[used]
    n = np.maximum(np.bincount(who, minlength=len(chosen)), 1)
    mean = np.bincount(who, x, len(chosen)) / n
    m = int(chosen.sum())
    moved = (x - mean[who]) / (n[who] * m)
    pull = np.bincount(where, moved, int(item.max(initial=0)) + 1).astype(float)
    return float(mean[chosen].sum() / m), pull, len(np.unique(where))


def spread(value: float, pull: Floats, n: int, level: float) -> tuple[float, float, float]:
    """Standard error over n items, and interval; NaN for a single item or no variation."""
    if n < 2:
        return math.nan, math.nan, math.nan
    se = math.sqrt(float(pull @ pull) * n / (n - 1))
    if se < 1e-12:
        return 0.0, math.nan, math.nan
    reach = t_quantile((1 + level) / 2, n - 1) * se
    return se, value - reach, value + reach
