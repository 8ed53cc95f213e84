"""The loop that all models share: climb until the objective and the labels stand still."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ..arrays import Floats

Objective: TypeAlias = Literal["log-likelihood", "log posterior", "lower bound", "none"]

STILL = 1e-4  # change of the probability of a label that no decision depends on
PLAIN = 60  # iterations before strides: published runs have fewer, and most data need no more
LONGEST = 4.0  # the longest stride at first, in steps; it grows where strides succeed
KEPT = 0.1  # a stride leaves at least this part of a probability: 0 would be for ever


class Iteration(NamedTuple):
    """One round: the probabilities (I, K) that follow, and the objective at what led to them."""

    probabilities: Floats
    objective: float


Round: TypeAlias = Callable[[Floats], Iteration]
Within: TypeAlias = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class How:
    """How a model is fitted.

    Parameters
    ----------
    restarts : int
        Further starts beside the votes themselves.
    tolerance : float
        Relative change of the objective at which to stop, if the labels stand still too.
    max_iterations : int
    seed : int
        Of the restarts, and of whatever else is drawn.
    progress : callable, optional
        Called with (done, total) during long work.
    """

    restarts: int = 0
    tolerance: float = 1e-9
    max_iterations: int = 2000
    seed: int = 0
    progress: Callable[[int, int], None] | None = field(default=None, compare=False)

    def generator(self, *spawn: int) -> np.random.Generator:
        """Random numbers that depend on the seed and on what they are for, and on nothing else."""
        return np.random.default_rng([self.seed, *spawn])


@dataclass(frozen=True)
class Climb:
    """What the loop did.

    Parameters
    ----------
    objective : {'log-likelihood', 'log posterior', 'lower bound', 'none'}
    history : tuple of float
        Its value in each iteration, natural logarithm.
    converged : bool
    """

    objective: Objective
    history: tuple[float, ...]
    converged: bool

    @property
    def n_iterations(self) -> int:
        """How many there were."""
        return len(self.history)

    @property
    def value(self) -> float:
        """The objective in the end; NaN if the model has none."""
        return self.history[-1] if self.history else math.nan


def climb(
    step: Round,
    start: Floats,
    how: How,
    objective: Objective = "log-likelihood",
    *,
    strides: bool = False,
    within: Within | None = None,
    plain: int = PLAIN,
) -> tuple[Floats, Climb]:
    """Repeat a step until nothing changes any more.

    Parameters
    ----------
    step : callable
        From probabilities (I, K) to a `Iteration`.
    start : ndarray
        (I, K) probabilities; not changed.
    how : How
    objective : str
        What the objective is.
    strides : bool
        Whether the loop may stride ahead where it goes on and on in the same direction (from
        iteration ``plain`` on). Only for a step that depends on nothing but its argument.
    within : callable, optional
        Where a stride may end, for steps that go from something else than probabilities: from
        where it would end and where two steps end to where it does end.
    plain : int
        Iterations before the first stride.

    Returns
    -------
    probabilities : ndarray
        (I, K)
    climb : Climb

    Notes
    -----
    A stride extrapolates two steps by SQUAREM, scheme S3 (Varadhan & Roland 2008), and is taken
    back if the objective would fall, so that the history still never does. On data with few
    annotations per coder it saves nine iterations of ten.

    Examples
    --------
    >>> import numpy as np
    >>> def halfway(q):
    ...     return Iteration((q + 0.5) / 2, -float(((q - 0.5) ** 2).sum()))
    >>> q, run = climb(halfway, np.array([[0.9, 0.1]]), How(tolerance=1e-6))
    >>> q.round(3).tolist(), run.converged
    ([[0.5, 0.5]], True)
    """
    loop = _Loop(step, how, within or _probable)
    q = start
    while loop.goes_on:
        first = loop.take(q)
        if not (strides and loop.goes_on and len(loop.history) >= plain):
            q = first
            continue
        second = loop.take(first)
        q = loop.stride(q, first, second) if loop.goes_on else second
    history = tuple(loop.history)
    return q, Climb(objective, history, loop.converged)


class _Loop:
    """The state of a climb: its history, and how long its strides may be."""

    def __init__(self, step: Round, how: How, within: Within) -> None:
        self.step, self.how, self.within = step, how, within
        self.history: list[float] = []
        self.converged = False
        self.longest = LONGEST

    @property
    def goes_on(self) -> bool:
        return not self.converged and len(self.history) < self.how.max_iterations

    def take(self, q: Floats) -> Floats:
        """A plain step, which may turn out to be the last one."""
        new, value = self.step(q)
        last = self.history[-1] if self.history else -math.inf
        self._note(value)
        small = abs(value - last) <= self.how.tolerance * abs(value)
        self.converged = small and moved(new, q) < STILL
        return new

    def stride(self, q: Floats, first: Floats, second: Floats) -> Floats:
        """What follows a leap in the direction of two steps, if it leads upwards."""
        length, leapt = _leap(q, first, second, self.longest)
        if length <= 1:
            return second
        new, value = self.step(self.within(leapt, second))
        if not value >= self.history[-1]:
            self.longest = max(LONGEST, length / 2)
            return second
        self._note(value)
        if length == self.longest:
            self.longest *= 4
        return new

    def _note(self, value: float) -> None:
        self.history.append(value)
        if self.how.progress is not None:
            self.how.progress(len(self.history), self.how.max_iterations)


def _leap(q: Floats, first: Floats, second: Floats, longest: float) -> tuple[float, Floats]:
    """The length of a stride (1: two plain steps) and where it ends."""
    r = first - q
    v = (second - first) - r
    bend = math.sqrt(float(np.vdot(v, v)))
    length = longest if bend == 0 else min(math.sqrt(float(np.vdot(r, r))) / bend, longest)
    if length <= 1:
        return 1.0, second
    return length, q + 2 * length * r + length**2 * v


def _probable(leapt: Floats, second: Floats) -> Floats:
    """Probabilities again, none of them much smaller than after two steps."""
    kept = np.maximum(leapt, KEPT * second)
    kept /= kept.sum(1, keepdims=True)
    return kept


def moved(new: Floats, old: Floats) -> float:
    """The largest change of a probability.

    Examples
    --------
    >>> moved(np.array([[0.5, 0.5]]), np.array([[0.75, 0.25]]))
    0.25
    """
    change = new - old
    return float(max(change.max(initial=0), -change.min(initial=0)))
