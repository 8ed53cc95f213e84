"""Records of JSON: a list, JSON lines or one object, nested ones flattened, as one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import InputError
from ..names import role_of
from ..table import Table, encode
from .encodings import decode, encoding_of
from .header import unique_names

__all__ = ["ONE_EACH", "columns_by_key", "flat", "of_records", "read_json", "signed", "values_of"]

_START = 1 << 16  # bytes that show the encoding
_DEEPEST = 4
ONE_EACH = "the records listed in {!r} are read: a row for each"


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
        stream,
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


def read_json(path: Path) -> Table:
    """A file of JSON objects, one a line or in one array, as a table."""
    with path.open("rb") as stream:
        records = [value for _, value in values_of(stream, path.name)]
    if len(records) == 1 and (columns := _by_column(records[0])):
        rows = zip(*columns.values(), strict=True)
        records = [dict(zip(columns, row, strict=True)) for row in rows]
    for row, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise InputError(
                f"a JSON object with item, coder and label is needed, this is {record!r:.80}",
                file=path.name,
                row=row,
            )
    return of_records(path.name, records)


def of_records(source: str, records: Sequence[Mapping[str, Any]]) -> Table:
    """A table of records, or of the records that each lists in one field with their coder."""
    of, notes = list(range(len(records))), tuple[str, ...]()
    if (members := signed(records)) is not None:
        field, of, records = members
        notes = (ONE_EACH.format(field),)
    records = flat(records)
    keys = dict.fromkeys(k for r in records for k in r)
    if not keys:
        raise InputError("the file holds no records: nothing to read", file=source)
    names, renamed = unique_names(list(map(str, keys)), True)
    columns = [encode(n, [r.get(k) for r in records]) for n, k in zip(names, keys, strict=True)]
    return Table(source, tuple(columns), lambda k: of[k] + 1, notes=(*notes, *renamed))


def _by_column(record: Any) -> dict[str, list[Any]]:
    """The columns of a table that is written column by column, as lists or by key; else none."""
    if not isinstance(record, dict) or len(record) < 2:
        return {}
    columns = columns_by_key(record) or record
    lists = all(isinstance(c, list) and len(c) > 1 for c in columns.values())
    plain = lists and not any(isinstance(x, list | dict) for c in columns.values() for x in c)
    return columns if plain and len({len(c) for c in columns.values()}) == 1 else {}


def flat(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Records whose fields are no records: `output.score` for `score` within `output`.

    Examples
    --------
    >>> flat([{"id": 1, "output": {"score": 3, "usage": {"tokens": 90}}}])
    [{'id': 1, 'output.score': 3, 'output.usage.tokens': 90}]
    """
    filled = [(k, bool(x) and isinstance(x, Mapping)) for r in records for k, x in r.items() if x]
    nested = {k for k, deep in filled if deep} - {k for k, deep in filled if not deep}
    return [_flat(r, nested) for r in records] if nested else [dict(r) for r in records]


def _flat(record: Mapping[str, Any], nested: set[str]) -> dict[str, Any]:
    out = dict[str, Any]()
    for key, value in record.items():
        out |= dict(_leaves(key, value or {}, 1)) if key in nested else {key: value}
    return out


def _leaves(name: str, value: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        path = f"{name}.{key}"
        if isinstance(inner, Mapping) and inner and depth < _DEEPEST:
            yield from _leaves(path, inner, depth + 1)
        else:
            yield path, inner


def signed(
    records: Sequence[Mapping[str, Any]],
) -> tuple[str, list[int], list[dict[str, Any]]] | None:
    """A row for each member of a list of records that name their coder, and of which record it is.

    With the name of the field. None if no field is such a list, or several are.

    Examples
    --------
    >>> signed([{"id": 1, "annotators": [{"annotator_id": "w1", "label": "x"}]}])
    ('annotators', [0], [{'id': 1, 'annotator_id': 'w1', 'label': 'x'}])
    """
    fields = dict.fromkeys(name for r in records for name in r)
    found = [name for name in fields if _lists_coders([r.get(name) for r in records])]
    if len(found) != 1:
        return None
    (name,), of, rows = found, list[int](), list[dict[str, Any]]()
    for k, record in enumerate(records):
        rest = {key: value for key, value in record.items() if key != name}
        for member in record.get(name) or ():
            said = {f"{name}.{key}" if key in fields else key: x for key, x in member.items()}
            rows.append(rest | said)
            of.append(k)
    return name, of, rows


def _lists_coders(cells: Sequence[Any]) -> bool:
    """Whether all cells that are filled are lists of records with a coder."""
    filled = [c for c in cells if c is not None]
    if not all(isinstance(c, list) for c in filled):
        return False
    members = [m for c in filled for m in c]
    records = bool(members) and all(isinstance(m, Mapping) for m in members)
    return records and any(role_of(str(key)) == "coder" for key in members[0])


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
