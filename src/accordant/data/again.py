"""Annotations that were read already, under another scheme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, RequestError
from ..scheme import Scheme, Value, union
from .annotations import NO_VALUE, Annotations, Columns
from .labels import as_declared, check_names, label_key, outside
from .options import Options

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
    if replace(options, scale=None, categories=None) != Options():
        raise RequestError(
            "these data were read already: only categories= and scale= can be given now; read the "
            "source again for the rest"
        )
    check_names(options, data.questions)
    schemes = tuple(
        _scheme(q, s, options) for q, s in zip(data.questions, data.schemes, strict=True)
    )
    if options.categories is None:
        return replace(data, schemes=schemes)
    values: tuple[Value, ...] = union(schemes).categories
    lookup = np.stack([
        _lookup(data, q, schemes[q], values) for q in range(len(data.questions))
    ])  # fmt: skip
    return replace(data, schemes=schemes, values=values, layout=_coded(data, lookup))


def _scheme(question: str, old: Scheme, options: Options) -> Scheme:
    given = options.categories_of(question)
    return Scheme(
        old.categories if given is None else as_declared(given),
        options.scale_of(question) or old.scale,
        old.declared or given is not None,
        old.max_labels,
    )


def _lookup(
    data: Annotations, q: int, scheme: Scheme, values: Sequence[Value]
) -> NDArray[np.integer[Any]]:
    """(K + 1,) from the old code of a value to the new one; the last is for no value."""
    c = data.answered
    times = np.bincount(c.value[c.question == q], minlength=len(data.values))
    position = {v: k for k, v in enumerate(values)}
    code = {label_key(c): position[c] for c in scheme.categories}
    codes = [code.get(label_key(v), NO_VALUE) for v in data.values]
    unknown = [k for k in np.flatnonzero(times).tolist() if codes[k] == NO_VALUE]
    if unknown:
        labels = [str(data.values[k]) for k in unknown]
        message = outside(labels, scheme.categories, int(times[unknown].sum()))
        name = data.questions[q]
        raise InputError(f"question {name!r}: {message}" if name else message)
    return np.array([*codes, NO_VALUE], np.min_scalar_type(-len(values) - 1))


def _coded(data: Annotations, lookup: NDArray[Any]) -> Columns | NDArray[np.integer[Any]]:
    if not isinstance(data.layout, Columns):
        return np.asarray(lookup[0][data.layout])
    value = lookup[data.layout.question, data.layout.value]
    return replace(data.layout, value=value)
