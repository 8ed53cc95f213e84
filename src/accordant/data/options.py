"""What a user may say about the data when reading them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from itertools import chain
from typing import Any

import numpy as np

from ..errors import RequestError
from ..scheme import SCALES, Label, Scale
from .table import plain

__all__ = ["BLANKS", "KEYWORDS", "LAYOUTS", "Options", "make"]

LAYOUTS = ("long", "wide", "files", "table", "counts", "onehot", "array")
BLANKS = ("missing", "not_assigned", "not_applicable", "skipped", "empty")
_CHOICES = {
    "layout": LAYOUTS,
    "coders_in": ("rows", "columns"),
    "duplicates": ("error", "first", "last", "union", "keep"),
    "spans": ("labels", "tokens"),
    "decimal": (".", ","),
}


@dataclass(frozen=True)
class Options:
    """The keywords of `read`, checked; see there."""

    item: str | None = None
    coder: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    question: str | None = None
    text: str | None = None
    categories: Sequence[Label] | Mapping[str, Sequence[Label]] | None = None
    scale: Scale | Mapping[str, Scale] | None = None
    layout: str | None = None
    coders_in: str | None = None
    blank: str | None = None
    missing: frozenset[str] = frozenset()
    duplicates: str = "error"
    sheet: str | None = None
    header_row: int | None = None
    encoding: str | None = None
    delimiter: str | None = None
    max_labels: int | None = None
    separator: str | None = None
    ranked: bool = False
    label_weight: str | None = None
    empty: frozenset[str] = frozenset()
    spans: str = "labels"
    decimal: str | None = None
    rename: Mapping[str, str] = field(default_factory=dict)
    alone: bool = True  # one file, not several
    sets: frozenset[str] = frozenset()  # questions whose annotations are sets, as of spans
    only: tuple[str, ...] = ()  # the questions that are read; all if none is named
    least: int = 2  # coders that a file must have

    @property
    def given(self) -> bool:
        """Whether the user said anything."""
        return replace(self, only=()) != Options()

    @property
    def says_columns(self) -> bool:
        """Whether the user said what the columns of a table are for."""
        return bool(self.item or self.coder or self.label or self.layout or self.delimiter)

    @property
    def says_table(self) -> bool:
        """Whether the user said that a file is a table, even if it is one of a platform."""
        return bool(self.layout or self.delimiter)

    @property
    def columns_said(self) -> set[str]:
        """The columns that the user named."""
        single = {self.item, self.question, self.text, self.label_weight}
        return {n for n in single if n} | {*self.label}

    def without(self, questions: Collection[str]) -> Options:
        """The same without what was said of some questions."""
        kept: dict[str, Any] = {
            what: {name: x for name, x in given.items() if name not in questions} or None
            for what in ("categories", "scale")
            if isinstance(given := getattr(self, what), Mapping)
        }
        return replace(self, **kept)

    def scale_of(self, question: str) -> Scale | None:
        """The scale the user gave a question."""
        if self.scale is None or isinstance(self.scale, str):
            return self.scale
        return self.scale.get(question)

    def categories_of(self, question: str) -> tuple[Label, ...] | None:
        """The categories the user gave a question."""
        if isinstance(self.categories, Mapping):
            found = self.categories.get(question)
            return None if found is None else tuple(found)
        return None if self.categories is None else tuple(self.categories)


KEYWORDS = (
    *(f.name for f in fields(Options) if f.name not in ("alone", "sets", "only", "least")),
    "items",
    "only_question",
    "only_coder",
)
"""What a user may say when reading."""


def make(given: Mapping[str, Any]) -> Options:
    """Options from keywords, with one clear error for a keyword that makes no sense."""
    known = KEYWORDS
    for name in given:
        if name not in known:
            raise RequestError(
                f"neither this call nor reading has an option {name!r}{_close(name, known)}"
            )
    values = dict(given)
    for parameter, message in chain(_choices(values), _values(values), _label_sets(values)):
        raise RequestError(message, parameter=parameter)
    for name in ("coder", "label"):
        values[name] = _names(values.get(name), name)
    for name in ("missing", "empty"):
        values[name] = frozenset(_names(_text_of(values.get(name)), name))
    for name, usual in (("duplicates", "error"), ("spans", "labels"), ("rename", {})):
        if values.get(name) is None:
            values[name] = usual
    values["ranked"] = bool(values.get("ranked")) or values.get("label_weight") is not None
    return Options(**values)


def _choices(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Options of which the value is none of those allowed, and what is to be said."""
    for name, allowed in _CHOICES.items():
        value = values.get(name)
        if value is not None and value not in allowed:
            close = _close(str(value), allowed)
            yield name, f"choose one of {', '.join(map(repr, allowed))}, not {value!r}{close}"
    for scale in _each(values.get("scale")):
        if scale not in SCALES:
            close = _close(str(scale), SCALES)
            yield "scale", f"unknown scale {scale!r}: choose one of {', '.join(SCALES)}{close}"


def _values(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What has the right name but cannot be meant."""
    for given in _each(values.get("categories")):
        if isinstance(given, str):
            listed = [w.strip() for w in given.split(",")]
            yield "categories", f"give a list, such as {listed}, not {given!r}"
    delimiter = values.get("delimiter")
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        asked = "give the one character that separates the cells, such as ';'"
        yield "delimiter", f"{asked}, not {delimiter!r}"
    blank = values.get("blank")
    if blank is not None and blank not in BLANKS and get_close_matches(blank, BLANKS, 1, 0.8):
        known = ", ".join(map(repr, BLANKS))
        asked = f"choose one of {known}, or the name of a category"
        yield "blank", f"{asked}, not {blank!r}{_close(blank, BLANKS)}"
    rename = values.get("rename") or {}
    if "" in rename:
        asked = f"say which coder is to be called {rename['']!r}"
        yield "rename", f"{asked}: the name in the data, then the other name"
    row = values.get("header_row")
    if row is not None and (isinstance(row, bool) or not isinstance(row, int) or row < 0):
        asked = "give the number of the row that names the columns, 1 for the first"
        yield "header_row", f"{asked}, or 0 if there is none, not {row!r}"


def _label_sets(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is said about several labels and cannot be meant."""
    most, onehot = values.get("max_labels"), values.get("layout") == "onehot"
    if most is not None and most < 1:
        asked = "give 1 for one label an annotation, or the largest number of labels"
        yield "max_labels", f"{asked}, not {most!r}; without it the data say"
    if values.get("separator") == "":
        asked = "give what stands between two labels, such as ';'"
        yield "separator", f"{asked}, not an empty text"
    if onehot and (values.get("ranked") or values.get("label_weight")):
        said = "'onehot' says which labels were given, not in which order"
        yield "layout", f"{said}: labels can be neither ranked nor weighted"
    several = [n for n in ("separator", "ranked", "label_weight", "empty") if values.get(n)]
    several += ["duplicates"] * (values.get("duplicates") == "union") + ["layout"] * onehot
    if most == 1 and several:
        said = f"the option {several[0]!r} ({values[several[0]]!r})"
        yield (
            "max_labels",
            (
                f"1 says that an annotation holds one label, but {said} that it may hold several: "
                "leave one of them out"
            ),
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
