"""Annotations as vectors over the categories: where every CrowdTruth measure starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...arrays import Bools, Floats, Ints
from ...counts.row_keys import entries_of, sums
from ...data.annotations import Annotations
from ...data.read import read
from ...diagnosis.words import label_text
from ...results import Result
from ...scheme import Value
from ..question_results import Each
from ..votes import Votes, votes

__all__ = ["OfVectors", "ScoreTable", "Vectors", "of_questions"]


@dataclass(frozen=True, eq=False)
class Vectors:
    """One vector for each coder and item; I items, C coders, K categories, M vectors.

    A vector has 1 for each category that the coder gave to the item. If the coder annotated it
    several times, it has the share of the times. A coder who said that nothing applies gave the
    category ``()``, so that an empty set agrees with an empty set and with nothing else.

    Parameters
    ----------
    items : sequence
        (I,) names.
    coders : tuple of str
        (C,) names.
    categories : tuple
        (K,) in the order of the scheme, then ``()`` if a coder gave the empty set.
    item, coder : ndarray of int
        (M,) whose vector it is, by item and coder.
    times : ndarray
        (M,) how often the coder annotated the item.
    row, category : ndarray of int
        (E,) the vector and the category of each entry that is not 0, by vector and category.
    share : ndarray
        (E,) the entry.
    cell : ndarray of int
        (E,) which cell the entry is in. A cell is a category that somebody gave to an item; cells
        stand by category and item, L in all.
    cell_item, cell_category : ndarray of int
        (L,) the item and the category of each cell.
    reach_start : ndarray of int
        (L + 1,) where the vectors that a cell reaches start: all of its item, also those of coders
        who did not give the category, R in all.
    reach_row, reach_cell : ndarray of int
        (R,) the vector and the cell.
    reach_share : ndarray
        (R,) the entry of the vector at the category of the cell, which may be 0.
    """

    items: Sequence[Any] | NDArray[Any]
    coders: tuple[str, ...]
    categories: tuple[Value, ...]
    item: Ints
    coder: Ints
    times: Floats
    row: Ints
    category: Ints
    share: Floats
    cell: Ints
    cell_item: Ints
    cell_category: Ints
    reach_start: Ints
    reach_row: Ints
    reach_cell: Ints
    reach_share: Floats

    @property
    def shape(self) -> tuple[int, int, int]:
        """I, C, K."""
        return len(self.items), len(self.coders), len(self.categories)

    @property
    def names(self) -> tuple[list[Any], list[str], list[str]]:
        """What items, coders and categories are called, as plain objects."""
        items = self.items.tolist() if isinstance(self.items, np.ndarray) else list(self.items)
        return items, list(self.coders), list(map(label_text, self.categories))

    @cached_property
    def per_item(self) -> Ints:
        """(I,) how many coders annotated it."""
        return np.bincount(self.item, minlength=len(self.items))

    @cached_property
    def per_coder(self) -> Ints:
        """(C,) how many items the coder annotated."""
        return np.bincount(self.coder, minlength=len(self.coders))

    @cached_property
    def per_category(self) -> Ints:
        """(K,) in how many vectors it is."""
        return np.bincount(self.category, minlength=len(self.categories))

    @cached_property
    def shared(self) -> Bools:
        """(I,) whether two coders or more annotated it."""
        return self.per_item > 1

    @cached_property
    def n_shared(self) -> Ints:
        """(C,) how many items of the coder another one annotated too."""
        return np.bincount(self.coder[self.shared[self.item]], minlength=len(self.coders))

    def table(self, x: Floats) -> Floats:
        """(I, K) what is known of the cells (L,), 0 elsewhere."""
        found = np.zeros((len(self.items), len(self.categories)))
        found[self.cell_item, self.cell_category] = x
        return found


def vectors(votes: Votes) -> Vectors:
    """The vectors of the annotations of one question: of categories, or of sets of labels.

    Examples
    --------
    >>> found = vectors(votes(read([["a", "b"], ["a", "a|b"]], layout="transposed", separator="|")))
    >>> found.categories, found.row.tolist(), found.category.tolist()
    (('a', 'b'), [0, 1, 2, 3, 3], [0, 0, 1, 0, 1])
    """
    item, coder = votes.item, votes.coder
    first = np.ones(len(item), bool)
    first[1:] = (item[1:] != item[:-1]) | (coder[1:] != coder[:-1])
    row = np.cumsum(first) - 1
    times = sums(row, votes.times, int(first.sum()))
    categories, start, member = _members(votes)
    entry, ends = entries_of(start, votes.label)
    of = np.repeat(np.arange(len(item)), np.diff(ends))
    key, place = np.unique(
        row[of].astype(np.int64) * len(categories) + member[entry], return_inverse=True
    )
    at, category = np.divmod(key, len(categories))
    share = sums(place.reshape(-1), (votes.times / times[row])[of], len(key))
    # the cells, and what each reaches
    item, coder, n_items = item[first], coder[first], votes.n_items
    cells, cell = np.unique(category * n_items + item[at], return_inverse=True)
    cell_category, cell_item = np.divmod(cells.astype(np.int64), n_items)
    ends = np.concatenate([[0], np.cumsum(np.bincount(item, minlength=n_items))])
    reach_row, reach_start = entries_of(ends, cell_item)
    reach_cell = np.repeat(np.arange(len(cells)), np.diff(reach_start))
    reach_share = np.zeros(len(reach_row))
    reach_share[reach_start[cell] + at - ends[item[at]]] = share
    return Vectors(
        votes.items,
        votes.coders,
        categories,
        item,
        coder,
        times,
        _small(at),
        _small(category),
        share,
        _small(cell.reshape(-1)),
        _small(cell_item),
        _small(cell_category),
        reach_start,
        _small(reach_row),
        _small(reach_cell),
        reach_share,
    )


def _small(positions: Ints) -> Ints:
    return positions.astype(np.int32)


def _members(votes: Votes) -> tuple[tuple[Value, ...], Ints, Ints]:
    """The categories, and which of them each value holds: (V + 1,) starts and the members."""
    if votes.scheme.max_labels == 1:
        n = len(votes.categories)
        return votes.categories, np.arange(n + 1), np.arange(n)
    sets = [x if isinstance(x, tuple) else (x,) for x in votes.categories]
    labels = tuple(dict.fromkeys((*votes.scheme.categories, *(x for s in sets for x in s))))
    categories: tuple[Value, ...] = (*labels, ()) if () in sets else labels
    place = {x: k for k, x in enumerate(categories)}
    held = [sorted(place[x] for x in set(s)) if s else [place[()]] for s in sets]
    start = np.concatenate([[0], np.cumsum([len(h) for h in held])]).astype(np.int64)
    return categories, start, np.array([k for h in held for k in h], np.int64)


# ------------------------------------------------------------------ results


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(Result):
    """One row for each item, coder or category, with all that is said of it.

    Parameters
    ----------
    columns : dict of str to sequence or ndarray
        By name, in the order of the table, each as long as the others.
    """

    columns: dict[str, Sequence[Any] | NDArray[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_rows())

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows."""
        lists = [x.tolist() if isinstance(x, np.ndarray) else x for x in self.columns.values()]
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*lists, strict=True)]


