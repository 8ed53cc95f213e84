"""Annotations that were read already, under another scheme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, RequestError
from ..scheme import Label, Scheme, Value
from .annotations import NO_VALUE, Annotations, Columns
from .labels import as_declared, check_names, label_key, outside, remedies
from .options import Options
from .values import check_sets, values_of

__all__ = ["declared_again"]


def declared_again(data: Annotations, options: Options) -> Annotations:
    """The same annotations with the categories and the scale that are given now.

    Raises
    ------
    InputError
        If a label is not among the categories.
    RequestError
        If anything else is asked for: that needs the source.
    """
    if not options.given:
        return data
    if replace(options, scale=None, categories=None, rename={}) != Options():
        raise RequestError(
            "these data were read already: only their categories, their scale and the names of "
            "coders can be given now; read the source again for the rest"
        )
    check_names(options, data.questions)
    schemes = tuple(
        _scheme(q, s, options) for q, s in zip(data.questions, data.schemes, strict=True)
    )
    if options.categories is None:
        return replace(data, schemes=schemes)
    new = [_renamed(data, q, scheme) for q, scheme in enumerate(schemes)]
    values = values_of([(s, _in_order(n, s)) for n, s in zip(new, schemes, strict=True)])
    lookup = np.stack([_lookup(data, n, values) for n in new])
    return replace(data, schemes=schemes, values=values, layout=_coded(data, lookup))


def _scheme(question: str, old: Scheme, options: Options) -> Scheme:
    given = options.categories_of(question)
    scheme = replace(
        old,
        categories=old.categories if given is None else as_declared(given),
        scale=options.scale_of(question) or old.scale,
        declared=old.declared or given is not None,
    )
    if scheme.max_labels != 1:
        check_sets(question, scheme)
    return scheme


def _renamed(data: Annotations, q: int, scheme: Scheme) -> dict[Value, Value]:
    """The values of a question, each to what the new scheme calls it."""
    c = data.answered
    times = np.bincount(c.value[c.question == q], minlength=len(data.values))
    position = {label_key(c): k for k, c in enumerate(scheme.categories)}
    found: dict[Value, Value] = {}
    unknown: dict[str, int] = {}
    for k in np.flatnonzero(times).tolist():
        value = data.values[k]
        labels: tuple[Label, ...] = value if isinstance(value, tuple) else (value,)
        for label in labels:
            if label_key(label) not in position:
                unknown[str(label)] = unknown.get(str(label), 0) + int(times[k])
        codes = [position.get(label_key(label), 0) for label in labels]
        new = tuple(scheme.categories[c] for c in (codes if scheme.ranked else sorted(codes)))
        found[value] = new if isinstance(value, tuple) else new[0]
    if unknown:
        message = outside(list(unknown), scheme.categories, sum(unknown.values()))
        name = data.questions[q]
        raise InputError(
            f"question {name!r}: {message}" if name else message,
            do=remedies(list(unknown), scheme.categories),
        )
    return found


def _in_order(found: Mapping[Value, Value], scheme: Scheme) -> tuple[Value, ...]:
    """The categories, or the sets that occur: by size, then in the order of the scheme."""
    if scheme.max_labels == 1:
        return scheme.categories
    position = {c: k for k, c in enumerate(scheme.categories)}
    sets = {v for v in found.values() if isinstance(v, tuple)}
    return tuple(sorted(sets, key=lambda v: (len(v), [position[x] for x in v])))


def _lookup(
    data: Annotations, new: Mapping[Value, Value], values: tuple[Value, ...]
) -> NDArray[np.integer[Any]]:
    """(V + 1,) from the old code of a value to the new one; the last is for no value."""
    position = {v: k for k, v in enumerate(values)}
    codes = [position[new[v]] if v in new else NO_VALUE for v in data.values]
    return np.array([*codes, NO_VALUE], np.min_scalar_type(-len(values) - 1))


def _coded(data: Annotations, lookup: NDArray[Any]) -> Columns | NDArray[np.integer[Any]]:
    if not isinstance(data.layout, Columns):
        return np.asarray(lookup[0][data.layout])
    value = lookup[data.layout.question, data.layout.value]
    return replace(data.layout, value=value)
