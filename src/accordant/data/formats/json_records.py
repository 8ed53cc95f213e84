"""The normal form of records: columns of cells, nested ones unfolded by one rule, as one table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..names import role_of, words_of
from ..table import Column, Table, encode
from .encodings import decode, encoding_of
from .header import unique_names

Columns: TypeAlias = Mapping[str, Any]  # of each name a Column, an array, or a list of cells: (N,)
UNNAMED = ("annotations", "annotator_labels")  # what coders said, where nothing says who they are
_START = 1 << 16  # bytes that show the encoding
_DEEPEST = 4
_OTHERS = bytes({*range(256)} - {*b"[]{}"})
_DEEP = b"[" * 500  # as no program writes
_SHARES = {"soft", "dist", "distribution", "count", "counts", "counter", "probs", "embedding"}
_TAGS = {"tag", "tags", "label", "labels", "ner", "pos", "bio"}
_LIST = (list, tuple, np.ndarray)
_BIO = re.compile(r"[BIESLUM]-(.+)")


def values_of(stream: BinaryIO, source: str) -> Iterator[tuple[int, Any]]:
    """The members of a JSON list, the one JSON object, or JSON lines, numbered from 1.

    One at a time, so that a large file in UTF-8 is never held whole.

    Raises
    ------
    InputError
        With the number of the value from which on the file is no JSON.
    """
    import ijson

    start = stream.read(_START)
    stream.seek(0)
    if encoding_of(start[: start.rfind(b"\n") + 1] or start)[0] != "utf-8":
        text = decode(stream.read(), source)
        start = text.removeprefix("\ufeff").encode("utf-8", "replace")
        stream = BytesIO(start)
    listed = start.lstrip()[:1] == b"["
    found = ijson.items(
        _Shallow(stream),
        "item" if listed else "",
        multiple_values=not listed,
        use_float=True,
        buf_size=_START,
    )
    n = 0
    try:
        for n, value in enumerate(found, 1):
            yield n, value
    except (ijson.JSONError, ValueError, RecursionError) as error:
        why = " ".join(str(error).split())[:80] or "too many brackets inside one another"
        raise InputError(f"the file is not JSON ({why})", file=source, row=n + 1) from None


class _Shallow:
    """A stream without brackets so deep in one another that their names would fill the memory."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def read(self, size: int) -> bytes:
        some = self.stream.read(size)
        if _DEEP in some.translate(bytes.maketrans(b"{}", b"[]"), _OTHERS):
            raise ValueError("too many brackets inside one another")
        return some


def read_json(path: Path) -> Table:
    """A file of JSON objects, one a line or in one array, as a table."""
    with path.open("rb") as stream:
        records = [value for _, value in values_of(stream, path.name)]
    if len(records) == 1 and (columns := by_column(records[0])):
        return table_of(path.name, columns)
    for row, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise InputError(
                f"a JSON object with item, coder and label is needed, this is {record!r:.80}",
                file=path.name,
                row=row,
            )
    return table_of(path.name, columns_of_records(records))


def by_column(record: Any) -> dict[str, Any]:
    """The columns of a table that is written column by column, as lists or by key; else none."""
    if not isinstance(record, Mapping) or len(record) < 2:
        return {}
    columns = columns_by_key(record) or {str(n): column for n, column in record.items()}
    lists = all(isinstance(c, list) and len(c) > 1 for c in columns.values())
    return columns if lists and len({len(c) for c in columns.values()}) == 1 else {}


def columns_of_records(records: Sequence[Mapping[Any, Any]]) -> dict[str, list[Any]]:
    """Records column by column; None where a record lacks a key.

    Examples
    --------
    >>> columns_of_records([{"id": 1, "x": "a"}, {"id": 2}])
    {'id': [1, 2], 'x': ['a', None]}
    """
    return {
        str(k): [r.get(k) for r in records] for k in dict.fromkeys(chain.from_iterable(records))
    }


