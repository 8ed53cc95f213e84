"""Annotations of models beside those of humans, brought together from two sources."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.annotations import NO_VALUE, Annotations, Columns
from ...data.labels import label_key, outside
from ...errors import InputError, RequestError
from ...scheme import Label, Scheme, Value, union

__all__ = ["joined"]

Ints = NDArray[np.integer[Any]]


def joined(humans: Annotations, models: Annotations) -> Annotations:
    """The annotations of the humans and, of the same items, those of the models.

    Parameters
    ----------
    humans, models : Annotations
        Of one question each. Items are matched by the text of their names, labels likewise.

    Raises
    ------
    InputError
        If no item is in both, or a model gives a label outside a declared scheme.
    RequestError
        If a coder of both has the same name.
    """
    both = sorted({*humans.coders} & {*models.coders})
    if both:
        raise RequestError(
            f"a model is called {both[0]!r}, and so is a coder of the data: give one of them "
            "another name",
            parameter="models",
        )
    scheme = _scheme(humans.schemes[0], models.schemes[0])
    values, of_humans, of_models = _values(humans, models, scheme)
    place = {str(name): k for k, name in enumerate(_listed(humans.items))}
    at = np.array([place.get(str(name), -1) for name in _listed(models.items)], np.int64)
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
    left_out = [("items of the models that are no items of the data", lost)] if lost else []
    persons = None
    if humans.persons is not None or models.persons is not None:
        persons = (*(humans.persons or humans.coders), *(models.persons or models.coders))
    return replace(
        humans,
        coders=(*humans.coders, *models.coders),
        schemes=(scheme,),
        values=values,
        layout=layout,
        persons=persons,
        reading=replace(humans.reading, left_out=(*humans.reading.left_out, *left_out)),
    )


def _scheme(one: Scheme, two: Scheme) -> Scheme:
    """The scheme of the humans, with what the models added if it was read off the data."""
    known = {label_key(c): c for c in one.categories}
    new = tuple(c for c in two.categories if label_key(c) not in known)
    several = one.max_labels != 1 or two.max_labels != 1
    most = None if several else 1
    if one.declared or not new:
        return replace(one, max_labels=most)
    categories = union([Scheme(one.categories), Scheme(new)]).categories
    return replace(one, categories=categories, max_labels=most)


def _values(
    humans: Annotations, models: Annotations, scheme: Scheme
) -> tuple[tuple[Value, ...], Ints, Ints]:
    """All values, and the new codes (V + 1,) of the values of both; the last is for none."""
    named = {label_key(c): c for c in scheme.categories}
    made: dict[Value, int] = {}
    codes = []
    for data in (humans, models):
        given = np.bincount(data.answered.value, minlength=len(data.values))
        code = np.full(len(data.values) + 1, NO_VALUE)
        unknown: dict[str, int] = {}
        for k in np.flatnonzero(given).tolist():
            value = data.values[k]
            labels: tuple[Label, ...] = value if isinstance(value, tuple) else (value,)
            strange = [str(x) for x in labels if label_key(x) not in named]
            for x in strange:
                unknown[x] = unknown.get(x, 0) + int(given[k])
            if not strange:
                new = _as(scheme, tuple(named[label_key(x)] for x in labels), value)
                code[k] = made.setdefault(new, len(made))
        if unknown:
            raise InputError(
                outside(list(unknown), scheme.categories, sum(unknown.values())),
                file=data.reading.source,
            )
        codes.append(code)
    return tuple(made), codes[0], codes[1]


def _as(scheme: Scheme, labels: tuple[Label, ...], value: Value) -> Value:
    """A label, or a set of labels where annotations may hold several."""
    if scheme.max_labels == 1:
        return labels[0]
    if scheme.ranked and isinstance(value, tuple):
        return labels
    position = {c: k for k, c in enumerate(scheme.categories)}
    return tuple(sorted(labels, key=position.__getitem__))


def _listed(items: Any) -> Any:
    return items.tolist() if isinstance(items, np.ndarray) else items
