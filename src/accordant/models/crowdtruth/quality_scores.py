"""CrowdTruth 2.0: items, coders and categories judged by each other, round after round.

Dumitrache et al. (2018), section 3. Every score of a round follows from those of the round before.
An item needs no loop over pairs of coders: the sum of its weighted vectors holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from ..._version import __version__
from ...actions import Action
from ...arrays import Floats, Ints
from ...data.annotations import Annotations
from ...diagnosis.finding import Catalogue, Finding, Told, found_by
from ...errors import RequestError
from ...numbers import decimal
from ..question_results import Each
from .annotation_vectors import OfVectors, ScoreTable, Vectors, of_questions

__all__ = ["CrowdTruth", "Scores", "Task", "crowdtruth"]

Task: TypeAlias = Literal["closed", "open"]

FLOOR = 1e-8  # of CrowdTruth: what stands in place of a weight or a score below it

ALONE = "one coder only annotated it"
NOBODY = "no other coder annotated any of the coder's items"
UNUSED = "nobody gave it: the score is the floor of CrowdTruth"
OPEN = "categories have no quality in an open task"


# ------------------------------------------------------------------ the rounds


class Scores(NamedTuple):
    """What a round says of everything, each from 0 to 1. I items, C coders, K categories."""

    item: Floats  # (I,) quality (UQS)
    coder: Floats  # (C,) quality (WQS): the product of the following two
    with_coders: Floats  # (C,) agreement with the other coders (WWA)
    with_items: Floats  # (C,) agreement with the items (WUA)
    category: Floats  # (K,) quality (AQS)

    def change(self, before: Scores) -> float:
        """The largest change of the quality of an item, a coder or a category."""
        pairs = ((getattr(self, x), getattr(before, x)) for x in ("item", "coder", "category"))
        return max(float(np.abs(new - old).max(initial=0)) for new, old in pairs)


def start(v: Vectors) -> Scores:
    """Every weight is 1; 0 for items of one coder, and for coders who share no item.

    These have nothing to agree with, and must not count in what is said of the others.
    """
    coder = (v.n_shared > 0).astype(float)
    return Scores(v.shared.astype(float), coder, coder, coder, np.ones(len(v.categories)))


def next_round(v: Vectors, before: Scores, seats: Seats | None) -> Scores:
    """The round after some scores; without seats, categories keep theirs: in an open task."""
    n_items, n_coders, _ = v.shape
    weight, of_item, of_category = before.coder[v.coder], before.item[v.item], before.category
    length = np.sqrt(np.bincount(v.row, of_category[v.category] * v.share**2))
    unit = np.sqrt(of_category[v.category]) * v.share / length[v.row]
    own = weight[v.row] * unit
    rest = np.bincount(v.cell, own)[v.cell] - own  # the unit vectors of the other coders
    agreed = np.bincount(v.row, unit * rest)
    others = np.maximum(np.bincount(v.item, weight)[v.item] - weight, 0)
    item = _mean(v.item, weight * agreed, weight * others, n_items, 2 * FLOOR)
    with_coders = _mean(v.coder, of_item * agreed, of_item * others, n_coders)
    likeness = _with_rest(v, weight, length, of_category)
    with_items = _mean(v.coder, of_item * likeness, of_item, n_coders)
    category = of_category if seats is None else _categories(v, before, seats)
    return Scores(item, with_coders * with_items, with_coders, with_items, category)


def _mean(of: Ints, x: Floats, weight: Floats, n: int, floor: float = FLOOR) -> Floats:
    """(n,) weighted means of what belongs to each."""
    return np.bincount(of, x, n) / np.maximum(np.bincount(of, weight, n), floor)


def _with_rest(v: Vectors, weight: Floats, length: Floats, of_category: Floats) -> Floats:
    """(M,) cosine of each vector with the weighted sum of those of the other coders."""
    own = weight[v.reach_row] * v.reach_share
    rest = np.bincount(v.cell, weight[v.row] * v.share)[v.reach_cell] - own
    factor = of_category[v.cell_category][v.reach_cell]
    product = np.bincount(v.reach_row, factor * own * rest)
    size = weight * length * np.sqrt(np.bincount(v.reach_row, factor * rest**2))
    nothing = size < FLOOR
    return np.where(nothing, FLOOR, product / np.where(nothing, 1, size))


class Seats(NamedTuple):
    """Who gave each category, among those who could have given it; S seats, L cells.

    A seat is a coder and a category that somebody gave to an item of the coder. Seats of
    different categories never meet in a cell, so one product serves all categories. And it
    serves two sums: the real part of ``both`` is 1 where the coder annotated the item, the
    imaginary part the share of the times that the coder gave the category.
    """

    both: Any  # (S, L)
    gave: Any  # (L, S)
    coder: Ints
    category: Ints


def seats_of(v: Vectors) -> Seats:
    """The seats of some vectors."""
    from scipy.sparse import csr_array

    n_coders = len(v.coders)
    key = v.cell_category[v.reach_cell].astype(np.int64) * n_coders + v.coder[v.reach_row]
    seats, seat = np.unique(key, return_inverse=True)
    shape = (len(v.cell_item), len(seats))
    seat, first = seat.astype(np.int32), v.reach_start.astype(np.int32)
    both = csr_array((1 + 1j * v.reach_share, seat, first), shape=shape).T.tocsr()
    gave = csr_array((v.reach_share, seat, first), shape=shape, copy=True)
    gave.eliminate_zeros()
    return Seats(both, gave, seats % n_coders, seats // n_coders)


def _categories(v: Vectors, before: Scores, seats: Seats) -> Floats:
    """(K,) mean over pairs of coders of P(one gives it | the other does)."""
    n, given = len(v.categories), seats.gave.copy()
    given.data = given.data * np.repeat(before.item[v.cell_item], np.diff(given.indptr))
    found = (seats.both @ given).tocoo()
    pair = (found.data.real > 0) & (found.row != found.col)
    row, column, sums = found.row[pair], found.col[pair], found.data[pair]
    weight, category = before.coder[seats.coder], seats.category[row]
    together = weight[row] * weight[column]
    agreed = np.bincount(category, together * sums.imag / sums.real, n)
    pairs = np.bincount(category, together, n)
    enough = pairs > FLOOR
    return np.maximum(np.where(enough, agreed / np.where(enough, pairs, 1), FLOOR), FLOOR)


# ------------------------------------------------------------------ the result


@dataclass(frozen=True, eq=False, repr=False)
class CrowdTruth(OfVectors):
    """Quality of items, coders and categories, each judged by the others; made by `crowdtruth`.

    I items, C coders, K categories. Every score is from 0 to 1. CrowdTruth's own abbreviations
    stand in brackets.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    vectors : Vectors
        The annotations as vectors.
    task : {'closed', 'open'}
        Whether the categories are the same for all items.
    tolerance : float
        The change at which to stop.
    scores, first : Scores
        After the last round, and after the first, in which everybody counts the same (what
        CrowdTruth calls initial).
    change : float
        The largest change in the last round.
    n_iterations : int
        How many rounds there were.
    """

    task: Task
    tolerance: float
    scores: Scores
    first: Scores
    change: float
    n_iterations: int
    told_as: ClassVar[str] = "crowdtruth"

    @property
    def converged(self) -> bool:
        """Whether the rounds ended because no score changed by as much as ``tolerance``."""
        return self.change < self.tolerance

    @cached_property
    def item_quality(self) -> Floats:
        """(I,) how much the coders of an item agree (UQS); NaN where there is one coder only."""
        return np.where(self.vectors.shared, self.scores.item, np.nan)

    @cached_property
    def coder_quality(self) -> Floats:
        """(C,) ``agreement_with_coders`` x ``agreement_with_items`` (WQS).

        NaN for a coder none of whose items another coder annotated. Low quality is disagreement
        with others, be it by mistake or by conviction.
        """
        return self._of_coders(self.scores.coder)

    @cached_property
    def agreement_with_coders(self) -> Floats:
        """(C,) mean likeness to each other coder of the same items (WWA)."""
        return self._of_coders(self.scores.with_coders)

    @cached_property
    def agreement_with_items(self) -> Floats:
        """(C,) mean likeness to all other coders of an item taken together (WUA, or WSA)."""
        return self._of_coders(self.scores.with_items)

    @cached_property
    def category_quality(self) -> Floats:
        """(K,) how probably a coder gives the category where another one gave it (AQS).

        NaN in an open task; 1e-8, the floor of CrowdTruth, for a category that nobody gave.
        """
        known = self.task == "closed"
        return self.scores.category if known else np.full(len(self.categories), np.nan)

    @cached_property
    def item_category(self) -> Floats:
        """(I, K) share of an item's coders who gave the category, weighted by quality (UAS).

        0 where all coders of the item have quality 0, and NaN where nothing is known of them.
        """
        v = self.vectors
        weight = self.scores.coder[v.coder]
        every = np.maximum(np.bincount(v.item, weight, len(v.items)), FLOOR)
        table = v.table(np.bincount(v.cell, weight[v.row] * v.share) / every[v.cell_item])
        known = (v.n_shared > 0)[v.coder]
        table[np.bincount(v.item[known], minlength=len(v.items)) == 0] = np.nan
        return table

    def _of_coders(self, x: Floats) -> Floats:
        return np.where(self.vectors.n_shared > 0, x, np.nan)

    # ------------------------------------------------------------------ tables

    @property
    def of_items(self) -> ScoreTable:
        """One row for each item: its quality, in the end and after the first round."""
        v = self.vectors
        return ScoreTable(
            {
                "item": v.names[0],
                "quality": self.item_quality,
                "first_quality": np.where(v.shared, self.first.item, np.nan),
                "n_coders": v.per_item,
                "undefined": [None if x else ALONE for x in v.shared.tolist()],
            }
        )

    @property
    def of_coders(self) -> ScoreTable:
        """One row for each coder: quality and its two factors."""
        v = self.vectors
        return ScoreTable(
            {
                "coder": v.coders,
                "quality": self.coder_quality,
                "agreement_with_coders": self.agreement_with_coders,
                "agreement_with_items": self.agreement_with_items,
                "first_quality": self._of_coders(self.first.coder),
                "n_items": v.per_coder,
                "n_shared_items": v.n_shared,
                "undefined": [None if n else NOBODY for n in v.n_shared.tolist()],
            }
        )

    @property
    def of_categories(self) -> ScoreTable:
        """One row for each category: its quality."""
        n, is_open = self.vectors.per_category, self.task == "open"
        return ScoreTable(
            {
                "category": self.vectors.names[2],
                "quality": self.category_quality,
                "n_annotations": n,
                "undefined": [OPEN if is_open else None if k else UNUSED for k in n.tolist()],
            }
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, coder and category: its quality and what this rests on."""
        tables = self.of_items, self.of_coders, self.of_categories
        keys = "quality", "agreement_with_coders", "agreement_with_items"
        short = {"item": "UQS", "coder": "WQS", "category": "AQS"}
        return [
            row | {"crowdtruth": short[of], "undefined": own["undefined"]}
            for of, own, row in self.rows_of(*tables, keys=keys)
        ]

    # ------------------------------------------------------------------ shown

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of these scores must know."""
        found = found_by(*(rule(self) for rule in REMARKS.values()))
        return found[:1] if not self.vectors.shared.any() else found

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the scores."""
        return (
            f"accordant {__version__} | crowdtruth 2.0: {self.task}; tolerance {self.tolerance:g} "
            f"| data {self.data.fingerprint[:12]}"
        )


