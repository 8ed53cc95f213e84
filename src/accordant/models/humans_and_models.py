"""Humans on one side, models on the other: who annotated what, from one source or from two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..actions import Action
from ..arrays import Floats, Ints
from ..counts.count import count
from ..counts.counts import Counts
from ..counts.row_keys import entries_of
from ..data.annotations import NO_VALUE, Annotations, Columns
from ..data.labels import label_key
from ..data.read import read
from ..errors import InputError, RequestError, unknown
from ..inference.measurement import compared
from ..measure.measures import Measure, measures
from ..measure.registry import COEFFICIENTS
from ..measure.weights import Weights
from ..scheme import Scheme, Value, union

NOT_SAID = -1  # a model that gave no label to an item


# ------------------------------------------------------------------ one source of two


def joined(humans: Annotations, models: Annotations) -> Annotations:
    """The annotations of the humans and, of the same items, those of the models.

    Both are of one question. Items are matched by the text of their names, labels likewise.
    """
    both = sorted({*humans.coders} & {*models.coders})
    if both:
        raise RequestError(
            f"a model and a coder of the data are both called {both[0]!r}",
            parameter="models",
        )
    scheme = _scheme(humans.schemes[0], models.schemes[0])
    categories = list(scheme.categories)
    humans, models = read(humans, categories=categories), read(models, categories=categories)
    values: dict[Value, int] = {}
    of_humans, of_models = (_codes(data.values, scheme, values) for data in (humans, models))
    place = {str(name): k for k, name in enumerate(humans.items)}
    at = np.array([place.get(str(name), -1) for name in models.items], np.int64)
    one, two = humans.columns, models.columns
    two = two.where(at[two.item] >= 0)
    if not len(two):
        raise InputError(
            "no item of the models is an item of the data: look at how the items are named",
            file=models.reading.source,
        )
    layout = Columns(
        np.concatenate([one.item, at[two.item]]),
        np.zeros(len(one) + len(two), np.uint8),
        np.concatenate([one.coder, two.coder.astype(np.int64) + len(humans.coders)]),
        np.concatenate([of_humans[one.value], of_models[two.value]]),
        np.concatenate([one.status, two.status]),
    )
    lost = int(np.count_nonzero(at < 0))
    left_out = [("items of the models that are not in the data", lost)] if lost else []
    persons = None
    if humans.persons is not None or models.persons is not None:
        persons = (*(humans.persons or humans.coders), *(models.persons or models.coders))
    return replace(
        humans,
        coders=(*humans.coders, *models.coders),
        schemes=(scheme,),
        values=tuple(values),
        layout=layout,
        persons=persons,
        reading=replace(humans.reading, left_out=(*humans.reading.left_out, *left_out)),
    )


def _scheme(one: Scheme, two: Scheme) -> Scheme:
    """The scheme of the humans, with what the models added if it was read off the data."""
    known = {label_key(c) for c in one.categories}
    new = tuple(c for c in two.categories if label_key(c) not in known)
    most = 1 if one.max_labels == two.max_labels == 1 else None
    if one.declared or not new:
        return replace(one, max_labels=most)
    categories = union([Scheme(one.categories), Scheme(new)]).categories
    return replace(one, categories=categories, max_labels=most)


def _codes(own: Sequence[Value], scheme: Scheme, values: dict[Value, int]) -> Ints:
    """(V + 1,) the positions of values among all ``values``, which grow; the last is for none."""
    single = scheme.max_labels == 1
    alike = [x if single or isinstance(x, tuple) else (x,) for x in own]
    return np.array([*(values.setdefault(x, len(values)) for x in alike), NO_VALUE])


# ------------------------------------------------------------------ who annotated what


class HumanValues(NamedTuple):
    """The different values that humans gave to each item, G in all, sorted by item."""

    item: Ints  # (G,)
    value: Ints  # (G,)
    n: Floats  # (G,) how many humans gave it
    of: Ints  # (N,) the cell of each annotation
    start: Ints  # (I + 1,) where the cells of each item start


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
        The coefficient of agreement.
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

    @cached_property
    def n_humans(self) -> Ints:
        """(I,) how many humans annotated each item."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def cells(self) -> HumanValues:
        """What humans said of each item, each value once."""
        n_values = self.counts.n_values
        key = self.item * np.int64(n_values) + self.value
        found, of, n = np.unique(key, return_inverse=True, return_counts=True)
        item, value = np.divmod(found, n_values)
        start = np.searchsorted(item, np.arange(self.n_items + 1))
        return HumanValues(item, value, n.astype(float), of.reshape(-1), start)

    def cells_of(self, item: Ints) -> tuple[Ints, Ints]:
        """All cells of some items (Q,): (P,) the position in ``item``, (P,) the cell."""
        cell, start = entries_of(self.cells.start, item)
        return np.repeat(np.arange(len(item)), np.diff(start)), cell


