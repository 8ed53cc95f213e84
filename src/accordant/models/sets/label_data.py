"""Annotations of label sets as a yes or no about each label."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...data.annotations import NO_VALUE, Annotations
from ...scheme import Label, Scheme, Value

__all__ = ["given_labels", "label_data", "label_truth"]

YES_NO = Scheme((False, True), declared=True)


def given_labels(data: Annotations) -> tuple[Label, ...]:
    """The labels that a coder gave at least once, in the order of the scheme."""
    used = {x for k in np.unique(data.answered.value).tolist() for x in _set(data.values[k])}
    return tuple(c for c in data.schemes[0].categories if c in used)


def label_data(data: Annotations, labels: tuple[Label, ...]) -> Iterator[Annotations]:
    """For each label, the same annotations as whether they hold it.

    Parameters
    ----------
    data : Annotations
        Of one question of label sets.
    labels : tuple

    Yields
    ------
    Annotations
        With the categories False and True; items, coders and gaps stay.
    """
    sets = [set(_set(value)) for value in data.values]
    for label in labels:
        code = np.array([*(label in s for s in sets), NO_VALUE], np.int8)
        layout: Any = data.layout
        if isinstance(layout, np.ndarray):
            layout = code[layout]
        else:
            layout = replace(layout, value=code[layout.value])
        yield replace(data, schemes=(YES_NO,), values=(False, True), layout=layout)


def label_truth(known: Mapping[Hashable, Value], label: Label) -> dict[Hashable, Value]:
    """Of control items, whether their set holds the label."""
    return {item: label in _set(value) for item, value in known.items()}


def _set(value: Value) -> tuple[Label, ...]:
    return value if isinstance(value, tuple) else (value,)
