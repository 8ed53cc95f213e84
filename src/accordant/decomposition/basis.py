"""What partitions of one question are measured on, and agreement before anything is taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..results import Result
from ..scheme import Label, Value
from .closed_forms import ClosedForm, closed_form
from .one_level import Level, overall, pair_text
from .places import Cells
from .printing import Rounding
from .together import Together

__all__ = ["COLUMNS", "Basis", "Total", "label_column"]

COLUMNS = (
    "question", "rank", "rule", "n_blocks", "side_0", "side_1", "first", "first_low", "first_high",
    "second", "second_low", "second_high", "explained", "explained_low", "explained_high",
    "chance", "lift", "excess", "excess_low", "excess_high", "explained_by_slips", "beyond_slips",
    "beyond_slips_low", "beyond_slips_high", "information", "flip_baseline", "null_second", "gain",
    "gain_low", "gain_high", "smaller_side", "n_items", "n_kept", "n_level_1", "n_level_2",
    "undefined", "first_share", "top_ten",
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