def table_of(source: str, columns: Columns) -> Table:
    """A table of columns, in whose cells no records and no lists of several coders are left."""
    of: NDArray[np.intp] | None = None
    notes, known = list[str](), dict[str, bool]()
    columns = _flat(columns)
    for rule in (_signed, _parallel, _tokens):
        found = rule(columns, source)
        if found is not None:
            inner, gone, note = found
            sizes = _sizes(next(iter(inner.values())))
            own = np.repeat(np.arange(len(sizes)), sizes)
            rest = {n: _at(c, own) for n, c in columns.items() if n not in gone}
            told = {n: [x for cell in c if _listed(cell) for x in cell] for n, c in inner.items()}
            columns, of = _flat({**rest, **told}), own if of is None else of[own]
            known = dict.fromkeys(rest, False)
            if rule is _tokens:
                known = dict.fromkeys([*inner][2:], True)
            notes.append(note)
    names, renamed = unique_names(list(columns), True)
    if not names or not len(next(iter(columns.values()))):
        raise InputError("it holds no records: nothing to read", file=source)
    encoded = [
        replace(c, name=n) if isinstance(c, Column) else encode(n, c)
        for n, c in zip(names, columns.values(), strict=True)
    ]

    def row(k: int) -> int:
        return int(k if of is None else of[k]) + 1

    return Table(source, tuple(encoded), row, notes=(*notes, *renamed), known=known)


def cells_of(column: Any, most: int | None = None) -> list[Any]:
    """The first cells of a column as JSON has them: None where nothing is."""
    if isinstance(column, Column):
        return column.cells(most)
    return [_plain(cell) for cell in column[:most]]


def _plain(cell: Any) -> Any:
    """A cell without types of its own: arrays, sets, what is not a number."""
    if isinstance(cell, np.ndarray | np.generic):
        cell = cell.tolist()
    if isinstance(cell, Mapping):
        return {str(k): _plain(x) for k, x in cell.items()}
    if isinstance(cell, list | tuple):
        return [_plain(x) for x in cell]
    if isinstance(cell, set | frozenset):
        return sorted(map(str, cell))
    return None if _blank(cell) else cell


# ------------------------------------------------------------------ what stands in cells

Found: TypeAlias = tuple[dict[str, list[Any]], set[str], str]  # lists by name, columns gone, a note


def _blank(cell: Any) -> bool:
    if isinstance(cell, float):
        return cell != cell
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def _listed(cell: Any) -> bool:
    return isinstance(cell, _LIST)


def _filled(cells: Any, kind: Any) -> list[Any]:
    """The cells that are not blank if all are of a kind, else none."""
    if isinstance(cells, Column) or (isinstance(cells, np.ndarray) and cells.dtype.kind != "O"):
        return []
    first = next((c for c in cells if not _blank(c)), None)
    if not isinstance(first, kind):
        return []
    found = [c for c in cells if not _blank(c) and not (isinstance(c, str) and not c)]
    return found if all(isinstance(c, kind) for c in found) else []


def _lists(columns: Columns) -> dict[str, list[int]]:
    """How long the lists are in each column of lists."""
    return {n: _sizes(cells) for n, cells in columns.items() if _filled(cells, _LIST)}


def _sizes(cells: Sequence[Any]) -> list[int]:
    return [len(c) if _listed(c) else 0 for c in cells]


def _at(column: Any, rows: NDArray[np.intp]) -> Any:
    if isinstance(column, Column):
        return column.at(rows)
    return column[rows] if isinstance(column, np.ndarray) else [column[k] for k in rows.tolist()]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _flat(columns: Columns) -> dict[str, Any]:
    """Columns whose cells are no records: `output.score` for `score` within `output`."""
    return {n: c for name, cells in columns.items() for n, c in _leaves(str(name), cells, 0)}


def _leaves(name: str, cells: Any, depth: int) -> Iterator[tuple[str, Any]]:
    records = _filled(cells, Mapping) if depth < _DEEPEST else []
    for key in dict.fromkeys(chain.from_iterable(records)):
        inner = [c.get(key) if isinstance(c, Mapping) else None for c in cells]
        yield from _leaves(f"{name}.{key}", inner, depth + 1)
    if not records and not _filled(cells, bytes):  # of pictures and recordings
        yield name, cells


def _signed(columns: Columns, source: str) -> Found | None:
    """A list of records that name their coder, unless several columns hold such."""
    found = [n for n, cells in columns.items() if _names_coders(cells)]
    if len(found) != 1:
        return None
    (name,) = found
    cells = [c if _listed(c) else () for c in columns[name]]
    keys = dict.fromkeys(key for c in cells for member in c for key in member)
    inner = {
        f"{name}.{key}" if key in columns else str(key): [[m.get(key) for m in c] for c in cells]
        for key in keys
    }
    return inner, {name}, f"the records listed in {name!r} are read: a row for each"


