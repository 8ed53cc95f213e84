"""Agreement on one level of a scheme: of every pair of coders, on every label, and the means.

More than two levels are chains of ever finer partitions. Observed and expected disagreement both
add up over levels, so that each level has a share of them and a coefficient of its own, and these
make up the coefficient of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..errors import RequestError
from ..inference.distributions import least_share
from ..inference.intervals import interval
from ..measure.registry import chance_corrected
from ..numbers import count_of, joined
from ..results import Result
from ..scheme import Label
from .contingency import Cells
from .figures import ClosedForm, Graded, LevelFigure, error, graded

PERFECT = 1 - 1e-12


@dataclass(frozen=True, eq=False)
class Level(Result):
    """Agreement on one level: of pairs of coders, on each label where values are sets.

    What has no value is left out of the means; `undefined` says which and why.

    Parameters
    ----------
    name : str
        ``'level 1'``, ``'level 2'``, ``'overall'``.
    labels : tuple
        (W,) the labels; empty where one question is asked of the whole value.
    pairs : tuple of (str, str)
        (G,) the pairs of coders; one ``("", "")`` where a table pools all.
    parts : tuple of Graded
        (W,) agreement on each label; one where there are no labels.
    confidence : float
        Level of the intervals.
    settled : tuple of bool
        (W,) which labels the partition settles, so that no disagreement on them is left.

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> plot = ac.decompose(examples.load("levi2022_neat"), by="any label")[0]
    >>> print(plot.second.figure("Success"))
    0.820 [0.782, 0.857]
    >>> print(plot.second.figure("Success", ("A1", "A3")))
    0.844 [0.796, 0.892]
    """

    name: str
    labels: tuple[Label, ...]
    pairs: tuple[tuple[str, str], ...]
    parts: tuple[Graded, ...]
    confidence: float
    settled: tuple[bool, ...] = (False,)

    @cached_property
    def values(self) -> Floats:
        """(W, G) agreement of each pair of coders on each label (W = 1 where there are none)."""
        return np.array([part.value for part in self.parts]).reshape(len(self.parts), -1)

    @property
    def n(self) -> Floats:
        """(G,) items of each pair of coders that this level rests on."""
        return self.parts[0].n

    def _made(self, weight: Floats) -> LevelFigure:
        """The sum of `values`, weighted by (W, G), with its uncertainty."""
        used = weight != 0
        value = float(np.where(used, weight * self.values, 0).sum())
        each = [(p, w, u) for p, w, u in zip(self.parts, weight, used, strict=True) if u.any()]
        times = each[0][0].times
        n = round(float(times @ np.any([part.looked(u) for part, _, u in each], 0)))
        if value > PERFECT:
            return self._perfect(value, weight, used, n)
        se = error(times, np.sum([part.pull(w) for part, w, _ in each], 0), n)
        if not se > 0:
            return LevelFigure(value, n=n, note="these items do not tell how much it would vary")
        low, high = interval(value, se, n - 1, self.confidence)
        return LevelFigure(value, se, low, min(high, 1.0), n)

    def _perfect(self, value: float, weight: Floats, used: Bools, n: int) -> LevelFigure:
        """The exact bound where no item disagrees, as `accordant.inference.intervals` gives it.

        What a partition settles by what it is cannot be otherwise and has no interval.
        """
        if all(s or not u.any() for s, u in zip(self.settled, used, strict=True)):
            return LevelFigure(
                value, 0.0, value, value, n, note="1 by construction: level 1 settles it"
            )
        expected = np.array([part.expected for part in self.parts]).reshape(used.shape)
        least = chance_corrected(np.asarray(least_share(n, self.confidence)), expected)
        low = float(np.where(used, weight * least, 0).sum())
        note = f"no disagreement among {count_of(n, 'item')}: the lower end is the exact bound"
        return LevelFigure(value, math.nan, low, 1.0, n, note=note)

    # ------------------------------------------------------------------ figures

    @cached_property
    def mean(self) -> LevelFigure:
        """The mean over the labels, then over the pairs of coders."""
        return self.figure()

    def figure(
        self, label: Label | None = None, pair: tuple[str, str] | None = None
    ) -> LevelFigure:
        """One number with its interval: of a label or their mean, of a pair or their mean.

        Raises
        ------
        RequestError
            If there is no such label or pair.
        """
        wanted = self._label(label), self._pair(pair)
        if wanted not in self._figures:
            self._figures[wanted] = self._figure(*wanted)
        return self._figures[wanted]

    @cached_property
    def _figures(self) -> dict[tuple[int | None, int | None], LevelFigure]:
        return {}

    def over(self, labels: Iterable[Label]) -> LevelFigure:
        """The mean over some of the labels, then over the pairs of coders.

        Examples
        --------
        >>> import accordant as ac
        >>> from accordant.data import examples
        >>> plot = ac.decompose(examples.load("levi2022_neat"), by="Success")[0]
        >>> print(plot.second.mean, "without the label itself:",
        ...       plot.second.over(["Complication", "Resolution"]))
        0.814 [0.797, 0.830] without the label itself: 0.720 [0.696, 0.745]
        """
        wanted = {self._label(label) for label in labels}
        chosen = np.array([w in wanted for w in range(len(self.values))], bool)
        return self._mean_of(chosen[:, None], None, None)

    def _figure(self, label: int | None, pair: int | None) -> LevelFigure:
        chosen = np.ones(self.values.shape, bool)
        if label is not None:
            chosen &= np.arange(len(chosen))[:, None] == label
        if pair is not None:
            chosen &= np.arange(len(self.pairs)) == pair
        return self._mean_of(chosen, label, pair)

    def _mean_of(self, chosen: Bools, label: int | None, pair: int | None) -> LevelFigure:
        """The mean over the labels, then the pairs, of the chosen (W, G) that have a value."""
        chosen = chosen & ~np.isnan(self.values)
        if not chosen.any():
            return LevelFigure(math.nan, undefined=self._why(label, pair))
        of_pair = chosen.sum(0)
        return self._made(chosen / np.maximum(of_pair, 1) / int((of_pair > 0).sum()))

    # ------------------------------------------------------------------ what is left out

    @property
    def undefined(self) -> tuple[tuple[Label | None, tuple[str, str], str], ...]:
        """Label, pair of coders and reason of every coefficient without a value."""
        names: Sequence[Label | None] = self.labels or (None,)
        return tuple(
            (names[w], self.pairs[g], self._why(w, int(g)))
            for w, g in zip(*np.nonzero(np.isnan(self.values)), strict=True)
        )

    def _why(self, label: int | None, pair: int | None) -> str:
        n = float(self.n.sum() if pair is None else self.n[pair])
        if not n > 0:
            return "no item is left on which the coders could agree or differ"
        if label is None or not self.labels:
            return "every annotation that is left is the same, so agreement is certain by chance"
        name = str(self.labels[label])
        return (
            f"every annotation that is left has {name!r}, or none has, so agreement is certain "
            "by chance"
        )

    def _label(self, label: Label | None) -> int | None:
        if label is None:
            return None
        if label not in self.labels:
            have = joined(map(repr, self.labels)) if self.labels else "none"
            raise RequestError(f"{self.name} has no label {label!r}: it has {have}")
        return self.labels.index(label)

    def _pair(self, pair: tuple[str, str] | None) -> int | None:
        if pair is None:
            return None
        known = {frozenset(p): g for g, p in enumerate(self.pairs)}
        if frozenset(pair) not in known:
            have = joined(map(pair_text, self.pairs))
            raise RequestError(f"there is no pair of coders {pair!r}: there is {have}")
        return known[frozenset(pair)]

    # ------------------------------------------------------------------ rows

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each pair of coders and label, then the means (pair or label None)."""
        pairs: list[tuple[str, str] | None] = [*self.pairs, None]
        labels: list[Label | None] = [*self.labels, None]
        return [self._row(label, pair) for pair in pairs for label in labels]

    def _row(self, label: Label | None, pair: tuple[str, str] | None) -> dict[str, Any]:
        where = {"level": self.name, "pair": pair and pair_text(pair), "label": label}
        found = asdict(self.figure(label, pair))
        names = ("value", "se", "low", "high", "n", "undefined", "note")
        return where | {"n_items" if name == "n" else name: found[name] for name in names}

    def __str__(self) -> str:
        each = ", ".join(f"{x} {self.figure(x)}" for x in self.labels)
        return f"{self.name}: {self.mean}" + (f" ({each})" if each else "")

    __repr__ = __str__