def sides(
    data: Any,
    models: Any,
    humans: Sequence[str] | None,
    coefficient: str,
    reading: dict[str, Any],
) -> Sides:
    """Who is a human and who a model, with the annotations of both; see `model_as_coder`."""
    (measure,) = measures(coefficient)
    known = [c.key for c in COEFFICIENTS.values() if c.slope_of]
    if measure.coefficient.key not in known:
        raise RequestError(
            f"{measure.key} cannot compare a model with a group of humans: {', '.join(known)} can",
            parameter="coefficient",
        )
    found = read(data, **reading)
    names, other = _models(models, found, reading)
    if other is not None:
        found = joined(_of_one(found, "data"), _of_one(other, "models"))
    _of_one(found, "data")
    if found.anonymous:
        raise RequestError(
            "the data do not say who annotated what",
            do=[Action("", {"coder": ...}, "the column of the coders")],
        )
    persons = found.persons or found.coders
    firsts = [c for c, p in zip(found.coders, persons, strict=True) if c == p]
    who = _humans(humans, names, firsts)
    kept = found.of_coders([*who, *names])
    left_out = dict(kept.reading.left_out)
    if again := len(found) - len(found.of_coders(firsts)):
        left_out["annotations of an item by the same coder after the first one"] = again
    counts, w = compared(measure.coefficient, count(kept), kept.schemes[0], measure.weighed(None))
    about = kept, tuple(sorted(who)), tuple(sorted(names))
    return _divided(*about, counts, measure, w, left_out)


def _models(
    models: Any, data: Annotations, reading: dict[str, Any]
) -> tuple[tuple[str, ...], Annotations | None]:
    """The names of the models, and their annotations if they come from another source."""
    given = [models] if isinstance(models, str) else models
    if isinstance(given, list | tuple) and all(isinstance(x, str) for x in given):
        if not given:
            raise RequestError("name the coders that are models", parameter="models")
        absent = [name for name in given if name not in data.coders]
        if not absent:
            return tuple(dict.fromkeys(given)), None
        if not all(Path(name).exists() for name in given):
            hint = "name models that are coders, or give a file"
            raise unknown("coder", absent[0], data.coders, hint=hint, parameter="models")
    other = models if isinstance(models, Annotations) else read(models, least=1, **reading)
    return other.coders, other


def _of_one(data: Annotations, what: str) -> Annotations:
    if len(data.questions) != 1:
        raise RequestError(
            f"the {what} hold {len(data.questions)} questions: choose one",
            do=[Action("of_question", {"question": data.questions[0]})],
        )
    return data


def _humans(
    humans: Sequence[str] | None, models: Sequence[str], coders: Sequence[str]
) -> tuple[str, ...]:
    given = [c for c in coders if c not in models] if humans is None else humans
    chosen = tuple(dict.fromkeys([given] if isinstance(given, str) else given))
    for name in chosen:
        if name not in coders:
            raise unknown("coder", name, coders)
        if name in models:
            raise RequestError(f"{name!r} is named as a model and as a human")
    if not chosen:
        raise RequestError("all coders are models: at least two must be humans")
    return chosen


def _divided(
    data: Annotations,
    humans: tuple[str, ...],
    models: tuple[str, ...],
    counts: Counts,
    measure: Measure,
    w: Weights,
    left_out: dict[str, int],
) -> Sides:
    """Annotations of humans, and what the models said of the same items."""
    shown = np.flatnonzero(counts.pattern_of >= 0)
    pattern = counts.pattern_of[shown]
    entry, start = entries_of(counts.start, pattern)
    item, value = np.repeat(shown, np.diff(start)), counts.value[entry].astype(np.int64)
    position = {name: k for k, name in enumerate((*humans, *models))}
    coder = np.zeros_like(counts.value) if counts.coder is None else counts.coder
    who = np.array([position[name] for name in counts.coders], np.int64)[coder[entry]]
    human = who < len(humans)
    seen = np.bincount(item[human], minlength=len(counts.pattern_of)) > 0
    lost = int(np.count_nonzero(~seen[shown]))
    if lost:
        left_out = left_out | {"items that no human annotated": lost}
    new = np.where(seen, np.cumsum(seen) - 1, -1)
    said = np.full((int(seen.sum()), len(models)), NOT_SAID)
    of_models = ~human & seen[item]
    said[new[item[of_models]], who[of_models] - len(humans)] = value[of_models]
    return Sides(
        data,
        humans,
        models,
        new[item[human]],
        who[human],
        value[human],
        said,
        counts,
        measure,
        w,
        left_out,
    )
