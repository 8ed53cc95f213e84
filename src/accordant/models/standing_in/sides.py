"""Humans on one side, models on the other: who annotated what, ready to be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...actions import Action
from ...counts.count import count
from ...counts.counts import Counts
from ...data.annotations import Annotations
from ...data.read import read
from ...errors import RequestError, unknown
from ...inference.measured import compared
from ...measure.distances import WeightsLike
from ...measure.measures import Measure
from ...measure.weights import Weights
from .joining import joined

__all__ = ["NOT_SAID", "Sides", "sides"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

NOT_SAID = -1  # a model that gave no label to an item


@dataclass(frozen=True, eq=False)
class Sides:
    """The annotations of humans and of models. I items, H humans, M models, V values.

    Only items that a human annotated are here. N annotations by humans, sorted by item.

    Parameters
    ----------
    data : Annotations
        Of all coders, one question.
    humans, models : tuple of str
        (H,) and (M,) names, sorted.
    item, human, value : ndarray of int
        (N,) who gave which value to which item.
    said : ndarray of int
        (I, M) the value that each model gave, `NOT_SAID` if none.
    counts : Counts
        Of all coders; its values are those of the codes.
    measure : Measure
        The coefficient of the tables.
    w : Weights
        What counts as agreement.
    left_out : mapping of str to int
        What did not enter, and how often.
    """

    data: Annotations
    humans: tuple[str, ...]
    models: tuple[str, ...]
    item: Ints
    human: Ints
    value: Ints
    said: Ints
    counts: Counts
    measure: Measure
    w: Weights
    left_out: dict[str, int] = field(default_factory=dict)

    @property
    def n_items(self) -> int:
        """I."""
        return len(self.said)

    @property
    def n_values(self) -> int:
        """V."""
        return self.counts.n_values

    @cached_property
    def n_humans(self) -> Ints:
        """(I,) how many humans annotated each item."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def cells(self) -> tuple[Ints, Ints, Floats, Ints]:
        """The different values that humans gave to each item, G in all, sorted by item.

        Their items and values (G,), how many humans gave each (G,), and the one to which each
        annotation belongs (N,).
        """
        key = self.item * np.int64(self.n_values) + self.value
        found, of, n = np.unique(key, return_inverse=True, return_counts=True)
        item, value = np.divmod(found, self.n_values)
        return item, value, n.astype(float), of.reshape(-1)

    @cached_property
    def cell_start(self) -> Ints:
        """(I + 1,) where the values of each item start in `cells`."""
        return np.searchsorted(self.cells[0], np.arange(self.n_items + 1))


def sides(
    data: Any,
    models: Any,
    humans: Sequence[str] | None,
    measure: Measure,
    weights: WeightsLike | None,
    reading: dict[str, Any],
) -> Sides:
    """Who is a human and who a model, with the annotations of both.

    Parameters
    ----------
    data : Annotations, path, data frame or array
    models : str, sequence of str, or a source
        Coders of the data, or another source whose coders are all models.
    humans : sequence of str, optional
        By default all other coders.
    measure : Measure
    weights : WeightsLike or None
    reading : dict
        Options of `read`, for both sources.

    Raises
    ------
    RequestError
        If a name is no coder, somebody would be both, several questions are mixed or nobody
        knows who annotated what.
    """
    found = read(data, **reading)
    names, other = _models(models, found, reading)
    if other is not None:
        found = joined(_of_one(found, "data"), _of_one(other, "models"))
    _of_one(found, "data")
    if found.anonymous:
        raise RequestError(
            "the data do not say who annotated what, so no human can be compared with a model",
            do=[Action("", {"coder": ...}, "the column of the coders")],
        )
    persons = found.persons or found.coders
    firsts = [c for c, p in zip(found.coders, persons, strict=True) if c == p]
    who = _humans(humans, names, firsts)
    kept = found.of_coders([*who, *names])
    left_out = dict(kept.reading.left_out)
    again = len(found) - len(found.of_coders(firsts))
    if again:
        left_out["annotations of an item by the same coder after the first one"] = again
    return _sides(kept, tuple(sorted(who)), tuple(sorted(names)), measure, weights, left_out)


