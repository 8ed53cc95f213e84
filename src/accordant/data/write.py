"""Annotations to a file: a table that `read` takes, or what a platform imports."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..actions import Action, Notice
from ..errors import AccordantError, RequestError, unknown
from ..removed import instead
from .annotations import NO_VALUE, Annotations
from .atomic_file import save
from .formats.format import formats
from .read import read
from .sheet import FORMATS, LAYOUTS, for_format, separator_for

_MOST = 20_000  # annotations that are read again to see whether they survive


def write(data: Annotations, path: str | Path, layout: str = "long") -> tuple[str, ...]:
    """Write annotations. Nothing half-written is left behind.

    Parameters
    ----------
    data : Annotations
    path : str or Path
        The suffix says the format: .csv, .tsv, .xlsx, .parquet or .jsonl; for a platform that of
        its files.
    layout : str
        'long': one row for each annotation, with its status; 'wide': a column for each coder (and
        question). Or a platform: 'label_studio', 'argilla' (.json) and 'doccano' (.jsonl), which
        get what most coders said, 'hugging_face' or 'uima_cas' (a folder).

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
    data, writer, lost = _own_values(data), _writer(layout, suffix), list[str]()
    save(path, lambda to: lost.extend(writer(data, to)))
    if layout in LAYOUTS:
        lost.extend(_how_to_read(data, layout, suffix))
    return tuple(lost)


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
        if gone := instead("format", layout):
            raise RequestError(f"{layout!r} is not written any more: {gone}")
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


def _own_values(data: Annotations) -> Annotations:
    """Without the values of questions that were left out, which are no category of these."""
    c, labels = data.columns, {x for s in data.schemes for x in s.categories}
    used = {*np.unique(c.value).tolist()}
    kept = [
        k
        for k, v in enumerate(data.values)
        if k in used or labels.issuperset(v if isinstance(v, tuple) else (v,))
    ]
    if len(kept) == len(data.values):
        return data
    new = np.full(len(data.values) + 1, NO_VALUE, np.int32)
    new[kept] = np.arange(len(kept))
    values = tuple(data.values[k] for k in kept)
    return replace(data, values=values, layout=replace(c, value=new[c.value]))


# ---------------------------------------------------------------------- to read it again


def _how_to_read(data: Annotations, layout: str, suffix: str) -> Iterator[str]:
    """The options that `read` needs, if any; or that the file is not read the same."""
    if len(data) > _MOST:
        return
    known = replace(data, layout=data.answered) if layout == "wide" else data
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / f"annotations{suffix}"
        _writer(layout, suffix)(data, again)
        for told in _ways(data, layout):
            try:
                same = read(again, **told).fingerprint == known.fingerprint
            except AccordantError:
                continue
            if same:
                if told:
                    said = "The file does not say everything: give these options to read it again."
                    yield Notice(said, Action("", told))
                return
    yield f"the {layout} layout cannot hold these annotations so that they are read the same"


def _ways(data: Annotations, layout: str) -> Iterator[dict[str, Any]]:
    """Options of `read` that may be needed, fewest first."""
    must: dict[str, Any] = {} if data.persons is None else {"duplicates": "keep"}
    sets = any(s.max_labels != 1 for s in data.schemes)
    if any(s.ranked for s in data.schemes):
        must |= {"layout": "ranked"}
    scheme: dict[str, Any] = {}
    if any(s.declared or s.scale != "nominal" for s in data.schemes):
        scheme["categories"] = _each(data, [list(s.categories) for s in data.schemes])
    if any(s.scale != "nominal" for s in data.schemes):
        scheme["scale"] = _each(data, [s.scale for s in data.schemes])
    roles: dict[str, Any] = {"header_row": 1} | ({} if "layout" in must else {"layout": layout})
    names = [f.name for f in LAYOUTS[layout](replace(data, texts=None, metadata={}))[0]]
    if layout == "long":
        roles |= {n: n for n in names if n in ("item", "coder", "label", "question")}
    else:
        alone = len(data.questions) == 1
        roles |= {"item": names[0], "coder": names[1:] if alone else list(data.coders)}
    marks = [{}, {"separator": separator_for(data.values) if sets else ""}]
    scales = {k: v for k, v in scheme.items() if k == "scale"}
    for told in ({}, roles):
        for mark in marks:
            for said in ({}, scales, scheme):
                yield must | told | mark | said


def _each(data: Annotations, values: list[Any]) -> Any:
    """One for each question by its name; that of the only question where it has none."""
    return values[0] if data.questions == ("",) else dict(zip(data.questions, values, strict=True))
