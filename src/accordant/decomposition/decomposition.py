"""One partition of a scheme: what it is measured on, both levels, what it explains, its items.

More than two levels are a chain of partitions, each of which divides the one before. Observed and
expected disagreement both add up over levels, so that each level has a share of them and a
coefficient of its own, and these make up the coefficient of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError
from ..numbers import count_of, decimal, joined
from ..results import Result
from ..scheme import Label, Value
from .contingency import Cells, DisputedItem, States, disputed
from .figures import ClosedForm, LevelFigure, closed_form, graded, shares
from .level_scores import LevelScores, Rounding, crossed, mean_of_pairs, score
from .levels import Level, first_level, overall, pair_text, second_level
from .partition import Partition, listed
from .slips import Beyond, Slips, slips_of

COLUMNS = (
    "question",
    "rank",
    "rule",
    "n_blocks",
    "side_0",
    "side_1",
    "first",
    "first_low",
    "first_high",
    "second",
    "second_low",
    "second_high",
    "explained",
    "explained_low",
    "explained_high",
    "chance",
    "lift",
    "excess",
    "excess_low",
    "excess_high",
    "explained_by_slips",
    "beyond_slips",
    "beyond_slips_low",
    "beyond_slips_high",
    "beyond",
    "flip_baseline",
    "null_first",
    "null_second",
    "gain",
    "smaller_side",
    "n_items",
    "n_kept",
    "n_level_1",
    "n_level_2",
    "undefined",
)
"""The columns of a partition, without those of the labels."""


@dataclass(frozen=True, eq=False)
class Basis:
    """What partitions of the values of one question are measured on.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    counts : Counts
        Its counted annotations, one value for each set of labels.
    cells : Cells
        The tables of pairs of coders, with the items that fill them.
    form : ClosedForm
        The coefficient, of two coders.
    confidence : float
        Level of the intervals.
    rounding : Rounding or None
        Rows are printed as a paper does; None for unrounded rows.
    """

    question: str | None
    data: Annotations
    counts: Counts
    cells: Cells
    form: ClosedForm
    confidence: float = 0.95
    rounding: Rounding | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        """(C,) the values that two coders of an item gave."""
        return self.cells.states.values

    @property
    def labels(self) -> tuple[Label, ...]:
        """(L,) the labels of sets; of categories empty."""
        return self.cells.states.labels

    def text(self, values: tuple[Value, ...]) -> str:
        """Values as a reader finds them in tables: sets as bits."""
        return listed(values, self.cells.states)

    @cached_property
    def n_items(self) -> int:
        """Items that two coders annotated."""
        return round(float(self.counts.n_pairable))

    def level_of(self, block: Ints, which: int) -> Level:
        """Agreement on one level of a partition, (C,) the block of each value."""
        level = first_level if which == 1 else second_level
        return level(self.cells, self.form, block, self.confidence)

    @cached_property
    def slips(self) -> Slips | None:
        """What random errors alone would show; None for too many values."""
        return slips_of(self.cells)

    @cached_property
    def total(self) -> Total:
        """Agreement before anything is taken apart."""
        return Total(self)


@dataclass(frozen=True, eq=False)
class Total(Result):
    """Agreement of each pair of coders on each label, before anything is taken apart.

    Parameters
    ----------
    basis : Basis
    """

    basis: Basis

    @cached_property
    def level(self) -> Level:
        """The coefficient."""
        return overall(self.basis.cells, self.basis.form, self.basis.confidence)

    @cached_property
    def percent(self) -> Level:
        """Percent agreement."""
        return overall(self.basis.cells, closed_form("percent"), self.basis.confidence)

    @property
    def value(self) -> float:
        """The mean over the labels and the pairs of coders."""
        return self.level.mean.value

    def given(self) -> list[dict[str, Any]]:
        """One row for each coder: how many items, and how many of them with each label."""
        counts, states = self.basis.counts, self.basis.cells.states
        if counts.coder is None:
            return []
        names: tuple[Value, ...] = self.basis.labels or counts.values
        rows = []
        for coder, n in zip(counts.coders, counts.by_coder, strict=True):
            held = [
                float(n[[k for k, v in enumerate(counts.values) if _holds(v, name)]].sum())
                for name in names
            ]
            each = dict(zip(map(str, names), map(round, held), strict=True))
            rows.append({"coder": coder, "n_items": round(float(n.sum()))} | each)
        return rows if states.n_states else []

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each pair of coders and label and their means, by percent and coefficient.

        With a rounding one row for each pair of coders, with a column for each label (Table 2 of
        Levi & Shenhav 2022).
        """
        if self.basis.rounding is not None:
            return [
                *self._printed("percent", self.percent),
                *self._printed(self.basis.form.key, self.level),
            ]
        rows = []
        for measure, level in (("percent", self.percent), (self.basis.form.key, self.level)):
            rows += [{"measure": measure} | row for row in level.to_rows()]
        return rows

    def _printed(self, measure: str, level: Level) -> list[dict[str, Any]]:
        percent = measure == "percent"
        how = Rounding(digits=1, factor=100) if percent else Rounding()
        rows = []
        for g, pair in enumerate([*level.pairs, None]):
            each, mean = how.row(level.values, None if pair is None else g)
            row = {"measure": measure, "pair": None if pair is None else pair_text(pair)}
            row |= dict(zip(map(label_column, level.labels), each, strict=False))
            rows.append(row | {"average": mean})
        return rows

    def __str__(self) -> str:
        return f"{self.basis.form.key} {self.level}"

    __repr__ = __str__


