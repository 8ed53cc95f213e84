"""Annotations to a file, in any layout and format that `read` takes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..actions import Action, Notice
from ..errors import AccordantError, RequestError, unknown
from ..scheme import Scheme
from .annotations import NO_VALUE, Annotations
from .atomic_file import save
from .formats.format import formats
from .read import read
from .sheet import FORMATS, Sheet, separator_for
from .sheets import LAYOUTS, for_format

__all__ = ["FORMATS", "LAYOUTS", "suffixes_of", "write"]


def write(data: Annotations, path: str | Path, layout: str = "long") -> tuple[str, ...]:
    """Write annotations. Nothing half-written is left behind.

    Parameters
    ----------
    data : Annotations
    path : str or Path
        The suffix says the format: .csv, .tsv, .xlsx, .parquet or .jsonl; for a platform that
        of its files.
    layout : str
        'long': one row for each annotation, with its status; 'wide': a column for each coder (and
        question); 'onehot': one row for each annotation, with a column of 0 and 1 for each label;
        'table': the contingency table of two coders; 'counts': how many coders chose each
        category. Or a platform: 'label_studio' (.json), 'prodigy' (.jsonl), 'doccano' (.zip),
        'webanno_tsv' (.zip), 'hugging_face' (a folder).

    Returns
    -------
    tuple of str
        What the layout could not hold, and what `read` must be told to read the file again; one
        sentence each. The long layout holds all but a scheme that was given.

    Raises
    ------
    RequestError
        If the layout or the format cannot hold such annotations; nothing is written then.

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
    path, suffix = Path(path), Path(path).suffix.lower()
    if suffix not in suffixes_of(layout):
        raise RequestError(
            f"{path.name!r}: the suffix says the format; choose one of "
            f"{', '.join(suffixes_of(layout))}"
            if layout in LAYOUTS
            else f"{path.name!r}: {layout} is written as {suffixes_of(layout)[0] or 'a folder'}"
        )
    data, writer = _own_values(data), _writer(layout, suffix)
    lost = list[str]()

    def whole(to: Path) -> None:
        lost.extend(writer(data, to))
        lost.extend(_how_to_read(data, layout, suffix))

    save(path, whole)
    return tuple(lost)


def _how_to_read(data: Annotations, layout: str, suffix: str) -> Iterator[str]:
    """The options that `read` needs, if any; or that some of what was written is not kept.

    Raises
    ------
    RequestError
        If no options make it read the coders and questions that the columns are about.
    """
    sample, writer = _sample(data), _writer(layout, suffix)
    ways, same = (_ways, _same) if layout in LAYOUTS else (_ways_of_platform, _answers_same)
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / f"annotations{suffix}"
        writer(sample, again)
        told = next((o for o in ways(sample, layout) if same(again, o, layout, sample)), None)
        lost = told is None and layout == "wide"
        if lost and not any(_known(again, o, sample) for o in ways(sample, layout)):
            raise RequestError(
                f"columns of the {layout} layout would not be recognised as these coders and "
                "questions when they are read again: write the long layout, which holds all, or "
                "one question"
            )
    if told is None:
        name = f"the {layout} layout" if layout in LAYOUTS else formats()[layout].name
        yield f"{name} cannot hold these annotations so that they are read the same"
    elif told:
        yield Notice(_AGAIN, Action("", told))


def _known(path: Path, options: Mapping[str, Any], data: Annotations) -> bool:
    """Whether all coders and questions are found again."""
    try:
        again = read(path, **options)
    except AccordantError:
        return False
    return {*again.coders} == {*data.coders} and {*again.questions} == {*data.questions}


_AGAIN = "The file does not say everything: give these options when it is read again."
_SAMPLE = 20_000  # annotations that are read again to see whether they survive


def suffixes_of(layout: str) -> tuple[str, ...]:
    """The suffixes of files in a layout or of a platform; '' is that of a folder.

    Raises
    ------
    RequestError
        If there is no such layout.
    """
    if layout in LAYOUTS:
        return tuple(FORMATS)
    found = {key: f.suffix for key, f in formats().items() if f.write is not None}
    if layout not in found:
        raise unknown("layout", layout, [*LAYOUTS, *found], "there are")
    return (found[layout],)


def _writer(layout: str, suffix: str) -> Callable[[Annotations, Path], tuple[str, ...]]:
    """Writes annotations to a new file and says what it cannot hold."""
    of_platform = None if layout in LAYOUTS else formats()[layout].write
    if of_platform is not None:
        return of_platform

    def to_file(data: Annotations, path: Path) -> tuple[str, ...]:
        sheet, lost = LAYOUTS[layout](data)
        FORMATS[suffix](for_format(sheet, suffix, data), path)
        return lost

    return to_file


# ---------------------------------------------------------------------- platforms


def _ways_of_platform(data: Annotations, _: str) -> Iterator[dict[str, Any]]:
    """Options of `read` that may be needed, fewest first."""
    given = _scheme_of(data, alone=len(data.questions) == 1)
    for names in ((), ("scale",), ("categories", "scale")):
        way = {n: given[n] for n in names if n in given}
        yield way
        yield way | {"max_labels": 1}


def _scheme_of(data: Annotations, *, alone: bool) -> dict[str, Any]:
    """The categories, and the scale unless it is nominal, as `read` takes them."""
    found: dict[str, Any] = {}
    for name, values in (
        ("categories", [list(s.categories) for s in data.schemes]),
        ("scale", [s.scale for s in data.schemes]),
    ):
        found[name] = values[0] if alone else dict(zip(data.questions, values, strict=True))
    if all(s.scale == "nominal" for s in data.schemes):
        del found["scale"]
    return found