def _names_coders(cells: Any) -> bool:
    members = list(chain.from_iterable(_filled(cells, _LIST)))
    records = bool(members) and all(isinstance(m, Mapping) for m in members)
    return records and any(role_of(str(key)) == "coder" for key in members[0])


def _parallel(columns: Columns, source: str) -> Found | None:
    """A list of coders beside lists of what each said; or only what was said, by nobody known."""
    sizes = _lists(columns)
    coders = next((n for n in sizes if role_of(_last(n).removesuffix("s")) == "coder"), None)
    if coders is None:
        named = any(role_of(n) == "coder" for n in columns)
        alone = None if named else next((n for n in sizes if n in UNNAMED), None)
        if alone is None or _filled(
            list(chain.from_iterable(_filled(columns[alone], _LIST))), Mapping
        ):
            return None
        return {alone: columns[alone]}, {alone}, f"{alone!r} does not say who the coders are"
    group = coders.rpartition(".")[0]
    beside = [
        n
        for n in sizes
        if n != coders and n.rpartition(".")[0] == group and _SHARES.isdisjoint(words_of(n))
    ]
    same = [n for n in beside if sizes[n] == sizes[coders]]
    if not same:
        for n in beside:
            if role_of(_last(n)) == "label":
                k = next(k for k, size in enumerate(sizes[n]) if size != sizes[coders][k])
                raise InputError(
                    f"the lists {coders!r} and {n!r} of an item are not equally long "
                    f"({sizes[coders][k]:,} and {sizes[n][k]:,}), so who gave which label is not "
                    "known",
                    file=source,
                    row=k + 1,
                )
        return None
    inner = {_last(n) if group and _last(n) not in columns else n: columns[n] for n in same}
    who = _last(coders) if group and _last(coders) not in columns else coders
    note = f"the coders listed in {coders!r} are read: a row for each"
    return {who: columns[coders], **inner}, {coders, *same}, note


def _tokens(columns: Columns, source: str) -> Found | None:
    """Tokens with lists of tags: each token is an item, its tag without what begins a span."""
    sizes = _lists(columns)
    text = next((n for n in sizes if _last(n) in ("tokens", "words")), None)
    tags = [n for n in sizes if n != text and not _TAGS.isdisjoint(words_of(_last(n)))]
    tags = [n for n in tags if text is not None and sizes[n] == sizes[text]]
    if text is None or not tags:
        return None
    item = next((n for n in columns if role_of(n) == "item" and n not in sizes), None)
    words = [[*c] if _listed(c) else [] for c in columns[text]]
    ids = cells_of(columns[item]) if item else [" ".join(map(str, c)) for c in words]
    name = item or "item"
    inner = {
        name: [[f"{i}:{k + 1}" for k in range(n)] for i, n in zip(ids, sizes[text], strict=True)],
        text: words,
        **{n: _labels_of(columns[n]) for n in tags},
    }
    return inner, {text, name, *tags}, f"each token in {text!r} is an item"


def _labels_of(tags: Sequence[Any]) -> list[Any]:
    """Lists of tags as labels: 'PER' for 'B-PER', if all begin, go on with or are outside spans."""
    cells = [x for c in tags if _listed(c) for x in c]
    begun = {x: m[1] for x in cells if isinstance(x, str) and (m := _BIO.fullmatch(x))}
    if not begun or not all(x is None or x == "O" or x in begun for x in cells):
        return list(tags)
    return [[begun.get(x, x) for x in c] if _listed(c) else c for c in tags]


def columns_by_key(source: Mapping[Any, Any]) -> dict[str, Any] | None:
    """Columns of a mapping of mappings, by the keys of their cells; None if it is no such.

    The keys are a column of their own unless they only number the rows.

    Examples
    --------
    >>> columns_by_key({"Ann": {"t1": "x", "t2": "y"}, "Bob": {"t2": "y"}})
    {'key': ['t1', 't2'], 'Ann': ['x', 'y'], 'Bob': [None, 'y']}
    """
    if not source or not all(isinstance(column, Mapping) for column in source.values()):
        return None
    if any(isinstance(x, Mapping | list) for column in source.values() for x in column.values()):
        return None
    rows = list(dict.fromkeys(row for column in source.values() for row in column))
    columns = {str(name): [column.get(r) for r in rows] for name, column in source.items()}
    numbers = {str(r) for r in rows} == {str(k) for k in range(len(rows))}
    if numbers and any(role_of(str(name)) for name in source):
        return columns
    key = next(n for n in ("key", "keys", "key of the cells") if n not in columns)
    return {key: rows, **columns}
