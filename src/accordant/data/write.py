"""Annotations to a file, in any layout and format that `read` takes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import AccordantError, RequestError
from ..messages import Action, Notice
from ..scheme import Scheme
from .annotations import NO_VALUE, Annotations, Status
from .read import read
from .saving import save
from .sheet import Field, Sheet, separator_for, set_text
from .writers import FORMATS

__all__ = ["FORMATS", "LAYOUTS", "write"]


def write(
    data: Annotations,
    path: str | Path,
    layout: Literal["long", "wide", "onehot", "table", "counts"] = "long",
) -> tuple[str, ...]:
    """Write annotations; the suffix says the format. Nothing half-written is left behind.

    Parameters
    ----------
    data : Annotations
    path : str or Path
        Ends in .csv, .tsv, .xlsx, .parquet or .jsonl.
    layout : {'long', 'wide', 'onehot', 'table', 'counts'}
        One row for each annotation, with its status; a column for each coder (and question); one
        row for each annotation, with a column of 0 and 1 for each label; the contingency table of
        two coders; how many coders chose each category.

    Returns
    -------
    tuple of str
        What the layout could not hold, and what `read` must be told to read the file again; one
        sentence each. The long layout holds all but a scheme that was given.

    Examples
    --------
    >>> import tempfile
    >>> from accordant.data.read import read
    >>> data = read({"item": ["t1", "t2"], "Ann": ["pro", "con"], "Bob": ["pro", "pro"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lost = write(data, f"{folder}/long.csv")
    ...     read(f"{folder}/long.csv").fingerprint == data.fingerprint
    True
    """
    path = Path(path)
    writer = FORMATS.get(path.suffix.lower())
    if writer is None:
        raise RequestError(
            f"{path.name!r}: the suffix says the format; choose one of {', '.join(FORMATS)}"
        )
    if layout not in LAYOUTS:
        raise RequestError(
            f"choose one of {', '.join(map(repr, LAYOUTS))}, not {layout!r}", parameter="layout"
        )
    sheet, lost = LAYOUTS[layout](data)
    sheet = _for_format(sheet, path.suffix.lower(), data)
    save(path, lambda to: writer(sheet, to))
    return (*lost, *_how_to_read(data, path.suffix.lower(), layout))


def _for_format(sheet: Sheet, suffix: str, data: Annotations) -> Sheet:
    """The columns with sets of labels as text, where the format has no lists."""
    if suffix in _WITH_LISTS or all(s.max_labels == 1 for s in data.schemes):
        return sheet
    mark = separator_for(data.values)
    return tuple(f.as_text(mark) if f.lists else f for f in sheet)


_WITH_LISTS = (".jsonl", ".parquet")


def _how_to_read(data: Annotations, suffix: str, layout: str) -> tuple[str, ...]:
    """What `read` must be told to give the same annotations again, if anything."""
    sample = _sample(data)
    sheet, _ = LAYOUTS[layout](sample)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"annotations{suffix}"
        FORMATS[suffix](_for_format(sheet, suffix, sample), path)
        for options in _ways(sample, layout, sheet):
            if _same(path, options, layout, sample, sheet):
                again = Notice(
                    "The file does not say everything: give these options when it is read again.",
                    Action("", options),
                )
                return (again,) if options else ()
    return (f"the {layout} layout cannot hold these annotations so that they are read the same",)


_SAMPLE = 20_000  # annotations that are read again to see whether they survive


def _sample(data: Annotations) -> Annotations:
    """The annotations, or those of some items spread over all."""
    if len(data) <= _SAMPLE:
        return data
    keep = np.zeros(len(data.items), bool)
    keep[:: -(-len(data) // _SAMPLE)] = True
    return _as_if_alone(data.of_items(keep))


def _as_if_alone(data: Annotations) -> Annotations:
    """Without the sets of labels that do not occur, and the categories that only they held."""
    if all(s.max_labels == 1 for s in data.schemes):
        return data
    c = data.columns
    used = set(np.unique(c.value).tolist())
    kept = [k for k, v in enumerate(data.values) if k in used or not isinstance(v, tuple)]
    new = np.full(len(data.values) + 1, NO_VALUE, np.int32)
    new[kept] = np.arange(len(kept))
    schemes = tuple(_used(data, q) for q in range(len(data.questions)))
    values = tuple(data.values[k] for k in kept)
    return replace(data, schemes=schemes, values=values, layout=replace(c, value=new[c.value]))


def _used(data: Annotations, q: int) -> Scheme:
    scheme, c = data.schemes[q], data.columns
    if scheme.declared or scheme.max_labels == 1:
        return scheme
    found = (data.values[k] for k in np.unique(c.value[c.question == q]) if k != NO_VALUE)
    labels = {x for v in found if isinstance(v, tuple) for x in v}
    return replace(scheme, categories=tuple(x for x in scheme.categories if x in labels))


def _ways(data: Annotations, layout: str, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Options of `read` that may be needed, fewest first."""
    several = {"duplicates": "keep"} if data.persons is not None else {}
    yield from (several | told for told in _ways_of_once(data, layout, sheet))


def _ways_of_once(data: Annotations, layout: str, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """The same for data in which nobody annotated anything twice."""
    if layout == "onehot":
        labels = [str(c) for c in data.schemes[0].categories]
        for sets in _about_sets(data):
            yield {"layout": layout} | sets
            yield {"layout": layout, "item": "item", "coder": "coder", "label": labels} | sets
        return
    scheme: dict[str, Any] = {}
    for name, values in (
        ("categories", [list(s.categories) for s in data.schemes]),
        ("scale", [s.scale for s in data.schemes]),
    ):
        by_question = dict(zip(data.questions, values, strict=True))
        scheme[name] = values[0] if data.questions == ("",) else by_question
    if all(s.scale == "nominal" for s in data.schemes):
        del scheme["scale"]
    about = len(data.metadata) + (data.texts is not None)
    names = [f.name for f in sheet[: len(sheet) - about * (layout in ("long", "wide"))]]
    roles: dict[str, Any] = {"layout": layout}
    if layout == "long":
        roles |= {n: n for n in names if n in ("item", "coder", "label", "question")}
    if layout in ("wide", "counts"):
        roles["item"] = names[0]
    if layout == "wide":
        roles["coder"] = names[1:]
    scales = {k: v for k, v in scheme.items() if k == "scale"}
    for told in ({}, scales, scheme, roles, roles | scales, roles | scheme):
        for sets in _about_sets(data):
            yield told | sets
            yield told | sets | {"header_row": 1}


def _about_sets(data: Annotations) -> Iterator[dict[str, Any]]:
    """What must be said of sets of labels, fewest first."""
    several = [s for s in data.schemes if s.max_labels != 1]
    if not several:
        yield {}
        if len(data.values) > 1:
            yield {"max_labels": 1}
        return
    must: dict[str, Any] = {"ranked": True} if several[0].ranked else {}
    if several[0].max_labels is not None:
        must["max_labels"] = several[0].max_labels
    yield must
    yield must | {"separator": separator_for(data.values)}


def _same(
    path: Path, options: Mapping[str, Any], layout: str, data: Annotations, sheet: Sheet
) -> bool:
    try:
        again = read(path, **options)
        if layout in ("table", "counts"):
            found, _ = LAYOUTS[layout](again)
            return _as_cells(found) == _as_cells(sheet) and again.schemes == data.schemes
    except AccordantError:
        return False
    if layout in ("wide", "onehot"):  # which have no statuses
        data = replace(data, layout=data.answered)
    if layout == "onehot":  # whose columns are the scheme
        data = replace(data, schemes=tuple(replace(s, declared=True) for s in data.schemes))
    return again.fingerprint == data.fingerprint


def _as_cells(sheet: Sheet) -> dict[str, list[str]]:
    return {f.name: list(map(str, f.cells())) for f in sheet[1:]} | {
        "": list(map(str, sheet[0].cells()))
    }


# ---------------------------------------------------------------------- layouts


def _by_person(data: Annotations) -> Annotations:
    """With the annotations of each person in the order of the occasions, as `read` numbers them."""
    if data.persons is None:
        return data
    return replace(data, layout=data.columns.where(np.argsort(data.columns.coder, kind="stable")))


def _coders(data: Annotations) -> tuple[str, ...]:
    """(C,) the name of each coder; of an occasion that of the person."""
    return data.persons or data.coders


def _long(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    data = _by_person(data)
    c = data.columns
    more = _silent(data)  # items and coders without any annotation keep their place
    n = len(more)
    zeros = np.zeros(n, np.intp)
    item = np.r_[c.item, more[:, 0]]
    sheet = [Field("item", _list(data.items), item)]
    if data.questions != ("",):
        sheet.append(Field("question", data.questions, np.r_[c.question, zeros]))
    sheet.append(Field("coder", _coders(data), np.r_[c.coder, more[:, 1]]))
    sheet.append(Field("label", data.values, np.r_[c.value, zeros + NO_VALUE]))
    status = np.r_[c.status, zeros + int(Status.NOT_ASSIGNED)]
    if (status[np.r_[c.value, zeros + NO_VALUE] == NO_VALUE]).any():
        sheet.append(Field("status", [s.name.lower() for s in Status], status))
    taken = {f.name for f in sheet}
    sheet += [Field(f.name, f.words, item) for f in _about_items(data, taken)]
    return tuple(sheet), ()


def _silent(data: Annotations) -> NDArray[np.intp]:
    """(M, 2) pairs of item and coder that name every one of them without an annotation."""
    c = data.columns
    items, coders = (
        np.flatnonzero(np.bincount(codes, minlength=len(names)) == 0)
        for codes, names in ((c.item, data.items), (c.coder, data.coders))
    )
    return np.stack([np.r_[items, 0 * coders], np.r_[0 * items, coders]], 1)


def _wide(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    c = data.columns
    several = data.questions != ("",)
    names = [f"{q}__{k}" if several else k for q in data.questions for k in data.coders]
    grids = np.full((len(names), len(data.items)), NO_VALUE, np.int32)
    grids[c.question.astype(np.intp) * len(data.coders) + c.coder, c.item] = c.value
    sheet = [_ids(data, names)]
    sheet += [Field(name, data.values, grid) for name, grid in zip(names, grids, strict=True)]
    sheet += _about_items(data, {f.name for f in sheet})
    n = int(np.count_nonzero(c.value == NO_VALUE))
    lost = [f"{_annotations(n)} without a value and left blank: the wide layout has no statuses"]
    return tuple(sheet), (*(lost if n else ()), *_persons_lost(data))


def _persons_lost(data: Annotations) -> Iterator[str]:
    """What is said where the occasions of a person become coders of their own."""
    pairs = zip(data.coders, data.persons or data.coders, strict=True)
    again = next(((c, p) for c, p in pairs if c != p), None)
    if again is not None:
        yield (
            f"that {again[0]!r} is {again[1]!r} is not kept: each time that somebody annotated an "
            "item is a coder of its own here; the long layout keeps them together"
        )


def _annotations(n: int) -> str:
    return "1 annotation is" if n == 1 else f"{n:,} annotations are"


def _one_hot(data: Annotations) -> tuple[Sheet, tuple[str, ...]]:
    if len(data.questions) != 1:
        raise RequestError(
            f"columns of 0 and 1 hold one question; the data have {len(data.questions)}"
        )
    labels = data.schemes[0].categories
    names = ["item", "coder", *map(str, labels)]
    if len(set(names)) < len(names):
        raise RequestError("a category is called 'item' or 'coder', which name other columns")
    data = _by_person(data)
    c, more = data.columns, _silent(data)
    of = {label: k for k, label in enumerate(labels)}
    given = np.zeros((len(data.values) + 1, len(labels)), np.int8)
    for k, value in enumerate(data.values):
        given[k, [of[x] for x in (value if isinstance(value, tuple) else (value,))]] = 1
    given[-1] = NO_VALUE  # blank in all columns: missing
    cells = given[np.r_[c.value.astype(np.intp), np.full(len(more), NO_VALUE)]]
    item = np.r_[c.item, more[:, 0]]
    sheet = [Field("item", _list(data.items), item)]
    sheet.append(Field("coder", _coders(data), np.r_[c.coder, more[:, 1]]))
    sheet += [Field(n, (0, 1), cells[:, k]) for k, n in enumerate(names[2:])]
    sheet += [Field(f.name, f.words, item) for f in _about_items(data, set(names))]
    n = int(np.count_nonzero(c.value == NO_VALUE))
    lost = [f"{_annotations(n)} without a value and left blank: there are no statuses"] * (n > 0)
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
    lost = ["item ids, texts and facts are not in a contingency table", *_persons_lost(data)]
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
    return values.tolist() if isinstance(values, np.ndarray) else list(values)