def _models(
    models: Any, data: Annotations, reading: dict[str, Any]
) -> tuple[tuple[str, ...], Annotations | None]:
    """The names of the models, and their annotations if they come from another source."""
    given = [models] if isinstance(models, str) else models
    if isinstance(given, list | tuple) and given and all(isinstance(x, str) for x in given):
        absent = [name for name in given if name not in data.coders]
        if not absent:
            return tuple(dict.fromkeys(given)), None
        if not all(Path(name).exists() for name in given):
            raise unknown(
                "coder", absent[0], data.coders, hint="Models are coders of the data, or a file",
                parameter="models",
            )  # fmt: skip
    if isinstance(models, list | tuple) and not models:
        raise RequestError("name the coders that are models", parameter="models")
    other = models if isinstance(models, Annotations) else read(models, **reading)
    return other.coders, other


def _of_one(data: Annotations, what: str) -> Annotations:
    if len(data.questions) != 1:
        raise RequestError(
            f"the {what} hold {len(data.questions)} questions: compare humans and models on one of "
            "them",
            do=[Action("of_question", {"question": data.questions[0]})],
        )
    return data


def _humans(
    humans: Sequence[str] | None, models: Sequence[str], coders: Sequence[str]
) -> tuple[str, ...]:
    if humans is None:
        chosen = tuple(c for c in coders if c not in set(models))
    else:
        chosen = tuple(dict.fromkeys([humans] if isinstance(humans, str) else humans))
    for name in chosen:
        if name not in coders:
            raise unknown("coder", name, coders)
        if name in models:
            raise RequestError(f"{name!r} is named as a model and as a human: name it once")
    if not chosen:
        raise RequestError(
            "all coders are models: a model is compared with humans, so at least two of the coders "
            "must be humans"
        )
    return chosen


def _sides(
    data: Annotations,
    humans: tuple[str, ...],
    models: tuple[str, ...],
    measure: Measure,
    weights: WeightsLike | None,
    left_out: dict[str, int],
) -> Sides:
    asked = measure.weighed(weights)
    counts, w = compared(measure.coefficient, count(data), data.schemes[0], asked)
    item, coder, value = _entries(counts)
    position = {name: k for k, name in enumerate((*humans, *models))}
    who = np.array([position[name] for name in counts.coders], np.int64)[coder]
    human = who < len(humans)
    n_items = len(counts.pattern_of)
    seen = np.bincount(item[human], minlength=n_items) > 0
    lost = int(np.count_nonzero(~seen & (counts.pattern_of >= 0)))
    if lost:
        left_out = left_out | {"items that no human annotated": lost}
    new = np.where(seen, np.cumsum(seen) - 1, -1)
    said = np.full((int(seen.sum()), len(models)), NOT_SAID)
    of_models = ~human & seen[item]
    said[new[item[of_models]], who[of_models] - len(humans)] = value[of_models]
    return Sides(
        data, humans, models, new[item[human]], who[human], value[human], said, counts, measure, w,
        left_out,
    )  # fmt: skip


def _entries(counts: Counts) -> tuple[Ints, Ints, Ints]:
    """Item, coder and value of every annotation, sorted by item."""
    shown = np.flatnonzero(counts.pattern_of >= 0)
    pattern = counts.pattern_of[shown]
    size = np.diff(counts.start)[pattern]
    item = np.repeat(shown, size)
    end = np.cumsum(size)
    at = np.arange(int(size.sum())) - np.repeat(end - size, size)
    entry = np.repeat(counts.start[pattern], size) + at
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    return item, coder[entry].astype(np.int64), counts.value[entry].astype(np.int64)