def _holds(value: Value, name: Value) -> bool:
    return name in value if isinstance(value, tuple) else value == name


def label_column(label: Label) -> str:
    """The name of a label's column, which must not be that of another.

    Examples
    --------
    >>> label_column("Success"), label_column("first")
    ('Success', 'label first')
    """
    return f"label {label}" if str(label) in COLUMNS else str(label)


# ------------------------------------------------------------------ one partition


@dataclass(frozen=True, eq=False)
class Decomposition(Result):
    """A partition of the values, with agreement on both levels (Levi & Shenhav 2022, section 3).

    Level 1 asks in which block of the partition a value is. Level 2 asks for the value itself,
    among the items on which two coders agree on level 1: of sets every label for itself, of
    categories all of them at once. Figures are worked out when they are asked for.

    Parameters
    ----------
    basis : Basis
    partition : Partition
        What level 1 asks.
    rank : int or None
        Its place among those that were looked at.
    n_compared : int
        Among how many it was found.
    deeper : tuple of Partition
        Further levels, each of which divides the blocks of the one before; see `steps`.

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> plot = ac.decompose(examples.load("levi2022_neat"), by="any label")[0]
    >>> print(plot.first.mean)
    0.696 [0.664, 0.728]
    >>> print(plot.explained, round(plot.flip, 2))
    0.515 [0.475, 0.556] 0.5
    """

    basis: Basis
    partition: Partition
    rank: int | None = None
    n_compared: int = 1
    deeper: tuple[Partition, ...] = ()

    @property
    def rule(self) -> str:
        """What level 1 asks, in words."""
        return self.partition.rule

    @cached_property
    def block(self) -> Ints:
        """(C,) the block of each value."""
        return self.partition.of(self.basis.values)

    # ------------------------------------------------------------------ agreement

    @cached_property
    def first(self) -> Level:
        """Agreement on level 1."""
        return self.basis.level_of(self.block, 1)

    @cached_property
    def second(self) -> Level:
        """Agreement on level 2, given agreement on level 1."""
        return self.basis.level_of(self.block, 2)

    # ------------------------------------------------------------------ what it explains

    @cached_property
    def _shares(self) -> dict[str, LevelFigure]:
        b = self.basis
        return shares(b.cells, b.form, self.block, b.confidence)

    @property
    def explained(self) -> LevelFigure:
        """Share of the items on which two coders differ that level 1 separates.

        The mean over the pairs of coders; where all of them are counted in one table, the share of
        the pairs of annotations that differ.
        """
        return self._shares["explained"]

    @property
    def chance(self) -> LevelFigure:
        """The share that draws by chance would put there."""
        return self._shares["chance"]

    @property
    def excess(self) -> LevelFigure:
        """Explained less chance: comparable over partitions of any size."""
        return self._shares["excess"]

    @property
    def lift(self) -> LevelFigure:
        """Explained over chance."""
        return self._shares["lift"]

    @cached_property
    def beyond(self) -> Beyond:
        """How far it lies beyond what random errors alone would show."""
        slips = self.basis.slips
        if slips is None:
            return Beyond(math.nan, math.nan, 0, math.nan, self.n_compared)
        return slips.beyond(self.block[None], self.n_compared)[0]

    @property
    def explained_by_slips(self) -> float:
        """The share that level 1 would separate if coders only slipped and guessed."""
        return self.beyond.expected

    @property
    def beyond_slips(self) -> LevelFigure:
        """Explained less that by random errors, which counts as known: what is not mere shape."""
        e, by = self.explained, self.explained_by_slips
        return LevelFigure(e.value - by, e.se, e.low - by, e.high - by, e.n, e.undefined)

    @cached_property
    def _scores(self) -> LevelScores:
        return score(self.basis.cells.states, self.block[None], self.basis.form.key)

    @cached_property
    def _by_slips(self) -> LevelScores | None:
        """The same partition, had coders only slipped and guessed as often as they differ."""
        b = self.basis
        if b.slips is None:
            return None
        return score(b.slips.states(b.cells.states), self.block[None], b.form.key)

    @property
    def flip(self) -> float:
        """The flip baseline: share of all slips in one label that level 1 separates anyway.

        On an ordered scale the share of all slips by one step; NaN for other categories.
        """
        return float(self._scores.flip[0])

    @property
    def null_first(self) -> float:
        """Level 1 if coders only slipped and guessed."""
        return math.nan if self._by_slips is None else float(self._by_slips.first[0])

    @property
    def null_second(self) -> float:
        """Level 2 if coders only slipped and guessed."""
        return math.nan if self._by_slips is None else float(self._by_slips.second[0])

    @property
    def gain(self) -> float:
        """Level 2 less that of random errors alone, of the mean over the pairs of coders."""
        return float(self._scores.second[0]) - self.null_second

    @property
    def smaller(self) -> float:
        """Share of the annotations in the smallest block."""
        return float(self._scores.smaller[0])

    @cached_property
    def steps(self) -> ChainLevels:
        """What each level adds: level 1, the deeper ones, and the value itself."""
        b = self.basis
        nothing = np.full_like(b.cells.states.tables.sum(0), math.nan)
        spread = nothing if b.slips is None else b.slips.spread
        return steps(b.cells, b.form, (self.partition, *self.deeper), spread, b.confidence)

    # ------------------------------------------------------------------ items

    def items(self, level: int = 1, most: int | None = None) -> tuple[DisputedItem, ...]:
        """The items on which coders differ on level 1, or on level 2 only, with their texts.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.decompose([["a", "b", "a", "c"], ["a", "c", "c", "c"]], by="a")
        >>> [item.item for item in found[0].items(1)], [item.item for item in found[0].items(2)]
        ([3], [2])
        """
        b = self.basis
        return disputed(b.data, b.counts, b.cells, self.block, self.partition.names, level, most)

    @cached_property
    def _n_disputed(self) -> tuple[int, int]:
        c = self.basis.cells
        apart = c.anywhere(self.block[c.first] != self.block[c.second])
        within = c.anywhere(c.differ) & ~apart
        times = c.counts.times
        return round(float(times @ apart)), round(float(times @ within))

    @property
    def n_first(self) -> int:
        """Items on which two coders differ on level 1."""
        return self._n_disputed[0]

    @property
    def n_second(self) -> int:
        """Items on which coders agree on level 1, and two of them differ on level 2."""
        return self._n_disputed[1]

    @property
    def undefined(self) -> str | None:
        """Which coefficients have no value and are left out of the means, and why."""
        told: dict[str, list[str]] = {}
        for level in (self.first, self.second):
            for label, pair, why in level.undefined:
                where = f"{level.name}, {label}" if label is not None else level.name
                told.setdefault(f"{where}: {why}", []).append(pair_text(pair))
        parts = [f"{sentence} ({', '.join(pairs)})" for sentence, pairs in told.items()]
        return "; ".join(parts) or None

    # ------------------------------------------------------------------ rows

    def to_rows(self) -> list[dict[str, Any]]:
        """One row; a column for each label holds agreement on it on level 2.

        With a rounding only the columns that are printed: the sides, both levels and the labels.
        """
        blocks = self.partition.blocks
        row: dict[str, Any] = {
            "question": self.basis.question,
            "rank": self.rank,
            "rule": self.rule,
            "n_blocks": len(blocks),
            "side_0": self.basis.text(blocks[0]),
            "side_1": " | ".join(map(self.basis.text, blocks[1:])),
        }
        row |= self._levels(None)
        if self.basis.rounding is not None:
            return [row]
        row |= self.explained.to_row("explained")
        row |= {"chance": self.chance.value, "lift": self.lift.value}
        row |= self.excess.to_row("excess") | {"explained_by_slips": self.explained_by_slips}
        row |= self.beyond_slips.to_row("beyond_slips")
        row |= {
            "beyond": self.beyond.score,
            "flip_baseline": self.flip,
            "null_first": self.null_first,
            "null_second": self.null_second,
            "gain": self.gain,
            "smaller_side": self.smaller,
            "n_items": self.basis.n_items,
            "n_kept": self.second.mean.n,
            "n_level_1": self.n_first,
            "n_level_2": self.n_second,
            "undefined": self.undefined,
        }
        return [row]

    def by_pair(self) -> list[dict[str, Any]]:
        """One row for each pair of coders, then their mean: both levels, as in Table 3."""
        rows = []
        for pair in (*self.first.pairs, None):
            row = {"pair": None if pair is None else pair_text(pair)} | self._levels(pair)
            if self.basis.rounding is None:
                row["n_items"] = self.first.figure(pair=pair).n
                row["n_kept"] = self.second.figure(pair=pair).n
            rows.append(row)
        return rows

    def _levels(self, pair: tuple[str, str] | None) -> dict[str, Any]:
        """Both levels and the labels, of a pair of coders or the mean; as printed if asked for."""
        how, labels = self.basis.rounding, self.second.labels
        if how is None:
            first, second = (x.figure(pair=pair).to_row for x in (self.first, self.second))
            each = {label_column(x): self.second.figure(x, pair).value for x in labels}
            return first("first") | each | second("second")
        number = None if pair is None else self.first.pairs.index(pair)
        shown, second_mean = how.row(self.second.values, number)
        printed = dict(zip(map(label_column, labels), shown, strict=False))
        return {"first": how.row(self.first.values, number)[1]} | printed | {"second": second_mean}

    def __str__(self) -> str:
        second = self.second.mean
        of = "" if math.isnan(second.value) else f", level 2 {second}"
        return (
            f"{self.rule}: level 1 {self.first.mean}{of}; explains "
            f"{self.explained.value:.3f} of the disagreement, chance {self.chance.value:.3f} "
            f"({count_of(self.basis.n_items, 'item')})"
        )

    __repr__ = __str__