def crowdtruth(
    data: Any,
    *,
    task: Task = "closed",
    tolerance: float = 0.001,
    max_iterations: int = 500,
    progress: Callable[[int, int], None] | None = None,
    **reading: Any,
) -> CrowdTruth | Each[CrowdTruth]:
    """Quality of items, coders and categories after CrowdTruth 2.0: each judged by the others."""
    if task not in get_args(Task):
        raise RequestError(f"choose 'closed' or 'open', not {task!r}", parameter="task")
    if tolerance <= 0:
        raise RequestError(f"a number above 0, not {tolerance!r}", parameter="tolerance")

    def measured(question: str | None, data: Annotations, v: Vectors) -> CrowdTruth:
        seats = seats_of(v) if task == "closed" else None
        scores, first, change, n = start(v), None, np.inf, 0
        while n < max_iterations and change >= tolerance:
            new = next_round(v, scores, seats)
            change, scores, n = new.change(scores), new, n + 1
            first = first or new
            if progress is not None:
                progress(n, max_iterations)
        return CrowdTruth(question, data, v, task, tolerance, scores, first or scores, change, n)

    return of_questions(data, reading, measured)


# ------------------------------------------------------------------ what to know of the scores

REMARKS = Catalogue()


@REMARKS.rule("problem", "dumitrache2018")
def nothing_shared(found: CrowdTruth) -> Told | None:
    """No item of two coders.

    No item was annotated by two coders, so there is no agreement to measure.

    Have some items annotated by two coders or more.
    """
    return None if found.vectors.shared.any() else Told({"n": len(found.items)})