def pair_text(pair: tuple[str, str]) -> str:
    """A pair of coders in a sentence.

    Examples
    --------
    >>> pair_text(("Ada", "Bob")), pair_text(("", ""))
    ('Ada × Bob', 'all coders')
    """
    return " × ".join(pair) if any(pair) else "all coders"


def first_level(
    cells: Cells, form: ClosedForm, block: Ints, confidence: float, name: str = "level 1"
) -> Level:
    """Agreement on the blocks of a partition, (C,) the block of each state."""
    part = graded(cells, form, block)
    return Level(name, (), cells.states.pairs, (part,), confidence)


def second_level(
    cells: Cells, form: ClosedForm, block: Ints, confidence: float, name: str = "level 2"
) -> Level:
    """Agreement on the values, among the items whose two values are in the same block.

    All blocks are counted together, with the margins of the items that are left (Levi & Shenhav
    2022, section 3.1): of sets on every label for itself, of categories on all of them.
    """
    states = cells.states
    kept = np.asarray(block[cells.first] == block[cells.second])
    kept &= len(np.unique(block)) < states.n_states  # else there is nothing left to ask
    if not states.members.shape[1]:
        every = np.arange(states.n_states)
        part = graded(cells, form, every, kept)
        return Level(name, (), states.pairs, (part,), confidence)
    parts = tuple(graded(cells, form, x.astype(np.int64), kept, 2) for x in states.members.T)
    settled = tuple(_constant(x, block) for x in states.members.T)
    return Level(name, states.labels, states.pairs, parts, confidence, settled)


def overall(cells: Cells, form: ClosedForm, confidence: float) -> Level:
    """Agreement on the values among all items."""
    nothing = np.zeros(cells.states.n_states, np.int64)
    return second_level(cells, form, nothing, confidence, "overall")


def _constant(label: Bools, block: Ints) -> bool:
    """Whether all values of each block have the label, or none has."""
    n = np.bincount(block)
    held = np.bincount(block, label)
    return bool(((held == 0) | (held == n)).all())
