"""What `decompose` answers: partitions in their order, how they were found, how firm that is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..actions import Action, Notice
from ..data.annotations import Annotations
from ..errors import RequestError
from ..measure.coefficients import COEFFICIENTS
from ..numbers import count_of, joined, tied
from ..results import Result
from .decomposition import COLUMNS, Basis, Decomposition, Total
from .partition import partition_of


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
    notes: tuple[str, ...] = ()

    @property
    def question(self) -> str | None:
        """The question; None if it is the only one and has no name."""
        return self.basis.question

    @cached_property
    def headline(self) -> Decomposition | None:
        """The partition furthest beyond random errors; None if none is beyond them."""
        slips = self.basis.slips
        if slips is None or not self.rows:
            return None
        blocks = np.array([row.block for row in self.rows])
        scores = np.nan_to_num(slips.scores(blocks, self.rows[0].n_compared), nan=-np.inf)
        best = int(tied(scores).argmax())
        return self.rows[best] if scores[best] > 0 else None

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What to know about this ranking: a sentence each."""
        if self.basis.rounding is not None or self.rank == "sides":
            return ()
        told = [f"ranked by {RANKED[self.rank]}"]
        if self.rank != "beyond" and not self.named and self.n_scored > 1:
            told.append(
                "these are the best of many, and their intervals are not corrected for having been "
                "picked"
            )
        return tuple(told)

    def of(self, spec: Any) -> Decomposition:
        """The decomposition by a partition: one of the rows, or made now."""
        b = self.basis
        same = [row for row in self.rows if row.rule == spec]
        if len(same) == 1:
            return same[0]
        wanted = partition_of(spec, b.cells.states)
        blocks = {frozenset(block) for block in wanted.blocks}
        for row in self.rows:
            if {frozenset(block) for block in row.partition.blocks} == blocks:
                return row
        return Decomposition(b, wanted)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each partition."""
        return [row.to_rows()[0] for row in self.rows]


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
    def headline(self) -> Decomposition | None:
        """The partition furthest beyond random errors; of the only question."""
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


# ------------------------------------------------------------------ what to know about them

FEW = 30  # items of a pair of coders: fewer say little about two of them
ORDERED = ("ordinal", "interval", "ratio", "bipolar")

RANKED = {
    "beyond": "how far level 1 separates more, or less, disagreement than random errors would",
    "first": "the lowest level 1",
    "second": "the highest level 2",
}


# ------------------------------------------------------------------ the data


def about_data(data: Annotations, bases: Sequence[Basis], asked: str) -> tuple[str, ...]:
    """What to know about the data, before anything is taken apart.

    Parameters
    ----------
    asked : str
        The key of the coefficient that was asked for.
    """
    told = []
    if any(basis.cells.states.is_pooled for basis in bases):
        told.append(_pooled(data, asked))
    several = len(bases) > 1
    for basis in bases:
        of = f"{basis.question}: " if several else ""
        told += [Notice.behind(of, x) for x in _pairs(basis)]
    told += _scales(bases)
    return tuple(told)


def _pooled(data: Annotations, asked: str) -> str:
    why = "coders are not known" if data.anonymous else "there are many pairs of coders"
    told = (
        f"{why}, so all pairs of annotations of an item are counted in one table, where an item "
        "with m annotations has the weight of m: shares are shares of pairs of annotations"
    )
    if asked in ("kappa", "light"):
        told += (
            "; chance is drawn from the distribution that all share, so the coefficient is π, not κ"
        )
    return told


def _pairs(basis: Basis) -> list[str]:
    """That many pairs of coders share few items."""
    states = basis.cells.states
    if states.is_pooled or len(states.pairs) < 2:
        return []
    middle = float(np.median(states.n))
    if middle >= FEW:
        return []
    values = basis.total.level.values
    n_lost = int(np.isnan(values).sum())
    symbol = COEFFICIENTS[basis.form.key].symbol
    sizes = f"from {states.n.min():.0f} to {states.n.max():.0f}, median {middle:g}"
    of = f"{values.size:,} cases of a label and a pair" if basis.labels else "them"
    lost = f"; {symbol} is undefined in {n_lost:,} of {of}" if n_lost else ""
    return [
        Notice(
            f"The {count_of(len(states.pairs), 'pair')} of coders share few items each ({sizes})"
            f"{lost}. A mean gives each pair the same weight.",
        )
    ]


def _scales(bases: Sequence[Basis]) -> list[str]:
    schemes = [basis.data.schemes[0] for basis in bases]
    ordered = [s.scale for s in schemes if s.scale != "nominal"]
    told = []
    if ordered:
        scale = joined(dict.fromkeys(ordered))
        told.append(
            f"The scale is {scale}, but values are compared unweighted (identity): a partition has "
            "no distances."
        )
    numbers = [
        basis.question
        for basis, s in zip(bases, schemes, strict=True)
        if s.scale == "nominal" and not basis.labels and len(basis.values) > 2 and s.numbers
    ]
    if numbers:
        of = "" if len(bases) == 1 else f" of {joined(map(str, numbers))}"
        scales = "ordinal" if len(bases) == 1 else dict.fromkeys(map(str, numbers), "ordinal")
        ordinal = Action("", {"scale": scales}, "if they have an order")
        told.append(
            Notice(
                f"The values{of} are numbers treated as nominal: neighbouring values differ as "
                "much as any two. For values with an order the cut points 1|2–5, 1–2|3–5 and so "
                "on are compared.",
                ordinal,
            )
        )
    return told