def _answers_same(path: Path, options: Mapping[str, Any], _: str, data: Annotations) -> bool:
    try:
        return _told(read(path, **options)) == _told(data)
    except AccordantError:
        return False


def _told(data: Annotations) -> object:
    """Who gave which item what label, and the schemes; whatever a single question is called."""
    alone = len(data.questions) == 1
    kept = replace(data, layout=data.answered)
    rows = {
        (str(r["item"]), "" if alone else r["question"], r["coder"], r["label"])
        for r in kept.to_rows()
    }
    schemes = zip(data.questions, data.schemes, strict=True)
    told = {
        (
            "" if alone else q,
            s.scale,
            s.max_labels == 1,
            frozenset(s.categories) if s.scale == "nominal" else s.categories,
        )
        for q, s in schemes
    }
    if data.spans is None:
        return rows, told
    spans = {
        tuple({**r, "question": "" if alone else r["question"]}.values())
        for r in data.spans.to_rows()
    }
    return rows, told, spans


# ---------------------------------------------------------------------- layouts


def _own_values(data: Annotations) -> Annotations:
    """Without the values of questions that were left out, which are no category of these."""
    c, labels = data.columns, {x for s in data.schemes for x in s.categories}
    used = set(np.unique(c.value).tolist())
    return _with_values(
        data,
        [
            k
            for k, v in enumerate(data.values)
            if k in used or labels.issuperset(v if isinstance(v, tuple) else (v,))
        ],
    )


def _with_values(data: Annotations, kept: list[int]) -> Annotations:
    """The annotations with some of the values, among them all that occur."""
    if len(kept) == len(data.values):
        return data
    c = data.columns
    new = np.full(len(data.values) + 1, NO_VALUE, np.int32)
    new[kept] = np.arange(len(kept))
    values = tuple(data.values[k] for k in kept)
    return replace(data, values=values, layout=replace(c, value=new[c.value]))


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
    used = set(np.unique(data.columns.value).tolist())
    kept = [k for k, v in enumerate(data.values) if k in used or not isinstance(v, tuple)]
    schemes = tuple(_used(data, q) for q in range(len(data.questions)))
    return replace(_with_values(data, kept), schemes=schemes)


def _used(data: Annotations, q: int) -> Scheme:
    scheme, c = data.schemes[q], data.columns
    if scheme.declared or scheme.max_labels == 1:
        return scheme
    found = (data.values[k] for k in np.unique(c.value[c.question == q]) if k != NO_VALUE)
    labels = {x for v in found if isinstance(v, tuple) for x in v}
    return replace(scheme, categories=tuple(x for x in scheme.categories if x in labels))


def _ways(data: Annotations, layout: str) -> Iterator[dict[str, Any]]:
    """Options of `read` that may be needed, fewest first."""
    again = {"duplicates": "keep"} if data.persons is not None else {}
    if layout == "onehot":
        labels = [str(c) for c in data.schemes[0].categories]
        for sets in _about_sets(data):
            yield again | {"layout": layout} | sets
            yield (
                again
                | {
                    "layout": layout,
                    "item": "item",
                    "coder": "coder",
                    "label": labels,
                }
                | sets
            )
        return
    for told in _ways_of_labels(data, layout):
        for sets in _about_sets(data):
            yield again | told | sets
            yield again | told | sets | {"header_row": 1}


def _ways_of_labels(data: Annotations, layout: str) -> Iterator[dict[str, Any]]:
    sheet, _ = LAYOUTS[layout](replace(data, texts=None, metadata={}))
    names = [f.name for f in sheet]
    roles: dict[str, Any] = {"layout": layout}
    if layout == "long":
        roles |= {n: n for n in names if n in ("item", "coder", "label", "question")}
    if layout in ("wide", "counts"):
        roles["item"] = names[0]
    if layout == "wide":
        roles["coder"] = names[1:] if len(data.questions) == 1 else list(data.coders)
    scheme = _scheme_of(data, alone=data.questions == ("",))
    scales = {k: v for k, v in scheme.items() if k == "scale"}
    plain: dict[str, Any] = {"layout": layout} if layout == "wide" else {}
    yield from ({}, plain, scales, scheme, plain | scales, plain | scheme)
    yield from (roles, roles | scales, roles | scheme)


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


def _same(path: Path, options: Mapping[str, Any], layout: str, data: Annotations) -> bool:
    try:
        again = read(path, **options)
        if layout in ("table", "counts"):
            found, known = (LAYOUTS[layout](x)[0] for x in (again, data))
            return _as_cells(found) == _as_cells(known) and again.schemes == data.schemes
    except AccordantError:
        return False
    if layout in ("wide", "onehot"):  # which have no statuses
        data = replace(data, layout=data.answered)
    if layout == "onehot":  # whose columns are the scheme
        data = replace(data, schemes=tuple(replace(s, declared=True) for s in data.schemes))
    return again.fingerprint == data.fingerprint


def _as_cells(sheet: Sheet) -> list[tuple[str, list[str]]]:
    """The cells by column, in any order; the first, whatever it is called, is that of the rows."""
    named = [(f.name if k else "", list(map(str, f.cells()))) for k, f in enumerate(sheet)]
    return sorted(named)
