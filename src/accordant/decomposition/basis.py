"""What partitions of one question are measured on, and agreement before anything is taken apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Floats
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError
from ..results import Result
from ..scheme import Label, Value
from .figures import ClosedForm, closed_form
from .levels import Level, Together, overall, pair_text
from .scores import Scores, mean_of_known
from .slips import Slips, slips_of
from .tables import Cells

__all__ = [
    "COLUMNS", "ROUNDINGS", "Basis", "Rounding", "Total", "half_up", "label_column", "rounding_of",
]  # fmt: skip

COLUMNS = (
    "question", "rank", "rule", "n_blocks", "side_0", "side_1", "first", "first_low", "first_high",
    "second", "second_low", "second_high", "explained", "explained_low", "explained_high",
    "chance", "lift", "excess", "excess_low", "excess_high", "explained_by_slips", "beyond_slips",
    "beyond_slips_low", "beyond_slips_high", "beyond", "flip_baseline", "null_first", "null_second",
    "gain", "smaller_side", "n_items", "n_kept", "n_level_1", "n_level_2", "undefined",
    "first_share", "top_ten",
)  # fmt: skip
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
    together : Together or None
        The coefficient over all coders at once; None for the mean over pairs of coders.
    rounding : Rounding or None
        Rows are printed as a paper does; None for unrounded rows.
    """

    question: str | None
    data: Annotations
    counts: Counts
    cells: Cells
    form: ClosedForm
    confidence: float = 0.95
    together: Together | None = None
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
        return ",".join(map(self.cells.states.name, values))

    @cached_property
    def n_items(self) -> int:
        """Items that two coders annotated."""
        return round(float(self.counts.n_pairable))

    @cached_property
    def slips(self) -> Slips | None:
        """What slips alone would show; None for too many values."""
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
            each, mean = how.row(level, None if pair is None else g)
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


# ------------------------------------------------------------------ as a paper prints it

ROUNDINGS = ("levi2022",)
EXACT = 12  # digits after which a float is rounding: the exact number it stands for

Number = Decimal | None


@dataclass(frozen=True)
class Rounding:
    """How Levi & Shenhav (2022) round, with decimal arithmetic and half up.

    The figure of each pair of coders is rounded to two digits before the pairs are averaged, and
    the mean is rounded again. The mean over the labels is taken of the figures printed in the table
    of all bipartitions (Appendix A), of means over the pairs before they are rounded in the tables
    of the ten best (Tables 5 and 6): hence four averages differ between the two in the paper.

    Parameters
    ----------
    of_printed : bool
        Whether the mean over the labels is that of the appendix.
    digits : int
    factor : int
        100 for percentages.
    """

    of_printed: bool = False
    digits: int = 2
    factor: int = 1

    def one(self, x: float) -> Number:
        """A figure of one pair of coders as it is printed; None if it is undefined."""
        return None if math.isnan(x) else half_up(_exact(x * self.factor), self.digits)

    def mean(self, level: Level, label: int) -> Number:
        """The mean over the pairs of coders, of their rounded figures, not rounded itself."""
        return _mean(self.one(float(x)) for x in level.values[label])

    def row(self, level: Level, pair: int | None = None) -> tuple[list[str], str]:
        """Each label, and the mean over the labels, of a pair of coders or of all pairs.

        Where a level has no labels, the list has its one figure.
        """
        n = len(level.values)
        if pair is None:
            each = [self.mean(level, k) for k in range(n)]
        else:
            each = [self.one(float(level.values[k, pair])) for k in range(n)]
        shown = [None if x is None else half_up(x, self.digits) for x in each]
        mean = _mean(shown if self.of_printed else each)
        last = None if mean is None else half_up(mean, self.digits)
        return [_text(x) for x in shown], _text(last)

    def key(self, scores: Scores, rank: str) -> Floats:
        """(N,) what the bipartitions of a table are ordered by, from the lowest on.

        The tables of the ten best are in the order of means of rounded figures: Table 6 is in no
        other order that we tried.
        """
        if rank == "first":
            return _means(self._hundredths(scores.first_by_pair), 0)
        return -_means(_means(self._hundredths(scores.by_label_by_pair), 0), -1)

    def _hundredths(self, x: Floats) -> Floats:
        """Rounded half up, in units of the last digit."""
        scaled = np.round(np.abs(x) * self.factor * 10.0**self.digits, EXACT - 3)
        return np.asarray(np.copysign(np.floor(scaled + 0.5), x))


def rounding_of(name: str | None, *, of_printed: bool = False) -> Rounding | None:
    """The rounding of a name; None for none.

    Raises
    ------
    RequestError
        If there is no such rounding.
    """
    if name is None:
        return None
    if name not in ROUNDINGS:
        raise RequestError(f"unknown rounding {name!r}: choose {', '.join(ROUNDINGS)} or None")
    return Rounding(of_printed)


def half_up(x: Decimal, digits: int = 2) -> Decimal:
    """Rounded half up, as people do.

    Examples
    --------
    >>> half_up(Decimal("0.645")), half_up(Decimal("89.95"), 1)
    (Decimal('0.65'), Decimal('90.0'))
    """
    return x.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def _means(x: Floats, axis: int) -> Floats:
    """Means over an axis of what is defined; NaN where nothing is."""
    return np.asarray(np.round(mean_of_known(x, axis), EXACT - 3))


def _exact(x: float) -> Decimal:
    return Decimal(repr(round(float(x), EXACT)))


def _mean(numbers: Iterable[Number]) -> Number:
    known: Sequence[Decimal] = [x for x in numbers if x is not None]
    return sum(known, Decimal(0)) / len(known) if known else None


def _text(x: Number) -> str:
    return "" if x is None else str(x)
