"""The annotation scheme: which categories exist, in which order, on which scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import lt
from typing import Literal, TypeAlias, get_args

from .errors import RequestError, meant

Label: TypeAlias = str | int | float | bool
Value: TypeAlias = Label | tuple[Label, ...]  # what is compared: a category, or a set of labels
Scale: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio", "circular", "bipolar"]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True)
class Scheme:
    """The categories of one question.

    Parameters
    ----------
    categories : tuple of str, int or float
        Every option a coder may give, in the order of the scheme.
    scale : {'nominal', 'ordinal', 'interval', 'ratio', 'circular', 'bipolar'}
        What the order and the numbers mean. Numeric labels are nominal until a scale is given.
    declared : bool
        True if the categories were given; False if they were read off the data, so that
        categories nobody used are unknown.
    max_labels : int or None
        How many labels an annotation may hold; None for any number. With 1 a value is a
        category, else a tuple of categories: ``()`` if none applies, ``("a",)``, ``("a", "b")``.
    ranked : bool
        Whether the order of the labels in a tuple is the coder's, the first label the primary
        one. Otherwise labels stand in the order of the categories.

    Examples
    --------
    >>> Scheme(("low", "mid", "high"), scale="ordinal", declared=True).numbers is None
    True
    >>> Scheme((1, 2, 3)).numbers
    (1.0, 2.0, 3.0)
    """

    categories: tuple[Label, ...]
    scale: Scale = "nominal"
    declared: bool = False
    max_labels: int | None = 1
    ranked: bool = False

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            hint = meant(self.scale, SCALES)
            raise RequestError(f"unknown scale {self.scale!r}: {', '.join(SCALES)}{hint}")
        if not _rising(self.categories) and len(set(self.categories)) < len(self.categories):
            twice = sorted({str(c) for c in self.categories if self.categories.count(c) > 1})
            raise RequestError(f"the scheme lists categories twice: {', '.join(twice)}")

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """The categories as finite numbers, or None if one of them is not a number."""
        found = [number(c) for c in self.categories]
        return None if None in found else tuple(x for x in found if x is not None)

    def of_scale(self, scale: Scale) -> Scheme:
        """The same categories on another scale."""
        return replace(self, scale=scale)


def _rising(labels: tuple[Label, ...]) -> bool:
    """Whether each label is more than the one before: a quick check for a million numbers."""
    try:
        return all(map(lt, labels, labels[1:]))
    except TypeError:  # words and numbers
        return False


def number(label: Label) -> float | None:
    """The label as a finite number, or None; a boolean is a word.

    Examples
    --------
    >>> number("1.50"), number("007"), number("n/a"), number("inf"), number(True)
    (1.5, 7.0, None, None, None)
    """
    if isinstance(label, bool):
        return None
    try:
        x = float(label)
    except (TypeError, ValueError):
        return None
    return x if math.isfinite(x) else None


def union(schemes: Sequence[Scheme]) -> Scheme:
    """One scheme that holds the categories of all, for a pooled figure.

    The scale is kept only if all schemes have the same one.

    Examples
    --------
    >>> union([Scheme(("yes", "no")), Scheme(("no", "unsure"))]).categories
    ('yes', 'no', 'unsure')
    """
    if all(s == schemes[0] for s in schemes):
        return schemes[0]
    categories = _in_order(c for s in schemes for c in s.categories)
    scales = {s.scale for s in schemes}
    limits = [s.max_labels for s in schemes]
    several = [s for s in schemes if s.max_labels != 1]
    return Scheme(
        categories,
        scales.pop() if len(scales) == 1 else "nominal",
        all(s.declared for s in schemes),
        None if None in limits else max(n for n in limits if n is not None),
        bool(several) and all(s.ranked for s in several),
    )


def _in_order(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Each label once; sorted by number if all are numbers."""
    found = tuple(dict.fromkeys(labels))
    numbers = {label: number(label) for label in found}
    if all(x is not None for x in numbers.values()):
        return tuple(sorted(found, key=lambda label: numbers[label] or 0.0))
    return found