@dataclass(frozen=True, eq=False, repr=False)
class OfVectors(Result):
    """Measures of annotations as vectors. I items, C coders, K categories.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    vectors : Vectors
        The annotations as vectors.
    """

    question: str | None
    data: Annotations
    vectors: Vectors

    @property
    def items(self) -> Any:
        """(I,) names."""
        return self.vectors.items

    @property
    def coders(self) -> tuple[str, ...]:
        """(C,) names."""
        return self.vectors.coders

    @property
    def categories(self) -> tuple[Value, ...]:
        """(K,) in the order of the scheme; ``()``, if a coder gave the empty set, comes last."""
        return self.vectors.categories

    def rows_of(
        self, *tables: ScoreTable, keys: Sequence[str]
    ) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
        """What a row is of, the row of its own table, and the row of all with the keys of all.

        The tables are those of items, coders and categories; what does not apply is None.
        """
        v = self.vectors
        counts = (v.per_item, v.per_coder, v.per_category)
        for of, table, n in zip(("item", "coder", "category"), tables, counts, strict=True):
            for row, times in zip(table, n.tolist(), strict=True):
                common = {"question": self.question, "of": of, "name": row[of]}
                scores = {key: row.get(key) for key in keys}
                yield of, row, {**common, **scores, "n_annotations": times}


T = TypeVar("T", bound=OfVectors)


def of_questions(
    data: Any,
    reading: dict[str, Any],
    measured: Callable[[str | None, Annotations, Vectors], T],
) -> T | Each[T]:
    """The measures of each question of anything that `read` takes."""
    annotations = read(data, **reading)
    each = [(name or None, annotations.of_question(name)) for name in annotations.questions]
    found = tuple(measured(name, own, vectors(votes(own))) for name, own in each)
    return found[0] if len(found) == 1 else Each(found)
