"""What a user may say about the data when reading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from ..errors import RequestError
from ..scheme import SCALES, Label, Scale
from .table import plain

LAYOUTS = ("long", "wide", "transposed", "files", "table", "counts", "onehot", "ranked", "tokens")
BLANKS = ("missing", "not_assigned", "not_applicable", "skipped", "empty")
_CHOICES = {
    "layout": LAYOUTS,
    "duplicates": ("error", "first", "keep"),
    "items": ("annotated", "shared", "complete"),
}


@dataclass(frozen=True)
class Options:
    """The keywords of `read`, checked; see there."""

    item: str | None = None
    coder: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    question: str | None = None
    categories: Sequence[Label] | Mapping[str, Sequence[Label]] | None = None
    scale: Scale | Mapping[str, Scale] | None = None
    layout: str | None = None
    blank: str | None = None
    missing: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()
    duplicates: str = "error"
    separator: str | None = None
    items: str = "annotated"
    sheet: str | None = None
    header_row: int | None = None
    ranked: bool = False  # layout="ranked": the first label of an annotation is the primary one
    spans: str = "labels"  # layout="tokens": where parts of texts were marked, each token an item
    alone: bool = True  # one file, not several
    sets: frozenset[str] = frozenset()  # questions whose annotations are sets, as of spans
    literal: bool = False  # of a platform, where what was not answered has a status: n/a is a label
    least: int = 2  # coders that a file must have

    @property
    def given(self) -> bool:
        """Whether the user said anything."""
        return self != Options()

    @property
    def says_columns(self) -> bool:
        """Whether the user said what the columns of a table are for."""
        return bool(self.item or self.coder or self.label or self.layout)

    @property
    def says_table(self) -> bool:
        """Whether the user said that a file is a table, even if it is one of a platform."""
        return bool(self.layout)

    @property
    def columns_said(self) -> set[str]:
        """The columns that the user named."""
        return {n for n in (self.item, self.question) if n} | {*self.label}

    @property
    def single(self) -> bool:
        """Whether each cell is one label, whatever it contains."""
        return self.separator == ""

    @property
    def asks_for_sets(self) -> bool:
        """Whether the user says that an annotation may hold several labels."""
        return bool(self.separator or self.ranked)

    def scale_of(self, question: str) -> Scale | None:
        """The scale the user gave a question."""
        if self.scale is None or isinstance(self.scale, str):
            return self.scale
        return self.scale.get(self._called(question))

    def categories_of(self, question: str) -> tuple[Label, ...] | None:
        """The categories the user gave a question."""
        if isinstance(self.categories, Mapping):
            found = self.categories.get(self._called(question))
            return None if found is None else tuple(found)
        return None if self.categories is None else tuple(self.categories)

    def _called(self, question: str) -> str:
        """The name of a question; the column of labels where it is the only one, and has none."""
        return self.label[0] if not question and len(self.label) == 1 else question


KEYWORDS = tuple(f.name for f in fields(Options))[:15]
"""What a user may say when reading."""


def make(given: Mapping[str, Any]) -> Options:
    """Options from keywords, with one clear error for a keyword that makes no sense."""
    for name in given:
        if name not in KEYWORDS:
            from ..removed import instead

            gone = instead("option", name)
            near = f". Instead: {gone}" if gone else _close(name, KEYWORDS)
            raise RequestError(f"neither this call nor reading has an option {name!r}{near}")
    values = {name: value for name, value in given.items() if value is not None}
    for parameter, message in (*_choices(values), *_values(values)):
        raise RequestError(message, parameter=parameter)
    for name in ("coder", "label"):
        values[name] = _names(values.get(name), name)
    for name in ("missing", "empty"):
        values[name] = frozenset(_names(_text_of(values.get(name)), name))
    options = Options(**values)
    if options.layout == "ranked":
        return replace(options, layout=None, ranked=True)
    if options.layout == "tokens":
        return replace(options, layout=None, spans="tokens")
    return options


def _choices(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Options of which the value is none of those allowed, and what is to be said."""
    asked = [(name, values.get(name), allowed) for name, allowed in _CHOICES.items()]
    asked += [("scale", scale, SCALES) for scale in _each(values.get("scale"))]
    for name, value, allowed in asked:
        if value is not None and value not in allowed:
            close = _close(str(value), allowed)
            yield name, f"choose one of {', '.join(map(repr, allowed))}, not {value!r}{close}"


def _values(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What has the right name but cannot be meant."""
    for given in _each(values.get("categories")):
        if isinstance(given, str):
            listed = [w.strip() for w in given.split(",")]
            yield "categories", f"give a list, such as {listed}, not {given!r}"
    blank = values.get("blank")
    if blank is not None and blank not in BLANKS and get_close_matches(blank, BLANKS, 1, 0.8):
        known = ", ".join(map(repr, BLANKS))
        asked = f"choose one of {known}, or the name of a category"
        yield "blank", f"{asked}, not {blank!r}{_close(blank, BLANKS)}"
    row = values.get("header_row")
    if row is not None and (isinstance(row, bool) or not isinstance(row, int) or row < 0):
        asked = "give the number of the row that names the columns, 1 for the first"
        yield "header_row", f"{asked}, or 0 if there is none, not {row!r}"
    if values.get("separator") == "" and (values.get("empty") or values.get("layout") == "ranked"):
        yield (
            "separator",
            "nothing separates labels, so that an annotation holds one label, but another option "
            "says that it may hold several or none: leave one of them out",
        )


def _each(value: Any) -> Iterable[Any]:
    if value is None:
        return ()
    return value.values() if isinstance(value, Mapping) else (value,)


def _names(value: Any, option: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Iterable):
        raise RequestError(f"give a text, or a list of texts, not {value!r}", parameter=option)
    return tuple(str(_text_of(x)) for x in value)


def _text_of(value: Any) -> Any:
    """A number as the text of a cell: -1 as '-1'."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return plain(value) if number else value


def _close(name: str, known: Iterable[str]) -> str:
    found = get_close_matches(name, list(known), 1)
    return f"; did you mean {found[0]!r}?" if found else ""
