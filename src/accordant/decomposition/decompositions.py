"""What `decompose` answers: partitions in their order, how they were found, how firm that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..actions import Action
from ..arrays import Bools
from ..errors import RequestError
from ..numbers import joined
from ..results import Result
from .basis import COLUMNS, Basis, Total
from .decomposition import Decomposition
from .partition import Groups
from .remarks import about_ranking
from .rules import partition_of
from .search import Stability, stability

__all__ = ["Decompositions", "Explored"]


@dataclass(frozen=True, eq=False)
class Explored(Result):
    """The partitions of one question.

    Parameters
    ----------
    basis : Basis
    rows : tuple of Decomposition
        In their order: that of the ranking, or as they were named.
    rank : str
        What they are ranked by: of `accordant.decomposition.search.RANKS`, never ``'auto'``.
    named : bool
        Whether the partitions were named, not searched.
    n_scored : int
        How many partitions were looked at.
    exhaustive : bool
        Whether these are all bipartitions that there are.
    how : str
        How the search was limited, in a sentence.
    competing : ndarray of bool or None
        (N, C) what competes when items are drawn anew; None where there are too many.
    hierarchy : Groups or None
    n_resamples : int
        How many at most: fewer where each takes long.
    rng : int, Generator or None
    progress : callable or None
    notes : tuple of str
        What to know about the data of all questions, and which questions are left out.
    """

    basis: Basis
    rows: tuple[Decomposition, ...]
    rank: str
    named: bool
    n_scored: int
    exhaustive: bool
    how: str
    competing: Bools | None = None
    hierarchy: Groups | None = None
    n_resamples: int = 300
    rng: Any = 0
    progress: Callable[[int, int], None] | None = None
    notes: tuple[str, ...] = ()

    @property
    def question(self) -> str | None:
        """The question; None if it is the only one and has no name."""
        return self.basis.question

    @cached_property
    def headline(self) -> Decomposition | None:
        """The partition furthest beyond what slips alone would show; None if none is beyond it."""
        found = max(self.rows, key=lambda row: np.nan_to_num(row.beyond.score, nan=-np.inf))
        return found if found.beyond.score > 0 else None

    @cached_property
    def stability(self) -> Stability | None:
        """How often each partition is among the best when the items are drawn anew.

        Of the rankings by a level; None where the search is too long to be repeated.
        """
        if self.competing is None or self.rank not in ("first", "second") or not self.n_resamples:
            return None
        return stability(
            self.basis.cells, self.competing, self.basis.form.key, self.rank,
            n_resamples=self.n_resamples, rng=self.rng, progress=self.progress,
        )  # fmt: skip

    def firmness(self, row: Decomposition) -> tuple[float, float]:
        """In which share of the resamples a partition is the first, and among the best ten.

        NaN where that is not known; the second too where fewer than forty compete.
        """
        found = self.stability
        if found is None or row.partition.n_blocks != 2:
            return math.nan, math.nan
        return found.of(row.block == 0)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What to know about this ranking: a sentence each."""
        if self.basis.rounding is not None or self.rank == "sides":
            return ()
        picked = not self.named and self.n_scored > 1
        return tuple(about_ranking(self.rank, self.stability, picked=picked))

    def of(self, spec: Any) -> Decomposition:
        """The decomposition by a partition: one of the rows, or made now."""
        b = self.basis
        same = [row for row in self.rows if row.rule == spec]
        if len({frozenset(map(frozenset, row.partition.blocks)) for row in same}) > 1:
            raise RequestError(
                f"{len(same)} partitions are called {spec!r}: take one by its number, such as "
                f"found[{self.rows.index(same[0])}]"
            )
        if same:
            return same[0]
        wanted = partition_of(spec, b.values, b.labels, self.hierarchy)  # type: ignore[arg-type]
        blocks = {frozenset(block) for block in wanted.blocks}
        for row in self.rows:
            if {frozenset(block) for block in row.partition.blocks} == blocks:
                return row
        return Decomposition(b, wanted)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each partition."""
        rows = [row.to_rows()[0] for row in self.rows]
        if self.basis.rounding is not None:
            return rows
        for row, one in zip(rows, self.rows, strict=True):
            row["first_share"], row["top_ten"] = self.firmness(one)
        return rows


@dataclass(frozen=True, eq=False, repr=False)
class Decompositions(Result):
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
    >>> found.rank, found.exhaustive, found.n_scored
    ('beyond', True, 127)
    >>> round(found["any label"].first.mean.value, 3)
    0.696
    """

    told_as: ClassVar[str] = "decompose"

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
                f"{what} belongs to one question: choose among {joined(map(str, self.questions))}",
                do=[Action("of_question", {"question": self.questions[0]})],
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
    def rank(self) -> str:
        """What the partitions are ranked by; of several questions each ranking once."""
        return ", ".join(dict.fromkeys(part.rank for part in self.parts))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to know about the ranking, a sentence each, with the question where several are."""
        if len(self.parts) == 1:
            return self.parts[0].remarks
        return tuple(f"{part.question}: {told}" for part in self.parts for told in part.remarks)

    @property
    def headline(self) -> Decomposition | None:
        """The partition furthest beyond what slips alone would show; of the only question."""
        return self._only("a headline").headline

    @property
    def n_scored(self) -> int:
        """How many partitions were looked at."""
        return sum(part.n_scored for part in self.parts)

    @property
    def total(self) -> Total:
        """Agreement before anything is taken apart; of the only question."""
        return self._only("overall agreement").basis.total

    # ------------------------------------------------------------------ rows

    @property
    def told_parts(self) -> tuple[Explored, ...]:
        """Each question."""
        return self.parts

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each partition, with the same columns for all questions."""
        rows = [row for part in self.parts for row in part.to_rows()]
        keys = list(dict.fromkeys(key for row in rows for key in row))
        keys.sort(key=_column)  # a question has the labels of its own: all stand where labels do
        return [{key: row.get(key, math.nan) for key in keys} for row in rows]


def _column(key: str) -> int:
    """Where a column stands: labels between level 1 and the mean of level 2."""
    return 2 * COLUMNS.index(key) if key in COLUMNS else 2 * COLUMNS.index("second") - 1