# ------------------------------------------------------------------ more than two levels


LEAST = 1e-12  # a smaller share of expected disagreement is rounding
WHICH = "which value"


@dataclass(frozen=True, eq=False)
class ChainLevel:
    """One level of several.

    Parameters
    ----------
    level : int
        Counted from 1.
    rule : str
        What it asks, in words.
    n_blocks : int
        How many blocks there are from this level on.
    given : Level
        Agreement on the blocks of this level, among the items on whose block of the level before
        two coders agree, with the margins of these items: what Levi & Shenhav (2022, section 3.1)
        do on the second level.
    coefficient : float
        1 − (observed disagreement that the level adds) / (expected disagreement that it adds), over
        all items; weighted by ``chance`` these make up the coefficient of the whole.
    explained, chance, explained_by_slips : float
        Its share of all observed, and of all expected disagreement, and of that which random
        errors alone would give.
    """

    level: int
    rule: str
    n_blocks: int
    given: Level
    coefficient: float
    explained: float
    chance: float
    explained_by_slips: float

    @property
    def mean(self) -> LevelFigure:
        """The mean of `given` over the pairs of coders."""
        return self.given.mean


@dataclass(frozen=True, eq=False)
class ChainLevels(Result):
    """The levels of a chain, the last of which asks for the value itself.

    Parameters
    ----------
    each : tuple of ChainLevel
    total : float
        The coefficient over all values, the mean over the pairs of coders.

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> found = ac.decompose(examples.load("levi2022_neat"), by=("any label", "number of labels"))
    >>> for step in found[0].steps:
    ...     print(step.rule, step.mean, round(step.explained, 3), round(step.chance, 3))
    any label 0.696 [0.664, 0.728] 0.515 0.6
    number of labels 0.800 [0.776, 0.823] 0.412 0.235
    which value 0.965 [0.954, 0.975] 0.072 0.165
    """

    each: tuple[ChainLevel, ...]
    total: float

    def __iter__(self) -> Iterator[ChainLevel]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, k: int) -> ChainLevel:
        return self.each[k]

    @cached_property
    def weighted(self) -> float:
        """The coefficients of the levels, each with its share of expected disagreement."""
        return float(sum(s.chance * s.coefficient for s in self.each if s.chance > 0))

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each level."""
        names = "coefficient explained chance explained_by_slips"
        return [
            {"level": step.level, "rule": step.rule, "n_blocks": step.n_blocks}
            | {"agreement": step.mean.value, "low": step.mean.low, "high": step.mean.high}
            | {name: getattr(step, name) for name in names.split()}
            | {"n_items": step.mean.n, "undefined": step.mean.undefined}
            for step in self.each
        ]

    def __str__(self) -> str:
        return "\n".join(
            f"{s.rule}: agreement {decimal(s.mean.value)}, {decimal(s.explained)} of the "
            f"disagreement (by chance {decimal(s.chance)}, random errors "
            f"{decimal(s.explained_by_slips)})"
            for s in self.each
        )

    __repr__ = __str__


def steps(
    cells: Cells,
    form: ClosedForm,
    partitions: Sequence[Partition],
    slips: Floats,
    confidence: float,
) -> ChainLevels:
    """A chain of partitions, each of which refines the one before.

    With D and E the observed and expected disagreement on the blocks of a level, and d its number,

        κ_total = Σ_d w_d κ_d,   κ_d = 1 − ΔD_d / ΔE_d,   w_d = ΔE_d / E_total,

    exactly, since both sums telescope. A last level that asks for the value itself is added if the
    last partition does not tell all values apart.

    Parameters
    ----------
    partitions : sequence of Partition
        The coarsest first.
    slips : ndarray
        (C, C) disagreement as random errors alone would spread it.

    Raises
    ------
    RequestError
        If a partition does not refine the one before.
    """
    states = cells.states
    rules = [partition.rule for partition in partitions]
    blocks = [_numbered(partition.of(states.values)) for partition in partitions]
    for k in range(1, len(blocks)):
        _refines(states, blocks[k - 1], blocks[k], rules[k - 1], rules[k])
    if blocks[-1].max(initial=-1) + 1 < states.n_states:
        blocks.append(np.arange(states.n_states))
        rules.append(WHICH)
    parts = [graded(cells, form, block) for block in blocks]
    whole = np.zeros((1, len(states.pairs)))
    observed = np.concatenate([whole, [part.differ for part in parts]])  # (D + 1, G)
    expected = np.concatenate([whole, [1 - part.expected for part in parts]])
    by_slips = np.append(0.0, crossed(slips, np.array(blocks)))
    explained = _ratio(np.diff(observed, axis=0), observed[-1])
    chance = _ratio(np.diff(expected, axis=0), expected[-1])
    coefficient = 1 - _ratio(np.diff(observed, axis=0), np.diff(expected, axis=0))
    of_slips = _ratio(np.diff(by_slips), by_slips[-1])
    before: Ints = np.zeros(states.n_states, np.int64)
    found = []
    for d, block in enumerate(blocks):
        kept = np.asarray(before[cells.first] == before[cells.second])
        part = graded(cells, form, block, kept)
        given = Level(f"level {d + 1}", (), states.pairs, (part,), confidence)
        found.append(
            ChainLevel(
                d + 1,
                rules[d],
                int(block.max(initial=-1)) + 1,
                given,
                mean_of_pairs(coefficient[d]),
                mean_of_pairs(explained[d]),
                mean_of_pairs(chance[d]),
                float(of_slips[d]),
            )
        )
        before = block
    total = mean_of_pairs(1 - _ratio(observed[-1], expected[-1]))
    return ChainLevels(tuple(found), total)


def _refines(states: States, earlier: Ints, later: Ints, before: str, rule: str) -> None:
    """Raise an error that names two values which a later level puts together again."""
    for block in range(int(later.max(initial=-1)) + 1):
        inside = np.flatnonzero(later == block)
        apart = inside[earlier[inside] != earlier[inside[0]]]
        if len(apart):
            two = joined(repr(states.name(states.values[c])) for c in (inside[0], apart[0]))
            raise RequestError(
                f"level {rule!r} puts {two} together, which the level before, {before!r}, keeps "
                "apart: each level of a chain has to divide the blocks of the level before it"
            )


def _numbered(block: Ints) -> Ints:
    """Blocks numbered from 0 on, by their first state."""
    _, first, inverse = np.unique(block, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse], np.int64)


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Shares; NaN of nothing."""
    return np.asarray(part / np.where(whole > LEAST, whole, np.nan))
