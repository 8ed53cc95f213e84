"""Annotations as the columns of a file, in every layout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np

from ..errors import RequestError
from .annotations import NO_VALUE, Annotations, Columns, Status
from .sheet import Field, Sheet, separator_for, set_text

__all__ = ["LAYOUTS", "for_format", "persons_lost"]


def for_format(sheet: Sheet, suffix: str, data: Annotations) -> Sheet:
    """The columns with sets of labels as text, where the format has no lists."""
    if suffix in _WITH_LISTS or all(s.max_labels == 1 for s in data.schemes):
        return sheet
    mark = separator_for(data.values)
    return tuple(f.as_text(mark) if f.lists else f for f in sheet)


_WITH_LISTS = (".jsonl", ".parquet")


def _rows(data: Annotations) -> Columns:
    """All annotations, those of each person in the order of the occasions, as `read` numbers them.

    Items and coders without any annotation keep their place by a row that says so.
    """
    c = data.columns
    if data.persons is not None:
        c = c.where(np.argsort(c.coder, kind="stable"))
    items, coders = (
        np.flatnonzero(np.bincount(codes, minlength=len(names)) == 0)
        for codes, names in ((c.item, data.items), (c.coder, data.coders))
    )
    zeros = np.zeros(len(items) + len(coders), np.intp)
    return Columns(
        np.r_[c.item, items, 0 * coders],
        np.r_[c.question, zeros],
        np.r_[c.coder, 0 * items, coders],
        np.r_[c.value, zeros + NO_VALUE],
        np.r_[c.status, zeros + int(Status.NOT_ASSIGNED)],
    )


def _long(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    c = _rows(data)
    sheet = [Field("item", _list(data.items), c.item)]
    if data.questions != ("",):
        sheet.append(Field("question", data.questions, c.question))
    sheet.append(Field("coder", data.persons or data.coders, c.coder))
    sheet.append(Field("label", data.values, c.value))
    if c.status[c.value == NO_VALUE].any():
        sheet.append(Field("status", [s.name.lower() for s in Status], c.status))
    taken = {f.name for f in sheet}
    sheet += [Field(f.name, f.words, c.item) for f in _about_items(data, taken)]
    return tuple(sheet), ()


def _wide(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    c = data.columns
    several = data.questions != ("",)
    names = [f"{q}__{k}" if several else k for q in data.questions for k in data.coders]
    grids = np.full((len(names), len(data.items)), NO_VALUE, np.int32)
    grids[c.question.astype(np.intp) * len(data.coders) + c.coder, c.item] = c.value
    sheet = [_ids(data, names)]
    sheet += [Field(name, data.values, grid) for name, grid in zip(names, grids, strict=True)]
    sheet += _about_items(data, {f.name for f in sheet})
    lost = _blank(data, "the wide layout has no statuses")
    return tuple(sheet), (*lost, *persons_lost(data))


def persons_lost(data: Annotations) -> Iterator[str]:
    """What is said where the occasions of a person become coders of their own."""
    pairs = zip(data.coders, data.persons or data.coders, strict=True)
    again = next(((c, p) for c, p in pairs if c != p), None)
    if again is not None:
        yield (
            f"that {again[0]!r} is {again[1]!r} is not kept: each time that somebody annotated an "
            "item is a coder of its own here; the long layout keeps them together"
        )


def _blank(data: Annotations, why: str) -> list[str]:
    """What is said of annotations without a value, if there are any."""
    n = int(np.count_nonzero(data.columns.value == NO_VALUE))
    annotations = "1 annotation is" if n == 1 else f"{n:,} annotations are"
    return [f"{annotations} without a value and left blank: {why}"] if n else []


def _one_hot(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    if len(data.questions) != 1:
        raise RequestError(
            f"columns of 0 and 1 hold one question; the data have {len(data.questions)}"
        )
    labels = data.schemes[0].categories
    names = ["item", "coder", *map(str, labels)]
    if len(set(names)) < len(names):
        raise RequestError("a category is called 'item' or 'coder', which name other columns")
    c = _rows(data)
    of = {label: k for k, label in enumerate(labels)}
    given = np.zeros((len(data.values) + 1, len(labels)), np.int8)
    for k, value in enumerate(data.values):
        given[k, [of[x] for x in (value if isinstance(value, tuple) else (value,))]] = 1
    given[-1] = NO_VALUE  # blank in all columns: missing
    cells = given[c.value.astype(np.intp)]
    sheet = [Field("item", _list(data.items), c.item)]
    sheet.append(Field("coder", data.persons or data.coders, c.coder))
    sheet += [Field(n, (0, 1), cells[:, k]) for k, n in enumerate(names[2:])]
    sheet += [Field(f.name, f.words, c.item) for f in _about_items(data, set(names))]
    lost = _blank(data, "there are no statuses")
    lost += ["the order of ranked labels is not kept"] * data.schemes[0].ranked
    return tuple(sheet), tuple(lost)


def _table(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    if len(data.coders) != 2 or len(data.questions) != 1:
        raise RequestError(
            f"a contingency table needs two coders and one question; the data have "
            f"{len(data.coders)} coders and {len(data.questions)} questions"
        )
    c, n_values = data.answered, len(data.values)
    pair = np.full((len(data.items), 2), NO_VALUE, np.int64)
    pair[c.item, c.coder] = c.value
    both = (pair != NO_VALUE).all(1)
    flat = pair[both] @ np.array([n_values, 1])
    counts = np.bincount(flat, minlength=n_values**2).reshape(n_values, n_values)
    names = _value_names(data)
    corner = Field(f"{data.coders[0]} \\ {data.coders[1]}", names)
    lost = ["item ids, texts and facts are not in a contingency table", *persons_lost(data)]
    if not both.all():
        n = int((~both).sum())
        items = "1 item" if n == 1 else f"{n:,} items"
        lost.append(f"{items} without a label of both coders left out")
    return (corner, *(Field(n, counts[:, k]) for k, n in enumerate(names))), tuple(lost)


def _counts(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    if len(data.questions) != 1:
        raise RequestError(
            f"a table of counts holds one question; the data have {len(data.questions)}"
        )
    c, n_values = data.answered, len(data.values)
    flat = c.item.astype(np.int64) * n_values + c.value
    counts = np.bincount(flat, minlength=len(data.items) * n_values).reshape(-1, n_values)
    names = _value_names(data)
    numbers = np.arange(counts.max(initial=0) + 1)
    cells = (Field(name, numbers, counts[:, k]) for k, name in enumerate(names))
    lost = ("who gave which label, texts and facts are not in a table of counts",)
    return (_ids(data, names), *cells), lost


def _value_names(data: Annotations) -> list[str]:
    mark = separator_for(data.values)
    return [set_text(v, mark) if isinstance(v, tuple) else str(v) for v in data.values]


LAYOUTS: dict[str, Callable[[Annotations], tuple[Sheet, tuple[str, ...]]]] = {
    "long": _long,
    "wide": _wide,
    "onehot": _one_hot,
    "table": _table,
    "counts": _counts,
}


def _ids(data: Annotations, taken: Collection[str]) -> Field:
    """The column of item ids, under a name that no coder or category has."""
    return Field(next(n for n in _ID_NAMES if n not in taken), _list(data.items))


_ID_NAMES = ("item", "item_id", "item id", "itemid", "document_id", "id of the item")


def _about_items(data: Annotations, taken: Collection[str]) -> list[Field]:
    """Texts and metadata, (I,) each, under names that are free."""
    found = [] if data.texts is None else [Field("text", list(data.texts))]
    names = {*taken, *(f.name for f in found)}
    for name, column in data.metadata.items():
        free = name if name not in names else f"{name} (about the item)"
        names.add(free)
        found.append(Field(free, list(column)))
    return found


def _list(values: Any) -> list[Any]:
    """Ids as cells; whole numbers without a decimal point, as they stand in messages."""
    whole = isinstance(values, np.ndarray) and values.dtype.kind == "f"
    if whole and np.isfinite(values).all() and (values == np.floor(values)).all():
        return [int(x) for x in values.tolist()]
    return values.tolist() if isinstance(values, np.ndarray) else list(values)
