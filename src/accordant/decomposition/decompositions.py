"""What `decompose` answers: partitions in their order, how they were found, how firm that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import RequestError
from ..measure.numbers import joined
from ..measure.results import Rows
from .basis import COLUMNS, Basis, Total
from .bipartitions import Bipartitions, smaller_side
from .cuts import CRITERIA
from .decomposition import Decomposition
from .ground import Groups
from .rules import partition_of
from .stability import Stability, stability

__all__ = ["Decompositions", "Explored"]


@dataclass(frozen=True, eq=False)
class Explored(Rows):
    """The partitions of one question.

    Parameters
    ----------
    basis : Basis
    rows : tuple of Decomposition
        In their order: that of the ranking, or as they were named.
    rank : str
    named : bool
        Whether the partitions were named, not searched.
    n_scored : int
        How many partitions were looked at.
    exhaustive : bool
        Whether these are all bipartitions that there are.
    how : str
        How the search was limited, in a sentence.
    compared : Bipartitions or None
        Those among which places are counted when items are drawn anew.
    hierarchy : Groups or None
    n_resamples : int
    rng : int, Generator or None
    progress : callable or None
    """

    basis: Basis
    rows: tuple[Decomposition, ...]
    rank: str
    named: bool
    n_scored: int
    exhaustive: bool
    how: str
    compared: Bipartitions | None = None
    hierarchy: Groups | None = None
    n_resamples: int = 300
    rng: Any = 0
    progress: Callable[[int, int], None] | None = None

    @property
    def question(self) -> str | None:
        """The question; None if it is the only one and has no name."""
        return self.basis.question

    @cached_property
    def stability(self) -> Stability | None:
        """How often each of ``compared`` is among the best; None where nothing is ranked."""
        if self.compared is None or not self.n_resamples or self.rank not in CRITERIA:
            return None
        return stability(
            self.basis.cells, self.compared, self.basis.form.key, self.rank,
            n_resamples=self.n_resamples, rng=self.rng, progress=self.progress,
        )  # fmt: skip

    @cached_property
    def _place(self) -> dict[bytes, int]:
        sides = np.empty((0, 0), bool) if self.compared is None else self.compared.sides
        return {side.tobytes(): k for k, side in enumerate(smaller_side(sides))}

    def firmness(self, row: Decomposition) -> tuple[float, float]:
        """In which share of the resamples a partition is the first, and among the best ten.

        NaN where that is not known.
        """
        found = self.stability
        if found is None or row.partition.n_blocks != 2:
            return math.nan, math.nan
        k = self._place.get(smaller_side((row.block == 0)[None])[0].tobytes())
        return (math.nan, math.nan) if k is None else (float(found.first[k]), float(found.top[k]))

    def of(self, spec: Any) -> Decomposition:
        """The decomposition by a partition: one of the rows, or made now."""
        b = self.basis
        for row in self.rows:
            if row.rule == spec:
                return row
        wanted = partition_of(spec, b.values, b.labels, self.hierarchy)  # type: ignore[arg-type]
        blocks = {frozenset(block) for block in wanted.blocks}
        for row in self.rows:
            if {frozenset(block) for block in row.partition.blocks} == blocks:
                return row
        return Decomposition(b, wanted)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each partition."""
        rows = []
        for row in self.rows:
            (found,) = row.to_rows()
            if self.basis.rounding is None:
                first, top = self.firmness(row)
                found |= {"top_one": first, "top_ten": top}
            rows.append(found)
        return rows


@dataclass(frozen=True, eq=False)
class Decompositions(Rows):
    """Partitions of the values of each question, each with agreement on two levels.

    Parameters
    ----------
    parts : tuple of Explored
        One for each question.
    left_out : mapping of str to str
        Questions that cannot be taken apart, and why.
    notes : tuple of str
        What to know about these data.

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> found = ac.decompose(examples.load("levi2022_neat"), most=3)
    >>> [row.rule for row in found]
    ['odd number of labels', 'exactly one of Resolution, Success', 'exactly one label']
    >>> found.exhaustive, found.n_scored
    (True, 127)
    >>> round(found["any label"].first.mean.value, 3)
    0.696
    """

    parts: tuple[Explored, ...]
    left_out: Mapping[str, str]
    notes: tuple[str, ...] = ()

    # ------------------------------------------------------------------ partitions

    @property
    def rows(self) -> tuple[Decomposition, ...]:
        """All partitions, question by question."""
        return tuple(row for part in self.parts for row in part.rows)

    def __iter__(self) -> Iterator[Decomposition]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: Any) -> Any:
        """``found[0]``, ``found["any label"]`` or ``found["topic", "any label"]``.

        A rule that is not among the rows is worked out.
        """
        if isinstance(key, int | slice):
            return self.rows[key]
        if isinstance(key, tuple) and len(key) == 2 and len(self.parts) > 1:
            question, key = key
            return self._part(question).of(key)
        return self._only("a rule").of(key)

    def of_question(self, question: str | None) -> Decompositions:
        """The partitions of one question."""
        return Decompositions((self._part(question),), {}, self.notes)

    @property
    def questions(self) -> tuple[str | None, ...]:
        """The questions, in their order."""
        return tuple(part.question for part in self.parts)

    def _part(self, question: str | None) -> Explored:
        if question not in self.questions:
            raise RequestError(
                f"there is no question {question!r}: there is {joined(map(str, self.questions))}"
            )
        return self.parts[self.questions.index(question)]

    def _only(self, what: str) -> Explored:
        if len(self.parts) != 1:
            raise RequestError(
                f"{what} belongs to one question: choose among {joined(map(str, self.questions))} "
                "with of_question()"
            )
        return self.parts[0]

    # ------------------------------------------------------------------ how they were found

    @property
    def exhaustive(self) -> bool:
        """Whether all bipartitions of every question were looked at."""
        return all(part.exhaustive for part in self.parts)

    @property
    def how(self) -> str:
        """How the search was limited, in a sentence for each question."""
        each = {part.question: part.how for part in self.parts}
        if len(each) == 1:
            return next(iter(each.values()))
        return "; ".join(f"{question}: {how}" for question, how in each.items())

    @property
    def n_scored(self) -> int:
        """How many partitions were looked at."""
        return sum(part.n_scored for part in self.parts)

    @property
    def total(self) -> Total:
        """Agreement before anything is taken apart; of the only question."""
        return self._only("overall agreement").basis.total

    # ------------------------------------------------------------------ rows

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each partition, with the same columns for all questions."""
        rows = [row for part in self.parts for row in part.to_rows()]
        keys = list(dict.fromkeys(key for row in rows for key in row))
        keys.sort(key=_column)  # a question has the labels of its own: all stand where labels do
        return [{key: row.get(key, math.nan) for key in keys} for row in rows]

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))

    __repr__ = __str__


def _column(key: str) -> int:
    """Where a column stands: labels between level 1 and the mean of level 2."""
    if key in COLUMNS:
        return 2 * COLUMNS.index(key)
    return 2 * COLUMNS.index("second") - 1 if key not in LAST else 2 * len(COLUMNS)


LAST = ("top_one", "top_ten")
