"""JSON lines, and a JSON array of records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import InputError
from ..options import Options
from ..table import Table, encode
from .encodings import decode
from .header import unique_names
from .json_stream import values_of
from .nested_records import ONE_EACH, columns_by_key, flat, signed

__all__ = ["read_json"]


def read_json(path: Path, options: Options) -> Table:
    """A file of JSON objects, one a line or in one array, as a table."""
    name = path.name
    text = decode(path.read_bytes(), name, None)
    found = list(values_of(iter((text,)), name))
    records, lines = [record for _, record in found], [line for line, _ in found]
    if len(records) == 1 and (columns := _by_column(records[0])):
        records = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
        lines = [1] * len(records)
    for record, line in zip(records, lines, strict=True):
        if not isinstance(record, dict):
            raise InputError(
                f"a JSON object with item, coder and label is needed, this is {record!r}",
                file=name,
                row=line,
            )
    notes: tuple[str, ...] = ()
    if (members := signed(records)) is not None:
        field, of, records = members
        lines, notes = [lines[k] for k in of], (ONE_EACH.format(field),)
    records = flat(records)
    keys = dict.fromkeys(k for r in records for k in r)
    if not keys:
        raise InputError("the file holds no records: nothing to read", file=name)
    names, renamed = unique_names(list(keys), True)
    encoded = [encode(n, [r.get(k) for r in records]) for n, k in zip(names, keys, strict=True)]
    return Table(name, tuple(encoded), lines.__getitem__, notes=(*notes, *renamed))


def _by_column(record: Any) -> dict[str, list[Any]]:
    """The columns of a table that is written column by column, as lists or by key; else none."""
    if not isinstance(record, dict) or len(record) < 2:
        return {}
    columns = columns_by_key(record) or record
    lists = all(isinstance(c, list) and len(c) > 1 for c in columns.values())
    flat_cells = lists and not any(isinstance(x, list | dict) for c in columns.values() for x in c)
    return columns if flat_cells and len({len(c) for c in columns.values()}) == 1 else {}