@REMARKS.rule("warning", "dumitrache2018")
def not_converged(found: CrowdTruth) -> Told | None:
    """Too few rounds.

    After {n:round} a score still changed by {change}.

    Allow more rounds.
    """
    more = Action("", {"max_iterations": ...})
    words = {"change": decimal(found.change, 4)}
    return None if found.converged else Told({"n": found.n_iterations}, words, do=(more,))


@REMARKS.rule("note", "dumitrache2018")
def single_annotations(found: CrowdTruth) -> Told | None:
    """Items of one coder.

    {n:item} of {all:,} {n:was|were} annotated by one coder only and {n:has|have} no quality.

    They do not enter the quality of coders and categories.
    """
    n = int(np.count_nonzero(~found.vectors.shared))
    return Told({"n": n}, {"all": len(found.items)}) if n else None


@REMARKS.rule("note", "dumitrache2018")
def nobody_beside(found: CrowdTruth) -> Told | None:
    """Coders who cannot be compared.

    {n:coder} ({names:listed}) shared no item with another coder and cannot be judged.

    Have some of their items annotated by others too.
    """
    shared = found.vectors.n_shared.tolist()
    names = [name for name, k in zip(found.coders, shared, strict=True) if not k]
    return Told({"n": len(names)}, {"names": names}) if names else None


@REMARKS.rule("warning", "dumitrache2018")
def no_weight(found: CrowdTruth) -> Told | None:
    """Items all of whose coders have quality 0.

    All coders of {n:item} have quality 0, so every category scores 0 {n:there|in them}.

    Use the unweighted shares of these items instead of the scores.
    """
    v = found.vectors
    weight = np.bincount(v.item, found.scores.coder[v.coder], len(v.items))
    n = int(np.count_nonzero(v.shared & (weight < FLOOR)))
    return Told({"n": n}) if n else None
