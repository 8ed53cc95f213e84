"""Both levels by a coefficient that takes all coders at once, with any weights it knows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..counts.counts import Counts
from ..inference.distributions import least_share
from ..inference.influence import linearise
from ..inference.intervals import interval, standard_error
from ..inference.measured import weights_of
from ..measure.measures import Measure
from ..measure.registry import chance_corrected
from ..measure.sets import label_sets
from ..measure.weights import Weights
from ..scheme import Label, Scheme
from .intervals import PERFECT, Figure
from .one_level import Level, constant
from .states import States

__all__ = ["LevelTogether", "Together", "level_together"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Together:
    """A coefficient over all coders, and the weights of level 2 if it has any.

    Parameters
    ----------
    measure : Measure
        Such as alpha, or alpha with MASI.
    scheme : Scheme
    """

    measure: Measure
    scheme: Scheme

    @property
    def whole(self) -> bool:
        """Whether sets are compared as a whole, not label by label."""
        c = self.measure.coefficient
        return self.measure.weights is not None or c.only_sets or c.fixed_weights


@dataclass(frozen=True, eq=False)
class LevelTogether(Level):
    """Agreement of all coders at once.

    Parameters
    ----------
    asked : Together
    counts : Counts
        The items with two annotations or more.
    kept : ndarray of bool
        (P,) the patterns whose items are looked at.
    each : tuple of Counts
        (W,) the annotations as they are compared.
    weighted : bool
        Whether the weights of the coefficient are used, not plain equality.
    settled : tuple of bool
        (W,) which labels the partition settles.
    confidence : float
    """

    asked: Together
    counts: Counts
    kept: Bools
    each: tuple[Counts, ...]
    weighted: bool
    settled: tuple[bool, ...]
    confidence: float

    @cached_property
    def values(self) -> Floats:
        found = [float(self._parts(k)[2]) for k in range(len(self.each))]
        return np.array(found).reshape(-1, 1)

    @property
    def n(self) -> Floats:
        return np.array([float(self.counts.times @ self.kept)])

    def _parts(self, k: int) -> tuple[Floats, Floats, Floats]:
        w = self._weights(k)
        found = self.asked.measure.coefficient.parts(self.each[k], w)
        return found.observed, found.expected, found.value

    def _weights(self, k: int) -> Weights:
        m = self.asked.measure
        asked = m.weights if self.weighted else "identity"
        return weights_of(m.coefficient, self.each[k], self.asked.scheme, asked)

    def _made(self, weight: Floats) -> Figure:
        used = np.flatnonzero(weight[:, 0])
        value = float(weight[used, 0] @ self.values[used, 0])
        n = round(float(self.n[0]))
        if value > PERFECT:
            return self._perfect(used, weight[:, 0], value, n)
        looked = np.append(self.kept, False)[self.counts.pattern_of]
        pull = np.zeros(len(looked))
        for k in map(int, used):
            found = linearise(self.asked.measure.coefficient, self.each[k], self._weights(k))
            pull += weight[k, 0] * np.where(looked, found.of_items(), 0)
        se = standard_error(float(pull @ pull) / (n * (n - 1))) if n > 1 else math.nan
        if not se > 0:
            return Figure(value, n=n, note="these items do not tell how much it would vary")
        low, high = interval(value, se, n - 1, self.confidence)
        return Figure(value, se, low, min(high, 1.0), n)

    def _perfect(self, used: Ints, weight: Floats, value: float, n: int) -> Figure:
        if all(self.settled[k] for k in used):
            return Figure(value, 0.0, value, value, n, note="1 by construction: level 1 settles it")
        least = np.asarray(least_share(n, self.confidence))
        low = sum(float(weight[k] * chance_corrected(least, self._parts(k)[1])) for k in used)
        note = f"no disagreement among {n:,} items: the lower end is the exact bound"
        return Figure(value, math.nan, low, 1.0, n, note=note)


def level_together(
    asked: Together, counts: Counts, states: States, block: Ints, which: int, confidence: float
) -> LevelTogether:
    """One level of a partition, by all coders at once.

    Level 1 compares the blocks. Level 2 rests on the items that all coders put into the same block.

    Parameters
    ----------
    counts : Counts
        With one value for each set of labels.
    block : ndarray of int
        (C,) the block of each state.
    which : {1, 2}
    """
    counts = counts.pairable
    own = dict(zip(states.values, block.tolist(), strict=True))
    of_value = np.array([own.get(value, 0) for value in counts.values], np.int64)
    name, everything = f"level {which}", np.ones(counts.n_patterns, bool)
    if which == 1:
        merged = counts.merged(of_value, tuple(range(int(block.max()) + 1)))
        return LevelTogether(
            name, (), (("", ""),), asked, counts, everything, (merged,), False, (False,), confidence
        )
    kept = _all_alike(counts, of_value) & (len(np.unique(block)) < states.n_states)
    drawn = counts.drawn(counts.times * kept)
    labels: Sequence[Label] = () if asked.whole else states.labels
    each: tuple[Counts, ...] = (drawn,)
    settled: tuple[bool, ...] = (False,)
    if labels:
        sets = label_sets(counts.values)
        has = [sets.members[:, sets.labels.index(x)].astype(np.int64) for x in labels]
        each = tuple(drawn.merged(x, (0, 1)) for x in has)
        settled = tuple(constant(x, block) for x in states.members.T)
    return LevelTogether(
        name, tuple(labels), (("", ""),), asked, counts, kept, each, not labels, settled, confidence
    )


def _all_alike(counts: Counts, of_value: Ints) -> Bools:
    """(P,) whether all annotations of a pattern are of one block."""
    block = of_value[counts.value]
    other = block != block[counts.start[:-1]][counts.row]
    return np.asarray(counts.sum_entries(other) == 0)
